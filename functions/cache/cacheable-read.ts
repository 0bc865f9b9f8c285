/**
 * The graphics library is read far more than written: its answers carry an ETag, and those of anonymous callers and
 * customers are kept for some seconds, in this isolate's memory and in the location's cache (caches.default).
 */
import type { Collection } from '../../schema/collection.ts';
import type { Caller } from '../caller/caller.ts';
import type { Env } from '../common/env.ts';
import { limits } from '../common/limits.ts';
import { ok, type Result } from '../common/result.ts';
import { etagOfText, matches } from '../response/etag.ts';
import { notModified, type ResponseData } from '../response/response.ts';
import { type CachedResponse, ResponseCache } from './response-cache.ts';

const kept = new ResponseCache();

/** Everything that changes an answer besides the collection and the audience. */
const headersThatMatter = ['accept', 'accept-profile', 'if-match', 'prefer', 'range'];

export interface CacheableRead {
  request: Request;
  collection: Collection;
  caller: Caller;
  env: Env;
  /** For what is done after the answer. */
  context: Pick<ExecutionContext, 'waitUntil'>;
}

/** Answers a read of a collection whose answers are shared, from the cache where it may. */
export async function respondFromCache(
  read: CacheableRead,
  answer: () => Promise<Result<ResponseData>>,
): Promise<Result<ResponseData>> {
  const key = keyOf(read);
  const found = key === undefined ? undefined : await kept.find(key);
  if (found) {
    // workerd looks for what arrived only when it has nothing else to do, and answers from memory alone left it always
    // something: some connections waited for seconds. A timer comes after such a look (p99 of 6 ms instead of 49).
    await scheduler.wait(0);
    return ok(conditional(read.request, { ...fresh(found), cached: true }));
  }
  // From before the database is asked: what is written from then on may be missing from the answer.
  const until = Date.now() + secondsOf(read.env) * 1000;
  const made = await answer();
  if (!made.ok || read.request.method !== 'GET') {
    return made;
  }
  const tagged = await tag(made.value);
  // The lease is for the memory of this response alone.
  const { lease, ...answered } = tagged;
  if (key === undefined || (answered.body?.length ?? 0) > limits.responseCache.charactersOfResponse) {
    return ok(conditional(read.request, tagged));
  }
  const keeping: CachedResponse = { answer: answered, until };
  read.context.waitUntil(kept.keep(key, keeping));
  return ok(conditional(read.request, { ...fresh(keeping), ...(lease && { lease }) }));
}

/** Nothing when the answer may not be kept: it is staff's, who see what they wrote at once, or keeping is off. */
function keyOf({ request, collection, caller, env }: CacheableRead): string | undefined {
  const isShared = collection.cachedFor?.includes(caller.audience);
  const seconds = secondsOf(env);
  if (!isShared || request.method !== 'GET' || seconds === 0) {
    return undefined;
  }
  const { origin, pathname, search } = new URL(request.url);
  // The seconds too: the location still has what was kept for longer than is now set.
  const told = [
    seconds,
    caller.audience,
    search,
    ...headersThatMatter.map(name => request.headers.get(name)),
  ];
  return `${origin}${pathname}?answer=${encodeURIComponent(JSON.stringify(told))}`;
}

/** A single row's tag is its own. */
async function tag(answer: ResponseData): Promise<ResponseData> {
  const { etag, 'content-range': range = '' } = answer.headers;
  return etag === undefined
    ? withHeaders(answer, { etag: await etagOfText(range, answer.body ?? '') })
    : answer;
}

/** What is no number of seconds sets nothing. */
const secondsOf = ({ GRAPHICS_CACHE_SECONDS: seconds = '' }: Env): number =>
  /^\d{1,5}$/.test(seconds) ? Number(seconds) : limits.responseCache.seconds;

const withHeaders = (answer: ResponseData, headers: Record<string, string>): ResponseData => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
});

/**
 * A browser may keep it for as long as it is kept here, so that nobody sees it for longer; not for another key or
 * token, though.
 */
function fresh({ answer, until }: CachedResponse): ResponseData {
  const seconds = Math.max(0, Math.floor((until - Date.now()) / 1000));
  return withHeaders(answer, {
    'cache-control': `private, max-age=${seconds}`,
    vary: `${answer.headers['vary']}, apikey, Authorization`,
  });
}

const conditional = (request: Request, answer: ResponseData): ResponseData =>
  matches(request.headers.get('if-none-match'), answer.headers['etag'] ?? '') ? notModified(answer) : answer;
