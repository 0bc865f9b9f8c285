/**
 * What tells a retry from another request that has the same Idempotency-Key: the hash of everything the answer depends
 * on, but for the caller, whose own keys alone are looked at.
 */
import { createHash } from 'node:crypto';

const headerNames = ['prefer', 'accept', 'content-type', 'content-profile'];

/** SHA-256, in hexadecimal. The body may be long, so it is hashed as it is, behind the rest. */
export function fingerprintOf({ method, url, headers }: Request, body: string): string {
  const { pathname, search } = new URL(url);
  const parts = [method, pathname, search, ...headerNames.map(name => headers.get(name))];
  return createHash('sha256').update(JSON.stringify(parts)).update(body).digest('hex');
}
