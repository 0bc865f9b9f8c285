/**
 * Entity tags and the headers that compare them (RFC 9110, sections 8.8.3 and 13.1). A row's tag is
 * `"<version>-<variant>"`: the version changes with every write of the row, the variant is of the representation
 * (media type, time zone, columns), so that no two bodies of one URL share a tag.
 */

import { parseTags } from '../request/entity-tags.ts';

/** The tag of a representation of a row, which is made of these things beside the row itself. */
export const etagOf = (version: string, ...representation: string[]): string =>
  `"${version}-${shortHash(representation.join('\n'))}"`;

/**
 * Whether If-None-Match names the tag, or is `*`: then the client has what it would be sent, and 304 will do. Compares
 * weakly. A header that cannot be read matches nothing.
 */
export function matches(ifNoneMatch: string | null | undefined, etag: string): boolean {
  const tags = ifNoneMatch ? parseTags(ifNoneMatch) : undefined;
  const [tag] = parseTags(etag) ?? [];
  return tags === '*' || (tag !== undefined && tags?.includes(tag) === true);
}

/** The tag of an answer of several rows: of its text, and of whatever else tells it from another. */
export async function etagOfText(...texts: string[]): Promise<string> {
  const bytes = new TextEncoder().encode(texts.join('\n'));
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)).subarray(0, 15);
  return `"${btoa(String.fromCharCode(...hash))}"`;
}

/** FNV-1a: it tells the few variants of one URL apart. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(36);
}
