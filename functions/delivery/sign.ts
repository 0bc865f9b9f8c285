/** Signatures of webhooks: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
import { fail, ok, type Result } from '../common/result.ts';
import { keyOf } from './webhook-secret.ts';

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
