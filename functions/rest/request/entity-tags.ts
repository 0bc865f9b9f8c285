/** Parses the headers that list entity tags: If-Match and If-None-Match (RFC 9110, section 13.1). */

/**
 * Returns the versions that If-Match accepts, `*` for any; undefined when the header is malformed. The RFC asks for a strong
 * comparison. Weak tags are accepted here too: compressing proxies weaken every tag they forward, and the version in the tag
 * still identifies the stored row exactly.
 */
export function acceptedVersions(ifMatch: string): '*' | string[] | undefined {
  const tags = parseTags(ifMatch);
  return typeof tags === 'object' ? [...new Set(tags.flatMap(tag => versionIn(tag) ?? []))] : tags;
}

/** Returns the version of a row's tag (`etagOf`); undefined for other texts. */
function versionIn(tag: string): string | undefined {
  const [, version = ''] = /^(\d+-.+)-[0-9a-z]+$/.exec(tag) ?? [];
  try {
    const decoded = decodeURIComponent(version);
    return decoded === '' || decoded.includes('\0') ? undefined : decoded;
  } catch {
    return undefined;
  }
}

/** Returns the tags of a list without their quotes, or `*`; undefined when the header is malformed. */
export function parseTags(header: string): '*' | string[] | undefined {
  const text = header.trim();
  if (text === '*') {
    return '*';
  }
  const tag = /(?:W\/)?"([^"]*)"\s*(?:,\s*|$)/y;
  const tags: string[] = [];
  while (tag.lastIndex < text.length) {
    const match = tag.exec(text);
    if (match === null) {
      return undefined;
    }
    tags.push(match[1] ?? '');
  }
  return tags.length > 0 ? tags : undefined;
}
