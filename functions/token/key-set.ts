/**
 * A JSON Web Key Set (RFC 7517) at an address: fetched when a token needs it and kept for a while. Its server is asked
 * seldom, whatever tokens come, and a request waits for it a bounded time.
 */
import { errors, type JWSHeaderParameters } from 'jose';
import { limits } from '../common/limits.ts';
import { fail, ok, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import { fetchKeys, type Keys } from './fetch-keys.ts';

const { believedFor, newFor, restAfterFailure, timeout, timeoutOfOther, checkInterval, keysTried } =
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

  /** The keys that may have signed a token with this header; none when the set has no such key. */
  async keysFor(header: JWSHeaderParameters): Promise<Result<CryptoKey[]>> {
    const found =
      this.#keys && isWithin(believedFor, this.#fetchedAt) ? await matching(this.#keys, header) : [];
    if (found.length > 0 || isWithin(newFor, this.#fetchedAt)) {
      return ok(found);
    }
    const keys = await this.#renew();
    return keys.ok ? ok(await matching(keys.value, header)) : keys;
  }

  /** Of requests that need the set at once, one fetches it. */
  async #renew(): Promise<Result<Keys>> {
    const before = this.#keys;
    const deadline = Date.now() + timeout;
    // In workerd what one request awaits may never settle for another, so that looks now and then.
    while (isWithin(timeoutOfOther, this.#fetchingSince) && Date.now() < deadline) {
      await new Promise(resolve => setTimeout(resolve, checkInterval));
    }
    if (this.#keys && this.#keys !== before) {
      return ok(this.#keys);
    }
    const left = deadline - Date.now();
    return isWithin(restAfterFailure, this.#failedAt) || left <= 0
      ? unavailable(this.#reason)
      : this.#fetch(left);
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
    // A set is as old as the question, and one that came late is no news.
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
        if (several.length === keysTried) {
          break;
        }
      }
    }
    return several;
  }
}
