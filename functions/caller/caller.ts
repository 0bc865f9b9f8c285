/**
 * The API key and the access token of a request → Caller. Knows no collection: the schema and the database define what a
 * caller may do.
 */
import { timingSafeEqual } from 'node:crypto';
import type { Audience } from '../../schema/collection.ts';
import { type Env, keysOf } from '../common/env.ts';
import type { Failure } from '../common/failure/failure.ts';
import { fail, ok, type Result } from '../common/failure/result.ts';
import type { Claims } from './token/claims.ts';
import { describeFragment } from './token/fragment.ts';
import { refuseCredentials } from './token/signature.ts';
import { looksLikeToken, verifyToken } from './token/token.ts';

export interface Caller {
  kind: 'anon' | 'customer' | 'staff' | 'service' | 'reader';
  /** Whose privileges apply: the secret key has those of staff. */
  audience: Audience;
  /** The claims that the row level security policies read; absent for anonymous callers and the holders of keys. */
  claims?: Claims;
}

/** A caller without a key, or with only the publishable key. */
export const anon: Caller = { kind: 'anon', audience: 'anon' };
/** The holder of the secret key. */
export const service: Caller = { kind: 'service', audience: 'staff' };
/** The holder of a read key. */
const reader: Caller = { kind: 'reader', audience: 'reader' };

/** Whether the caller's key must not be used in a browser, since it gives access to every account. */
export const isForServers = ({ kind }: Caller): boolean => kind === 'service' || kind === 'reader';

/**
 * Identifies the caller by the headers `apikey`, which is required, and `Authorization`. If `Authorization` is missing,
 * empty or the key itself, the caller is the key's holder, since many clients send only `apikey`. Any other value must be a
 * valid token. Otherwise a caller who expects to be signed in would be served as the key's holder.
 */
export async function identifyCaller(
  apiKey: string | null,
  authorization: string | null,
  env: Env,
): Promise<Result<Caller>> {
  if (!apiKey) {
    return fail<Failure>({ is: 'credentials missing', what: 'apikey header' });
  }
  const bearer = authorization ? readBearer(authorization) : apiKey;
  if (bearer === undefined) {
    return refuseCredentials('Authorization must be "Bearer <access token>"');
  }
  const keyHolder = await checkApiKey(apiKey, env);
  if (!keyHolder.ok || bearer === apiKey) {
    return keyHolder;
  }
  return looksLikeToken(bearer)
    ? callerOf(bearer, env)
    : refuseCredentials(
        describeFragment(bearer) ?? 'The bearer token is neither an access token nor the api key',
      );
}

/** Identifies the caller by a single credential, a key or a token. */
export async function identifyBearer(bearer: string, env: Env): Promise<Result<Caller>> {
  const holder = await checkApiKey(bearer, env);
  return holder.ok || !looksLikeToken(bearer) ? holder : callerOf(bearer, env);
}

const readBearer = (authorization: string): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(authorization)?.[1];

/** Accepts the publishable key, the secret key, a read key, or a key that is a signed token, as in older Supabase projects. */
async function checkApiKey(key: string, env: Env): Promise<Result<Caller>> {
  if (isOneOf(env.PUBLISHABLE_KEY, key)) {
    return ok(anon);
  }
  if (isOneOf(env.SECRET_KEY, key)) {
    return ok(service);
  }
  if (isReadKey(key, env)) {
    return ok(reader);
  }
  if (looksLikeToken(key)) {
    const caller = await callerOf(key, env);
    if (!caller.ok || caller.value.kind === 'anon' || caller.value.kind === 'service') {
      return caller;
    }
  }
  return refuseCredentials(describeFragment(key) ?? 'The apikey is not a key of this service');
}

async function callerOf(token: string, env: Env): Promise<Result<Caller>> {
  const verified = await verifyToken(token, env);
  if (!verified.ok) {
    return verified;
  }
  const claims = verified.value;
  switch (claims.role) {
    case 'anon':
      return ok(anon);
    case 'service_role':
      return ok(service);
    case 'authenticated': {
      const isStaff = claims.app_metadata.role === 'admin' || claims.app_metadata.role === 'sales';
      return ok(
        isStaff
          ? { kind: 'staff', audience: 'staff', claims }
          : { kind: 'customer', audience: 'customer', claims },
      );
    }
  }
}

const utf8 = new TextEncoder();
const bytesOf = (text: string): Uint8Array => utf8.encode(text);

/** Whether a key is a read key. A request with one only reads, whatever its token permits. */
export const isReadKey = (key: string, env: Env): boolean => isOneOf(env.READ_KEY, key);

/** Compares with every valid key, so that the duration does not reveal which one matches. */
const isOneOf = (setting: string | undefined, actual: string): boolean =>
  keysOf(setting).filter(key => equal(actual, key)).length > 0;

/** Compares in constant time, so that the duration does not reveal how many characters match. */
function equal(actual: string, expected: string): boolean {
  const key = bytesOf(expected);
  const bytes = bytesOf(actual);
  const isAsLong = bytes.length === key.length;
  return timingSafeEqual(isAsLong ? bytes : key, key) && isAsLong;
}
