/**
 * A JSON Web Key Set (RFC 7517) at a URL. `createRemoteJWKSet` of jose (6.2) chooses the keys, keeps the set, and decides when
 * to fetch it. On Workers it fetches once for each request that waits, since a promise of one request may never settle for
 * another. So requests share a fetch here, with a timeout and a maximum size, and retry a failure only after a pause.
 */
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type JSONWebKeySet,
  type JWSHeaderParameters,
} from 'jose';
import type { Failure } from '../../common/failure/failure.ts';
import { fail, ok, type Result } from '../../common/failure/result.ts';
import { kib, minute, second } from '../../common/limits.ts';
import { monotonicNow } from '../../common/monotonic.ts';

/** The keys at JWKS_URL. */
const keySetLimits = {
  bytes: 256 * kib,
  /** Milliseconds for which a set is used; a key that was withdrawn meanwhile is accepted for as long. */
  cachedFor: 10 * minute,
  /** Milliseconds after a fetch in which a token with an unknown key causes no other fetch. */
  minFetchInterval: 30 * second,
  /** Milliseconds after a failure before the next attempt. */
  retryAfter: second,
  /** Milliseconds a request waits for the set. */
  timeout: 3 * second,
  /** Milliseconds a request waits for another's fetch, which may have been cancelled, before its own fetch. */
  sharedFetchTimeout: second,
  /** Milliseconds between two checks whether the other request is done. */
  checkInterval: 10,
  /** Maximum number of keys that are tried for a token that names no key. */
  maxKeysTried: 8,
};

const {
  bytes,
  cachedFor,
  minFetchInterval,
  retryAfter,
  timeout,
  sharedFetchTimeout,
  checkInterval,
  maxKeysTried,
} = keySetLimits;

/** As monotonicNow() has it. */
type Time = number;

/** Why there are no keys, in the words of the log. */
class Unavailable extends Error {}

export class KeySet {
  readonly #url: URL | undefined;
  #keys: ReturnType<typeof createRemoteJWKSet> | undefined;
  #fetchingSince: Time = 0;
  #fetched: { since: Time; at: number; set: JSONWebKeySet } | undefined;
  #failed: { at: Time; error: unknown } | undefined;

  constructor(url: string) {
    this.#url = parseUrl(url);
  }

  /** Returns jose's keys. It compares the clock with that of the last fetch, so it starts over when the clock was set back. */
  #josesKeys(url: URL): ReturnType<typeof createRemoteJWKSet> {
    if (this.#fetched && Date.now() < this.#fetched.at) {
      this.#keys = undefined;
      this.#fetched = undefined;
    }
    this.#keys ??= createRemoteJWKSet(url, {
      cacheMaxAge: cachedFor,
      cooldownDuration: minFetchInterval,
      timeoutDuration: timeout,
      headers: { accept: 'application/json' },
      [customFetch]: (...request) => this.#fetchShared(...request),
    });
    return this.#keys;
  }

  /** Returns the keys that may have signed a token with this header; empty when the set has none. */
  async keysFor(header: JWSHeaderParameters): Promise<Result<CryptoKey[]>> {
    if (this.#url === undefined) {
      return unavailable('JWKS_URL_INVALID');
    }
    try {
      return ok([await this.#josesKeys(this.#url)(header)]);
    } catch (error) {
      if (error instanceof errors.JWKSMultipleMatchingKeys) {
        return ok(await firstOf(error));
      }
      if (error instanceof errors.JWKSTimeout) {
        return unavailable('JWKS_TIMEOUT');
      }
      // Any other error means that no key of the set is suitable.
      return error instanceof Unavailable ? unavailable(error.message) : ok([]);
    }
  }

  /** Fetches the set, or waits a while for another request's fetch, which may have been cancelled. */
  async #fetchShared(url: string, options: RequestInit): Promise<Response> {
    const before = this.#fetched;
    const began = monotonicNow();
    while (isWithin(sharedFetchTimeout, this.#fetchingSince) && isWithin(timeout, began)) {
      await new Promise(resolve => setTimeout(resolve, checkInterval));
    }
    if (this.#fetched && this.#fetched !== before) {
      return Response.json(this.#fetched.set);
    }
    if (this.#failed && isWithin(retryAfter, this.#failed.at)) {
      throw this.#failed.error;
    }
    if (!isWithin(timeout, began)) {
      throw new Unavailable('JWKS_TIMEOUT');
    }
    return Response.json(await this.#fetch(url, options));
  }

  async #fetch(url: string, options: RequestInit): Promise<JSONWebKeySet> {
    const since = monotonicNow();
    this.#fetchingSince = since;
    try {
      const set = await fetchSet(url, options);
      if (since >= (this.#fetched?.since ?? 0)) {
        this.#fetched = { since, at: Date.now(), set };
      }
      return set;
    } catch (error) {
      this.#failed = { at: monotonicNow(), error };
      throw error;
    } finally {
      this.#fetchingSince = this.#fetchingSince === since ? 0 : this.#fetchingSince;
    }
  }
}

const unavailable = (reason: string) => fail<Failure>({ is: 'keys unavailable', reason });
const isWithin = (milliseconds: number, time: Time): boolean => monotonicNow() - time < milliseconds;

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** Throws Unavailable, or the TimeoutError of the signal, which jose reports as a JWKSTimeout. */
async function fetchSet(url: string, options: RequestInit): Promise<JSONWebKeySet> {
  const response = await fetch(url, options).catch(unlessTimeout);
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Unavailable(`JWKS_STATUS_${response.status}`);
  }
  const text = await readText(response.body).catch(unlessTimeout);
  try {
    const set: JSONWebKeySet = JSON.parse(text);
    createLocalJWKSet(set);
    return set;
  } catch {
    throw new Unavailable('JWKS_INVALID');
  }
}

function unlessTimeout(error: Error): never {
  throw error instanceof Unavailable || error.name === 'TimeoutError'
    ? error
    : new Unavailable('JWKS_UNREACHABLE');
}

async function readText(body: ReadableStream | null): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > bytes) {
      throw new Unavailable('JWKS_TOO_LARGE');
    }
    chunks.push(chunk);
  }
  return new Blob(chunks).text();
}

async function firstOf(keys: AsyncIterable<CryptoKey>): Promise<CryptoKey[]> {
  const first: CryptoKey[] = [];
  for await (const key of keys) {
    if (first.push(key) === maxKeysTried) {
      break;
    }
  }
  return first;
}
