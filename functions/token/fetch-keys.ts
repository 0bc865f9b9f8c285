/** Fetches a key set, within a time and a size. key-set.ts decides when. */
import { createLocalJWKSet } from 'jose';
import { limits } from '../common/limits.ts';
import { fail, ok, type Result } from '../common/result.ts';

/** Selects a key by a token's header. */
export type Keys = ReturnType<typeof createLocalJWKSet>;

/** Fetches keys, and follows no redirect. The failure is the reason to log. */
export async function fetchKeys(url: string, milliseconds: number): Promise<Result<Keys, string>> {
  try {
    const signal = AbortSignal.timeout(milliseconds);
    const response = await fetch(url, {
      signal,
      redirect: 'manual',
      headers: { accept: 'application/json' },
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      return fail(`JWKS_STATUS_${response.status}`);
    }
    const text = await readText(response.body);
    return text === undefined ? fail('JWKS_TOO_LARGE') : parseKeys(text);
  } catch (error) {
    return fail((error as Error).name === 'TimeoutError' ? 'JWKS_TIMEOUT' : 'JWKS_UNREACHABLE');
  }
}

/** Reads a body; undefined when it is too large. */
async function readText(body: ReadableStream | null): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > limits.keySet.bytes) {
      return undefined;
    }
    chunks.push(chunk);
  }
  return new Blob(chunks).text();
}

function parseKeys(text: string): Result<Keys, string> {
  try {
    return ok(createLocalJWKSet(JSON.parse(text)));
  } catch {
    return fail('JWKS_INVALID');
  }
}
