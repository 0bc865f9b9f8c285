/** Tokens that were verified, for some minutes: a request's signature is looked at once, not each time. */
import { limits } from '../common/limits.ts';
import type { Claims } from './claims.ts';

const { cachedSeconds, cached: mostTokens } = limits.token;

/** Since 1970. */
type Seconds = number;

export class VerifiedTokens {
  readonly #tokens = new Map<string, { claims: Claims; until: Seconds }>();

  find(token: string): Claims | undefined {
    const known = this.#tokens.get(token);
    return known && known.until > now() ? known.claims : undefined;
  }

  /** The oldest make way. */
  keep(token: string, claims: Claims, expires: Seconds = Number.POSITIVE_INFINITY): void {
    this.#tokens.delete(token);
    for (const oldest of this.#tokens.keys()) {
      if (this.#tokens.size < mostTokens) {
        break;
      }
      this.#tokens.delete(oldest);
    }
    this.#tokens.set(token, { claims, until: Math.min(expires, now() + cachedSeconds) });
  }
}

const now = (): Seconds => Date.now() / 1000;
