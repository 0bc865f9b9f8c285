/** The request's body as text, no more of it than allowed. */
import type { Failure } from './failure.ts';
import { fail, ok, type Result } from './result.ts';

/** Bytes. */
const bodyLimit = 1024 * 1024;

export async function readBody(request: Request): Promise<Result<string>> {
  if (request.body === null) {
    return ok('');
  }
  const tooLarge = fail<Failure>({ is: 'body too large', limit: bodyLimit });
  if (Number(request.headers.get('content-length')) > bodyLimit) {
    return tooLarge;
  }
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
  let text = '';
  let size = 0;
  try {
    for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size > bodyLimit) {
        return tooLarge;
      }
      text += decoder.decode(chunk, { stream: true });
    }
    return ok(text + decoder.decode());
  } catch {
    return fail<Failure>({ is: 'invalid body', message: 'The body is not UTF-8, or broke off' });
  }
}
