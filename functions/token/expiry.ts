import { decodeJwt } from 'jose';

/** When a verified token expires, in seconds since 1970; undefined of a key that is none. */
export function expiryOf(token: string): number | undefined {
  try {
    return decodeJwt(token).exp;
  } catch {
    return undefined;
  }
}
