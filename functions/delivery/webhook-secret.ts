/** The secrets of webhooks, as Standard Webhooks writes them: `whsec_` and the base64 of the key. */
import { fail, ok, type Result } from '../common/result.ts';

const prefix = 'whsec_';
/** Bytes of a key that Standard Webhooks allows. */
const fewest = 24;
const most = 64;
/** Bytes of a key that is made here: HMAC-SHA256 gains nothing by more. */
const usual = 32;

/** Returns a new secret, of random bytes. */
export const createSecret = (): string =>
  prefix + btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(usual))));

/** Returns the key of a secret. The failure is a reason that doesn't show the secret. */
export function keyOf(secret: string): Result<Uint8Array, string> {
  const base64 = secret.startsWith(prefix) ? secret.slice(prefix.length) : '';
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || base64.length % 4 !== 0) {
    return malformed;
  }
  const key = Uint8Array.from(atob(base64), character => character.charCodeAt(0));
  return key.length < fewest || key.length > most ? malformed : ok(key);
}

const malformed = fail(
  `a secret of the webhook is not ${prefix} and the base64 of ${fewest} to ${most} bytes`,
);
