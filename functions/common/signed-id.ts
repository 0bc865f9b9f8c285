/**
 * The tokens of links that need no sign-in, `<uuid>.<hmac>`: the HMAC proves that we made the link for this id. A token is valid
 * for as long as the secret key, and for one purpose: keys derived for another one sign nothing that is valid here.
 */
import { base64url } from 'jose';
import { keysOf } from './env.ts';

const algorithm = { name: 'HMAC', hash: 'SHA-256' };
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

async function deriveKey(secret: string, purpose: string): Promise<CryptoKey> {
  const master = await crypto.subtle.importKey('raw', encode(secret), algorithm, false, ['sign']);
  const derived = await crypto.subtle.sign(algorithm, master, encode(purpose));
  return crypto.subtle.importKey('raw', derived, algorithm, false, ['sign', 'verify']);
}

/** Returns the token of an id, a uuid in small letters, signed with the first of the secret keys. */
export async function signId(secretKeys: string | undefined, purpose: string, id: string): Promise<string> {
  const key = await deriveKey(keysOf(secretKeys)[0] ?? '', purpose);
  const signature = await crypto.subtle.sign(algorithm, key, encode(id));
  return `${id}.${base64url.encode(new Uint8Array(signature))}`;
}

/** A uuid and base64url without spare bits, so that each token has a single spelling. */
const form = /^([\da-f-]{36})\.([\w-]{42}[AEIMQUYcgkosw048])$/;

/** Returns the id of a token, or undefined if it was signed with none of the secret keys. Compares in constant time. */
export async function verifyId(
  secretKeys: string | undefined,
  purpose: string,
  token: string,
): Promise<string | undefined> {
  const [, id, signature = ''] = form.exec(token) ?? [];
  for (const secret of id === undefined ? [] : keysOf(secretKeys)) {
    const key = await deriveKey(secret, purpose);
    if (await crypto.subtle.verify(algorithm, key, base64url.decode(signature), encode(id ?? ''))) {
      return id;
    }
  }
  return undefined;
}
