/** A cache of verified tokens, so that a signature is not verified on every request. */
import { limits } from '../common/limits.ts';
import type { Claims } from './claims.ts';

const { cachedSeconds, cached: maxTokens } = limits.token;

/** Since 1970. */
type Seconds = number;

export class VerifiedTokens {
  readonly #tokens = new Map<string, { claims: Claims; until: Seconds }>();

  get(token: string): Claims | undefined {
    const cached = this.#tokens.get(token);
    return cached && cached.until > now() ? cached.claims : undefined;
  }

  /** Evicts the oldest tokens when there are too many. */
  set(token: string, claims: Claims, expires: Seconds = Number.POSITIVE_INFINITY): void {
    this.#tokens.delete(token);
    for (const oldest of this.#tokens.keys()) {
      if (this.#tokens.size < maxTokens) {
        break;
      }
      this.#tokens.delete(oldest);
    }
    this.#tokens.set(token, { claims, until: Math.min(expires, now() + cachedSeconds) });
  }
}

const now = (): Seconds => Date.now() / 1000;
