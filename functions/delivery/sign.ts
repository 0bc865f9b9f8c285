/** Signatures of webhooks: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
import { fail, ok, type Result } from '../common/result.ts';

export interface Signed {
  /** The same at each attempt: receivers know by it what they have had already. It has no dot. */
  id: string;
  body: string;
  /** Newest first. */
  secrets: readonly string[];
}

const algorithm = { name: 'HMAC', hash: 'SHA-256' };

/**
 * Returns the three headers, with a signature for each secret in their order, so that a receiver that knows any of them
 * accepts the call. `seconds` is the time since 1970. The failure is a reason.
 */
export async function sign(
  { id, body, secrets }: Signed,
  seconds: number,
): Promise<Result<Record<string, string>, string>> {
  if (secrets.length === 0) {
    return fail('the webhook has no secret');
  }
  const content = new TextEncoder().encode(`${id}.${seconds}.${body}`);
  const signatures: string[] = [];
  for (const secret of secrets) {
    const key = keyOf(secret);
    if (!key.ok) {
      return key;
    }
    signatures.push(`v1,${await hmac(key.value, content)}`);
  }
  return ok({
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
  });
}

async function hmac(key: BufferSource, content: BufferSource): Promise<string> {
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign']);
  const signature = await crypto.subtle.sign(algorithm, imported, content);
  return btoa(String.fromCharCode(...new Uint8Array(signature)));
}
/** Secrets are written as Standard Webhooks has them: `whsec_` and the base64 of the key. */
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
  `a secret of the webhook is not ${prefix} followed by the base64 of ${fewest} to ${most} bytes`,
);
