/** Signatures of webhooks: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
import { fail, ok, type Result } from '../common/failure/result.ts';

interface Signed {
  /** The same at each attempt, so that receivers can detect duplicates. It has no dot. */
  id: string;
  body: string;
  /** Newest first. */
  secrets: readonly string[];
}

const algorithm = { name: 'HMAC', hash: 'SHA-256' };

/**
 * Returns the three headers. There is a signature for each secret, in order, so that a receiver with any of them accepts the
 * call. `seconds` is the time since 1970. The failure is a reason.
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
    const key = decodeSecret(secret);
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
/** Prefix of a secret in Standard Webhooks' format: `whsec_` and the base64 of the key. */
const prefix = 'whsec_';
/** Key sizes in bytes that Standard Webhooks allows. */
const fewest = 24;
const most = 64;

/** Decodes a secret to its key. The failure is a reason that does not show the secret. */
function decodeSecret(secret: string): Result<Uint8Array, string> {
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
