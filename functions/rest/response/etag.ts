/**
 * Entity tags and their comparison (RFC 9110, sections 8.8.3 and 13.1). A row's tag is `"<version>-<variant>"`: the
 * version has the row's key and changes with every write of the row; the variant identifies the representation (media type,
 * time zone, columns), so that different bodies of one URL have different tags.
 */
import { hashOf } from '../../common/hash.ts';
import { parseTags } from '../request/entity-tags.ts';

/** Returns the tag of a row in a version, for the body that the texts in `representation` determine. */
export const etagOf = (version: string, representation: string[]): string =>
  `"${encodeURIComponent(version)}-${hashOf(representation.join('\n')).toString(36)}"`;

/**
 * Whether If-None-Match contains the tag, or is `*`: the client already has this representation, and the response is
 * 304. The comparison is weak, and a malformed header matches nothing.
 */
export function matches(ifNoneMatch: string | null | undefined, etag: string): boolean {
  const tags = ifNoneMatch ? parseTags(ifNoneMatch) : undefined;
  const [tag] = parseTags(etag) ?? [];
  return tags === '*' || (tag !== undefined && tags?.includes(tag) === true);
}

/** Returns the tag of a response with several rows: a hash of its body and of `texts`. */
export async function etagOfText(...texts: string[]): Promise<string> {
  const bytes = new TextEncoder().encode(texts.join('\n'));
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)).subarray(0, 15);
  return `"${btoa(String.fromCharCode(...hash))}"`;
}
