/**
 * The fingerprint of a request with an Idempotency-Key: a retry has the same one, a different request with the same key
 * has another. It covers everything the response depends on except the caller, since keys are stored per caller.
 */
import { createHash } from 'node:crypto';
import { varyingHeaders } from './varying-headers.ts';

/** Returns the SHA-256 of a request, in hexadecimal. The body comes last and is not copied, since it may be long. */
export function fingerprintOf({ method, url, headers }: Request, body: string): string {
  const { pathname, search } = new URL(url);
  const parts = [method, pathname, search, ...varyingHeaders.write.map(name => headers.get(name))];
  return createHash('sha256').update(JSON.stringify(parts)).update(body).digest('hex');
}
