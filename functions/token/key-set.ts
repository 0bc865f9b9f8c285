/**
 * A JSON Web Key Set (RFC 7517) at a URL: fetched when a token needs it, then cached. Fetches are rare whatever tokens
 * arrive, and a request waits for one only a bounded time.
 */
import { errors, type JWSHeaderParameters } from 'jose';
import { limits } from '../common/limits.ts';
import { fail, ok, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import { fetchKeys, type Keys } from './fetch-keys.ts';

const { cachedFor, minFetchInterval, retryAfter, timeout, sharedFetchTimeout, checkInterval, maxKeysTried } =
  limits.keySet;

/** Milliseconds since 1970. */
type Time = number;

export class KeySet {
  readonly #url: string;
  #keys: Keys | undefined;
  #fetchedAt: Time = 0;
  #fetchingSince: Time = 0;
  #failedAt: Time = 0;
  #reason = 'JWKS_TIMEOUT';

  constructor(url: string) {
    this.#url = url;
  }

  /** Returns the keys that may have signed a token with this header; empty when the set has none. */
  async keysFor(header: JWSHeaderParameters): Promise<Result<CryptoKey[]>> {
    const keys = this.#keys && isWithin(cachedFor, this.#fetchedAt) ? await matching(this.#keys, header) : [];
    if (keys.length > 0 || isWithin(minFetchInterval, this.#fetchedAt)) {
      return ok(keys);
    }
    const renewed = await this.#renew();
    return renewed.ok ? ok(await matching(renewed.value, header)) : renewed;
  }

  /** Fetches the set, or waits for it while another request does. */
  async #renew(): Promise<Result<Keys>> {
    const before = this.#keys;
    const deadline = Date.now() + timeout;
    // In workerd a promise of one request may never settle for another, so this polls.
    while (isWithin(sharedFetchTimeout, this.#fetchingSince) && Date.now() < deadline) {
      await new Promise(resolve => setTimeout(resolve, checkInterval));
    }
    if (this.#keys && this.#keys !== before) {
      return ok(this.#keys);
    }
    const left = deadline - Date.now();
    return isWithin(retryAfter, this.#failedAt) || left <= 0 ? unavailable(this.#reason) : this.#fetch(left);
  }

  async #fetch(milliseconds: number): Promise<Result<Keys>> {
    const startedAt = Date.now();
    this.#fetchingSince = startedAt;
    const fetched = await fetchKeys(this.#url, milliseconds);
    if (this.#fetchingSince === startedAt) {
      this.#fetchingSince = 0;
    }
    if (!fetched.ok) {
      this.#failedAt = Date.now();
      this.#reason = fetched.failure;
      return unavailable(fetched.failure);
    }
    // A set is as old as its request: a slow response must not replace a newer set.
    if (startedAt >= this.#fetchedAt) {
      this.#keys = fetched.value;
      this.#fetchedAt = startedAt;
    }
    return ok(this.#keys ?? fetched.value);
  }
}

const isWithin = (milliseconds: number, time: Time): boolean => Date.now() - time < milliseconds;
const unavailable = (reason: string) => fail<Failure>({ is: 'keys unavailable', reason });

async function matching(keys: Keys, header: JWSHeaderParameters): Promise<CryptoKey[]> {
  try {
    return [await keys(header)];
  } catch (error) {
    const several: CryptoKey[] = [];
    if (error instanceof errors.JWKSMultipleMatchingKeys) {
      for await (const key of error) {
        several.push(key);
        if (several.length === maxKeysTried) {
          break;
        }
      }
    }
    return several;
  }
}
