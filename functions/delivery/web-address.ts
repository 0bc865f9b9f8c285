/** Returns undefined for what is no URL, or is relative to nothing. */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** Returns the absolute address of a page on the web, or undefined for anything else, as `javascript:`. */
export function webAddressOf(text: string, base?: string): string | undefined {
  const url = parseUrl(text, base);
  const isPage = url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  return isPage ? url.href : undefined;
}
