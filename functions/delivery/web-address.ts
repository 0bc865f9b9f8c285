/** Parses a URL, possibly relative to `base`. Undefined when it is invalid. */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** Returns an absolute http or https URL, or undefined for any other, such as `javascript:`. */
export function webAddressOf(text: string, base?: string): string | undefined {
  const url = parseUrl(text, base);
  const isPage = url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  return isPage ? url.href : undefined;
}
