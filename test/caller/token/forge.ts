/** Tokens that no library would create: any header and payload, signed in any way. */
import { createHmac, type KeyObject, sign } from 'node:crypto';

export type Part = object | string | Uint8Array;
export type Signer = (signed: string) => Uint8Array;

const bytesOf = (part: Part): Uint8Array =>
  part instanceof Uint8Array ? part : Buffer.from(typeof part === 'string' ? part : JSON.stringify(part));

export const base64url = (part: Part): string => Buffer.from(bytesOf(part)).toString('base64url');

/** A string is used as JSON text, so that it may contain a name twice. */
export function forge(header: Part, payload: Part, signer: Signer): string {
  const signed = `${base64url(header)}.${base64url(payload)}`;
  return `${signed}.${base64url(signer(signed))}`;
}

export const hmac =
  (key: string | Uint8Array, bits = 256): Signer =>
  signed =>
    createHmac(`sha${bits}`, key).update(signed).digest();

export const rsa =
  (key: KeyObject, bits = 256): Signer =>
  signed =>
    sign(`sha${bits}`, Buffer.from(signed), key);

export const ecdsa =
  (key: KeyObject, dsaEncoding: 'ieee-p1363' | 'der' = 'ieee-p1363', bits = 256): Signer =>
  signed =>
    sign(`sha${bits}`, Buffer.from(signed), { key, dsaEncoding });

export const constant =
  (signature: Uint8Array): Signer =>
  () =>
    signature;
