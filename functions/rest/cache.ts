/**
 * The response cache of collections that are read far more often than written. Their responses carry an ETag.
 * Those to audiences that read the same rows are cached for some seconds: in this isolate's memory, and in the cache of
 * the Cloudflare location (caches.default) for its other isolates. An entry expires at the same time in both. The key, the
 * token and the rate limit are checked before the cache. Stale entries are never sent, even when the database is unavailable.
 */
import type { Cached } from '../../schema/collection.ts';
import type { Caller } from '../caller/caller.ts';
import type { Env } from '../common/env.ts';
import { ok, type Result } from '../common/failure/result.ts';
import { kib, mib } from '../common/limits.ts';
import { LruCache } from '../common/lru-cache.ts';
import type { Call } from './endpoint.ts';
import { isRead, varyingHeaders } from './request/request.ts';
import { etagOfText, matches } from './response/etag.ts';
import { notModified, type ResponseData } from './response/response-data.ts';

/** Responses that an isolate keeps, for all callers with the same rights. */
const cacheLimits = {
  /** Characters of all bodies together, and of one. */
  characters: 4 * mib,
  charactersOfResponse: mib,
  /** Cost of a response besides its body. At most 500 are cached. */
  overhead: 8 * kib,
  /** Characters of a cache key. Longer keys are rare, and too long for caches. */
  keyLength: 8192,
};
const { characters, charactersOfResponse, overhead, keyLength } = cacheLimits;

interface CachedResponse {
  response: ResponseData;
  /** When the entry expires, in milliseconds since 1970. */
  until: number;
}

const inMemory = new LruCache<CachedResponse>(characters);

/** The request headers that a cached response depends on. */
const keyHeaders = [...varyingHeaders.read, 'If-Match'];

/** Responds to a cacheable read from the cache; on a miss, with `respond`. */
export async function respondFromCache(
  cached: Cached,
  { request, env, caller, context }: Call,
  respond: () => Promise<Result<ResponseData>>,
): Promise<Result<ResponseData>> {
  const key = cacheKeyOf(request, env, cached, caller);
  const seconds = secondsOf(env, cached);
  const hit = key === undefined ? undefined : await find(key, seconds);
  if (hit) {
    // workerd accepts new connections only when it is idle. Under load, with all responses from memory, it is never idle, and
    // some connections wait for seconds. A timer lets it accept them (p99 of 6 ms instead of 49).
    await scheduler.wait(0);
    return ok(conditional(request, { ...withExpiry(hit, seconds), cached: true }));
  }
  // The time counts from before the query, since later writes may be missing from the response.
  const until = Date.now() + seconds * 1000;
  const result = await respond();
  if (!result.ok || !isRead(request.method)) {
    return result;
  }
  const tagged = await withEtag(result.value);
  // The lease belongs to this response, not to the cached copy.
  const { lease, ...response } = tagged;
  if (key === undefined || (response.body?.length ?? 0) > charactersOfResponse) {
    return ok(conditional(request, tagged));
  }
  const entry: CachedResponse = { response, until };
  putInMemory(key, entry);
  context.waitUntil(putAtLocation(key, entry));
  return ok(conditional(request, { ...withExpiry(entry, seconds), ...(lease && { lease }) }));
}

/**
 * Returns the cache key of a response, a URL. Undefined when the response must not be cached: for staff, who must see their
 * own writes at once; when caching is off; and when the key would be too long. The key does not depend on the caller, since
 * all callers with cached responses read the same rows.
 */
function cacheKeyOf(request: Request, env: Env, cached: Cached, caller: Caller): string | undefined {
  const isShared = cached.audiences.includes(caller.audience);
  const seconds = secondsOf(env, cached);
  if (!isShared || !isRead(request.method) || seconds === 0) {
    return undefined;
  }
  const { origin, pathname, search } = new URL(request.url);
  // The seconds are part of the key, so that entries stored with a longer time are not used after the setting changes.
  const variant = [seconds, request.method, search, ...keyHeaders.map(name => request.headers.get(name))];
  const key = `${origin}${pathname}?variant=${encodeURIComponent(JSON.stringify(variant))}`;
  return key.length > keyLength ? undefined : key;
}

async function find(key: string, seconds: number): Promise<CachedResponse | undefined> {
  const local = inMemory.get(key);
  if (local) {
    return local;
  }
  const entry = await findAtLocation(key);
  if (entry && secondsLeft(entry, seconds) > 0) {
    putInMemory(key, entry);
    return entry;
  }
  return undefined;
}

const putInMemory = (key: string, entry: CachedResponse): void =>
  inMemory.set(key, entry, overhead + (entry.response.body?.length ?? 0), entry.until - Date.now());

/** Returns the seconds until an entry expires, at most its whole time: the clock may have been set back. */
const secondsLeft = ({ until }: CachedResponse, seconds: number): number =>
  Math.min(seconds, (until - Date.now()) / 1000);

/** Looks in Cloudflare's cache. Its errors count as misses. */
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

/** Adds an ETag, unless the response has a single row's ETag already, or no body. */
async function withEtag(response: ResponseData): Promise<ResponseData> {
  const { body, headers } = response;
  const { etag, 'content-range': range = '' } = headers;
  return etag === undefined && body !== null
    ? withHeaders(response, { etag: await etagOfText(range, body) })
    : response;
}

/** Returns the TTL in seconds. Ignores a setting that is not a number. */
function secondsOf(env: Env, { seconds, setting }: Cached): number {
  const set = String((env as Record<string, unknown>)[setting] ?? '');
  return /^\d{1,5}$/.test(set) ? Number(set) : seconds;
}

const withHeaders = (response: ResponseData, headers: Record<string, string>): ResponseData => ({
  ...response,
  headers: { ...response.headers, ...headers },
});

/** Lets a browser cache the response until the entry expires, and only for the same key and token. */
function withExpiry(entry: CachedResponse, seconds: number): ResponseData {
  const { response } = entry;
  return withHeaders(response, {
    'cache-control': `private, max-age=${Math.max(0, Math.floor(secondsLeft(entry, seconds)))}`,
    vary: `${response.headers['vary']}, apikey, Authorization`,
  });
}

const conditional = (request: Request, response: ResponseData): ResponseData =>
  matches(request.headers.get('if-none-match'), response.headers['etag'] ?? '')
    ? notModified(response)
    : response;
