/** Reads the request's body as text, within limits of size, of time, and of the memory that large bodies share. */

import type { Failure } from '../../common/failure/failure.ts';
import { fail, ok, type Result } from '../../common/failure/result.ts';
import { kib, limits, second } from '../../common/limits.ts';
import { shorten } from '../../common/text.ts';
import { Leases } from '../../database/leases.ts';

/** The leases of this isolate's large bodies. */
const leases = new Leases(limits.largeBodies, limits.memory.term);

/** A body, whose lease on memory lasts until it is released. */
interface LeasedBody {
  text: string;
  release(): void;
}

const noBody: LeasedBody = { text: '', release() {} };

const tooLarge: Result<never> = fail<Failure>({ is: 'body too large' });
const tooSlow: Result<never> = fail<Failure>({ is: 'body too slow' });

/** Reads the body, which counts against the memory of `owner`; without Content-Length it counts with the largest size. */
export async function readBody(request: Request, owner: string): Promise<Result<LeasedBody>> {
  if (request.body === null) {
    return ok(noBody);
  }
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity') {
    return fail<Failure>({ is: 'encoded body', encoding: shorten(encoding, limits.body.shownValue) });
  }
  const length = Number(request.headers.get('content-length') ?? limits.body.bytes);
  if (length > limits.body.bytes) {
    return tooLarge;
  }
  const lease =
    length > limits.largeBodies.above ? await leases.acquire(owner, length, 'BODIES_FULL') : ok(undefined);
  if (!lease.ok) {
    return lease;
  }
  const release = (): void => {
    if (lease.value) {
      leases.release(lease.value);
    }
  };
  const text = await arrive(readText(request, request.body), tooSlow);
  if (!text.ok) {
    release();
    return text;
  }
  return ok({ text: text.value, release });
}

/** Returns the result of `work`, or `late` when it takes longer than a body may. */
async function arrive<T>(work: Promise<T>, late: T): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<T>(resolve => {
    timer = setTimeout(() => resolve(late), limits.body.arrivalSeconds * second);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

async function readText({ headers }: Request, body: ReadableStream): Promise<Result<string>> {
  const length = headers.get('content-length');
  try {
    return length === null ? await readChunks(body) : ok(utf8.decode(await readWhole(body, Number(length))));
  } catch {
    return fail<Failure>({
      is: 'invalid body',
      message: 'The body is not valid UTF-8, or was cut off',
      hint: 'Send uncompressed text in UTF-8.',
    });
  }
}

/**
 * Reads a body of a known length. Throws when it ends early. After `arrayBuffer()`, `text()` or `json()` workerd (1.20260426)
 * would keep the request and its headers until a full garbage collection, and then destroy thousands of them at once.
 */
async function readWhole(body: ReadableStream, length: number): Promise<Uint8Array> {
  // At least one byte, since nothing can be read into an empty buffer.
  const buffer = new Uint8Array(Math.max(1, length));
  const { value } = await body.getReader({ mode: 'byob' }).readAtLeast(buffer.length, buffer);
  const read = value ?? new Uint8Array();
  if (read.length < length) {
    throw new Error('The body is shorter than its Content-Length');
  }
  return read;
}

/** Reads a body without Content-Length. */
async function readChunks(body: ReadableStream): Promise<Result<string>> {
  const chunks: Uint8Array[] = [];
  const size = await drain(body, (chunk, sizeSoFar) => {
    if (sizeSoFar <= limits.body.bytes) {
      chunks.push(chunk.slice());
    }
  });
  return size > limits.body.bytes ? tooLarge : ok(utf8.decode(await new Blob(chunks).arrayBuffer()));
}

/** Bytes that are read at once. */
const bufferSize = 64 * kib;

/**
 * Reads a body to its end, or up to the limit for discarded bodies, and returns the number of bytes. Each read fills
 * the same buffer: in workerd, reading chunks as they arrive takes much longer.
 */
async function drain(
  body: ReadableStream,
  take: (chunk: Uint8Array, sizeSoFar: number) => void,
): Promise<number> {
  const reader = body.getReader({ mode: 'byob' });
  let buffer = new Uint8Array(bufferSize);
  let size = 0;
  for (let isDone = false; !isDone && size <= limits.body.discardedBytes; ) {
    const { value, done } = await reader.readAtLeast(bufferSize, buffer);
    isDone = done;
    if (value !== undefined && value.byteLength > 0) {
      size += value.byteLength;
      take(value, size);
    }
    if (value !== undefined) {
      buffer = new Uint8Array(value.buffer, 0, bufferSize);
    }
  }
  return size;
}

/** Throws on invalid UTF-8. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/**
 * Reads and drops the body that an early response left unread. Otherwise the client may fail before it reads the
 * response, and the connection can't be reused.
 */
export async function discardBody({ body, bodyUsed }: Request): Promise<void> {
  if (body !== null && !bodyUsed) {
    const drained = drain(body, () => {});
    await arrive(drained, 0).catch(() => {});
  }
}
