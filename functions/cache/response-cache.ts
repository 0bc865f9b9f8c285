import { limits } from '../common/limits.ts';
import type { ResponseData } from '../response/response-data.ts';

export interface CachedResponse {
  response: ResponseData;
  /** When the entry expires, in milliseconds since 1970. */
  until: number;
}

const { characters, responses, keyLength } = limits.responseCache;

/**
 * Caches responses under a URL as the key, for some seconds: in the memory of this isolate, and in the cache of the
 * Cloudflare location for its other isolates. An entry expires at the same time in both.
 */
export class ResponseCache {
  /** The oldest first. */
  readonly #inMemory = new Map<string, CachedResponse>();
  #size = 0;

  async find(key: string): Promise<CachedResponse | undefined> {
    const local = this.#inMemory.get(key);
    if (local && local.until > Date.now()) {
      return local;
    }
    if (local) {
      this.#delete(key, local);
    }
    const entry = key.length > keyLength ? undefined : await findAtLocation(key);
    if (entry && entry.until > Date.now()) {
      this.#putInMemory(key, entry);
      return entry;
    }
    return undefined;
  }

  async put(key: string, entry: CachedResponse): Promise<void> {
    if (key.length > keyLength) {
      return;
    }
    this.#putInMemory(key, entry);
    await putAtLocation(key, entry);
  }

  #putInMemory(key: string, entry: CachedResponse): void {
    const previous = this.#inMemory.get(key);
    if (previous) {
      this.#delete(key, previous);
    }
    this.#inMemory.set(key, entry);
    this.#size += sizeOf(entry);
    for (const [oldestKey, oldest] of this.#inMemory) {
      if (this.#size <= characters && this.#inMemory.size <= responses) {
        return;
      }
      this.#delete(oldestKey, oldest);
    }
  }

  #delete(key: string, entry: CachedResponse): void {
    this.#inMemory.delete(key);
    this.#size -= sizeOf(entry);
  }
}

const sizeOf = ({ response }: CachedResponse): number => response.body?.length ?? 0;

/** Looks in Cloudflare's cache. An error of it counts as a miss. */
async function findAtLocation(key: string): Promise<CachedResponse | undefined> {
  try {
    return await (await caches.default.match(key))?.json<CachedResponse>();
  } catch {
    return undefined;
  }
}

async function putAtLocation(key: string, entry: CachedResponse): Promise<void> {
  const seconds = Math.floor((entry.until - Date.now()) / 1000);
  const headers = { 'cache-control': `max-age=${seconds}` };
  await caches.default.put(key, Response.json(entry, { headers })).catch(() => {});
}
