/** Entity tags (RFC 9110, section 8.8.3), and what a client that already has an answer is told. */
import type { Answer } from './respond.ts';

/** A strong tag of what the answer says: its body, and which rows of how many it holds. */
export async function tagOf({ headers, body }: Answer): Promise<string> {
  const bytes = new TextEncoder().encode(`${headers['content-range'] ?? ''}\n${body ?? ''}`);
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)).subarray(0, 15);
  return `"${btoa(String.fromCharCode(...hash))}"`;
}

/** Whether an If-None-Match header names this tag. It compares weakly: `W/"a"` is `"a"`, and `*` is any. */
export function matches(ifNoneMatch: string | null, tag: string): boolean {
  if (ifNoneMatch === null) {
    return false;
  }
  const opaque = (written: string): string => written.trim().replace(/^W\//, '');
  return ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some(each => opaque(each) === opaque(tag));
}

/** 304 in place of an answer the client has. */
export function notModified({ headers, rows }: Answer): Answer {
  const { 'content-type': _, ...rest } = headers;
  return { status: 304, headers: rest, body: null, ...(rows !== undefined && { rows }) };
}
