/** Limits the memory of large responses, and for how long they occupy it. */

import { ok, type Result } from '../../common/failure/result.ts';
import { kib, limits } from '../../common/limits.ts';
import { type Lease, Leases } from '../../database/leases.ts';

export const largeResponses = new Leases(limits.largeResponses, limits.memory.term);

/** Adds the lease of a large response to it. A failure takes little memory, so its lease is released. */
export function attachLease<T extends object>(
  result: Result<T>,
  lease: Lease | undefined,
): Result<T & { lease?: Lease }> {
  if (lease === undefined) {
    return result;
  }
  if (result.ok) {
    return ok({ ...result.value, lease });
  }
  largeResponses.release(lease);
  return result;
}

/** Characters of a large response that are encoded at once. */
const chunkLength = 64 * kib;

const utf8 = new TextEncoder();

/**
 * Streams the text, and releases the lease at the end. The stream fails when the client takes too long to read it.
 */
export function streamLeased(text: string, lease: Lease): ReadableStream {
  let at = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = (): void => {
    clearTimeout(timer);
    largeResponses.release(lease);
  };
  return new ReadableStream({
    start(controller) {
      timer = setTimeout(() => {
        end();
        controller.error(new Error('The client took too long to read the response'));
      }, limits.largeResponses.readSeconds * 1000);
    },
    pull(controller) {
      const next = endOfChunk(text, at);
      controller.enqueue(utf8.encode(text.slice(at, next)));
      at = next;
      if (at === text.length) {
        end();
        controller.close();
      }
    },
    cancel: end,
  });
}

/** Returns the end of a chunk. Chunks don't split surrogate pairs. */
function endOfChunk(text: string, start: number): number {
  const end = Math.min(start + chunkLength, text.length);
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last < 0xdc00 && end < text.length ? end + 1 : end;
}
