/** The headers that name entity tags: If-Match and If-None-Match (RFC 9110, section 13.1). */

/**
 * The versions that If-Match accepts, `*` for any; nothing when the header cannot be read. The RFC has tags compared
 * strongly. Here a weak one counts as well, since a proxy that compresses weakens every tag that passes, and the
 * version tells the row exactly either way.
 */
export function acceptedVersions(ifMatch: string): '*' | string[] | undefined {
  const tags = parseTags(ifMatch);
  return typeof tags === 'object' ? tags.flatMap(tag => /^(\d{1,10})-[0-9a-z]+$/.exec(tag)?.[1] ?? []) : tags;
}

/** What is between the quotes of each tag of a list; `*` for that; nothing when it is no list of tags. */
export function parseTags(header: string): '*' | string[] | undefined {
  const text = header.trim();
  if (text === '*') {
    return '*';
  }
  const tag = /(?:W\/)?"([^"]*)"\s*(?:,\s*|$)/y;
  const tags: string[] = [];
  while (tag.lastIndex < text.length) {
    const found = tag.exec(text);
    if (found === null) {
      return undefined;
    }
    tags.push(found[1] ?? '');
  }
  return tags.length > 0 ? tags : undefined;
}
