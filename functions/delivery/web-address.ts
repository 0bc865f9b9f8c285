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

/** A host that no link has. */
const nowhere = 'http://nowhere.invalid';

/**
 * Returns the URL of a link: absolute, or a path below the application at `base`, whose own path and query are kept. In an
 * application whose URL ends in `#/`, the path is in the fragment. Undefined when it is no http or https URL.
 */
export function linkWithin(link: string, base: string | undefined): string | undefined {
  const url = parseUrl(base ?? '');
  const path = parseUrl(link, nowhere);
  if (!url || path?.origin !== nowhere || parseUrl(link)) {
    return webAddressOf(link, base);
  }
  if (/^#!?\//.test(url.hash)) {
    url.hash = withoutSlash(url.hash) + path.pathname + path.search;
    return webAddressOf(url.href);
  }
  url.pathname = withoutSlash(url.pathname) + path.pathname;
  url.search = [url.search, path.search]
    .map(query => query.slice(1))
    .filter(Boolean)
    .join('&');
  url.hash = path.hash || url.hash;
  return webAddressOf(url.href);
}

function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}
