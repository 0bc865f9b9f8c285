import { limits } from '../common/limits.ts';
import type { ResponseData } from '../response/response.ts';

export interface CachedResponse {
  answer: ResponseData;
  /** Milliseconds since 1970. */
  until: number;
}

const { characters, responses, keyLength } = limits.responseCache;

/**
 * Answers by an address of their own, for some seconds: in the memory of this isolate, and in the cache of the
 * Cloudflare location for the others. An answer has the same end in both.
 */
export class ResponseCache {
  readonly #inMemory = new Map<string, CachedResponse>();
  #size = 0;

  async find(key: string): Promise<CachedResponse | undefined> {
    const known = this.#inMemory.get(key);
    if (known && known.until > Date.now()) {
      return known;
    }
    if (known) {
      this.#forget(key, known);
    }
    const elsewhere = key.length > keyLength ? undefined : await findAtLocation(key);
    if (elsewhere && elsewhere.until > Date.now()) {
      this.#remember(key, elsewhere);
      return elsewhere;
    }
    return undefined;
  }

  async keep(key: string, kept: CachedResponse): Promise<void> {
    if (key.length > keyLength) {
      return;
    }
    this.#remember(key, kept);
    await keepAtLocation(key, kept);
  }

  #remember(key: string, kept: CachedResponse): void {
    const known = this.#inMemory.get(key);
    if (known) {
      this.#forget(key, known);
    }
    this.#inMemory.set(key, kept);
    this.#size += sizeOf(kept);
    for (const [oldest, old] of this.#inMemory) {
      if (this.#size <= characters && this.#inMemory.size <= responses) {
        return;
      }
      this.#forget(oldest, old);
    }
  }

  #forget(key: string, kept: CachedResponse): void {
    this.#inMemory.delete(key);
    this.#size -= sizeOf(kept);
  }
}

const sizeOf = ({ answer }: CachedResponse): number => answer.body?.length ?? 0;

/** A cache that fails has nothing. */
async function findAtLocation(key: string): Promise<CachedResponse | undefined> {
  try {
    return await (await caches.default.match(key))?.json<CachedResponse>();
  } catch {
    return undefined;
  }
}

async function keepAtLocation(key: string, kept: CachedResponse): Promise<void> {
  const seconds = Math.floor((kept.until - Date.now()) / 1000);
  const headers = { 'cache-control': `max-age=${seconds}` };
  await caches.default.put(key, Response.json(kept, { headers })).catch(() => {});
}
