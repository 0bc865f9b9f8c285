/**
 * What tells a retry from another request that has the same Idempotency-Key: the hash of everything the answer depends
 * on, but for the caller, whose own keys alone are looked at.
 */
const headerNames = ['prefer', 'accept', 'content-type', 'content-profile'];

/** SHA-256, in hexadecimal. */
export async function fingerprintOf({ method, url, headers }: Request, body: string): Promise<string> {
  const { pathname, search } = new URL(url);
  const parts = [method, pathname, search, ...headerNames.map(name => headers.get(name)), body];
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(parts)));
  return Array.from(new Uint8Array(hash), byte => byte.toString(16).padStart(2, '0')).join('');
}
