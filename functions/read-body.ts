/** The request's body as text, no more of it than allowed, nor for longer. */
import type { Failure } from './failure.ts';
import { fail, ok, type Result } from './result.ts';

/** Bytes. */
const bodyLimit = 1024 * 1024;
/** Of a body that nobody wants so much is read all the same, or the client would not get to read the answer. */
const discardLimit = 8 * bodyLimit;
/** Within which all of it is here: 1 MiB at 1 Mbit/s takes 9. */
const secondsAllowed = 10;

export async function readBody(request: Request): Promise<Result<string>> {
  if (request.body === null) {
    return ok('');
  }
  const { promise: late, resolve } = Promise.withResolvers<Result<string>>();
  const tooSlow: Failure = { is: 'body too slow', seconds: secondsAllowed };
  const timer = setTimeout(() => resolve(fail(tooSlow)), secondsAllowed * 1000);
  try {
    return await Promise.race([readAll(request, request.body), late]);
  } catch {
    return fail<Failure>({ is: 'invalid body', message: 'The body is not UTF-8, or broke off' });
  } finally {
    clearTimeout(timer);
  }
}

async function readAll(request: Request, body: ReadableStream): Promise<Result<string>> {
  const length = request.headers.get('content-length');
  return length !== null && Number(length) <= bodyLimit
    ? ok(decode(await request.arrayBuffer()))
    : readChunks(body);
}

/** A body that is too long, or does not say how long it is. */
async function readChunks(body: ReadableStream): Promise<Result<string>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size <= bodyLimit) {
      chunks.push(chunk);
    } else if (size > discardLimit) {
      break;
    }
  }
  return size > bodyLimit
    ? fail<Failure>({ is: 'body too large', limit: bodyLimit })
    : ok(decode(await new Blob(chunks).arrayBuffer()));
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** Throws when it is not UTF-8. */
const decode = (bytes: ArrayBuffer): string => utf8.decode(bytes);

/** Reads and forgets what an early answer left unread, so that the connection stays good for the next request. */
export async function discardBody(request: Request): Promise<void> {
  if (!request.bodyUsed) {
    await readBody(request);
  }
}
