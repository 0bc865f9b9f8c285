import type { DatabasePool, PoolEnv } from '../database/pool.ts';

/** What a worker is bound to: see wrangler.toml, and functions/local/README.md for what each deployment sets. */
export interface Env extends PoolEnv {
  /** How a deployment reaches Postgres, as `builder_api`. Its caching must be disabled. */
  HYPERDRIVE?: Hyperdrive;
  /** The same for the sweep, as `builder_sweeper`. */
  HYPERDRIVE_SWEEPER?: Hyperdrive;
  /** How workerd on one machine reaches Postgres: an object that keeps connections open. */
  DATABASE_POOL?: DurableObjectNamespace<DatabasePool>;
  /** `1` where the worker's database is a read replica: what writes is refused at once. */
  READ_REPLICA?: string;

  PUBLISHABLE_KEY?: string;
  SECRET_KEY?: string;
  /** Verifies HS256 tokens; at least 32 bytes. */
  JWT_SECRET?: string;
  /** Verifies ES256, RS256 and EdDSA tokens: the address of a JSON Web Key Set. */
  JWKS_URL?: string;
  /** When set, a token's `aud` must contain it. */
  JWT_AUDIENCE?: string;
  /** When set, a token's `iss` must be it. */
  JWT_ISSUER?: string;
  /** Rows a response has at most; 1000 when not set. */
  MAX_ROWS?: string;
  /** Seconds for which answers of the graphics library are kept; 30 when not set, 0 keeps none. */
  GRAPHICS_CACHE_SECONDS?: string;

  /** How often an account may ask, and an address where nobody is signed in; no limit when not bound. */
  ACCOUNT_LIMIT?: RateLimit;
  ADDRESS_LIMIT?: RateLimit;

  /** The files of the reference page. */
  ASSETS?: Fetcher;
  /** `off` to serve no reference page. */
  REFERENCE?: string;
  /** `1` on a developer's machine. */
  LOCAL?: string;
  /** There, the token that the reference page begins with. */
  DEMO_TOKEN?: string;
}
