import type { DatabasePool, PoolEnv } from '../database/pool.ts';

/** A worker's bindings: see wrangler.toml, and functions/local/README.md for those that each deployment sets. */
export interface Env extends PoolEnv {
  /** Postgres as `builder_api`, for a deployment on Cloudflare. Its caching must be disabled. */
  HYPERDRIVE?: Hyperdrive;
  /** Postgres as `builder_sweeper`, for the sweep. */
  HYPERDRIVE_SWEEPER?: Hyperdrive;
  /** Postgres as `builder_deliverer`, for the worker that delivers. */
  HYPERDRIVE_DELIVERER?: Hyperdrive;
  /** The connection pool, for workerd on a single machine. */
  DATABASE_POOL?: DurableObjectNamespace<DatabasePool>;
  /** The objects that hold the sockets of live updates, and how many there are; 1 when not set. */
  LIVE_OBJECTS?: string;
  LIVE?: DurableObjectNamespace<LiveObject>;
  /** The object that paces deliveries. */
  DELIVERY?: DurableObjectNamespace<DeliveryObject>;
  /** Where the database is, for the objects, which stay where they are first called; not set, that is near the first caller. */
  DATABASE_LOCATION?: DurableObjectLocationHint;
  /** `1` when the worker's database is a read replica: writes are refused at once. */
  READ_REPLICA?: string;

  /** One or several, separated by commas or blanks: see `keysOf`. */
  PUBLISHABLE_KEY?: string;
  SECRET_KEY?: string;
  /** For integrations that only read: it reads what staff read. Optional. */
  READ_KEY?: string;
  /** Verifies HS256 tokens; at least 32 bytes. */
  JWT_SECRET?: string;
  /** Verifies ES256, RS256 and EdDSA tokens: the URL of a JSON Web Key Set. */
  JWKS_URL?: string;
  /** When set, a token's `aud` must contain it. */
  JWT_AUDIENCE?: string;
  /** When set, a token's `iss` must equal it. */
  JWT_ISSUER?: string;
  /** Rows a response has at most; 1000 when not set. */
  MAX_ROWS?: string;
  /** Seconds for which responses of the graphics library are cached; 30 when not set, 0 disables the cache. */
  GRAPHICS_CACHE_SECONDS?: string;

  /** Rate limits: per account, and per address for callers who are not signed in. No limit when not bound. */
  ACCOUNT_LIMIT?: RateLimit;
  ADDRESS_LIMIT?: RateLimit;

  /** On a developer's machine, the network by which webhooks are called: public addresses alone. */
  WEBHOOK_NETWORK?: Fetcher;
  /** `on` when webhooks may be at `http://127.0.0.1:<port>`, which `npm start` allows. */
  WEBHOOKS_ON_LOOPBACK?: string;
  /** The relay that takes the e-mail: `smtps://user:password@host:465`, or `smtp://…:587` with STARTTLS. */
  MAIL_URL?: string;
  /** Whom e-mail is from, `Name <address>`, and the address for replies, if it is another. */
  MAIL_FROM?: string;
  MAIL_REPLY_TO?: string;
  /** One address, to which messages to the staff go. Without it there are none. */
  STAFF_EMAIL?: string;
  /** Mails in 24 hours, of all accounts; 2000 when not set. */
  MAIL_PER_DAY?: string;
  /** Where this service is reached, such as `https://api.example.com`: the link that stops mails leads there. */
  SERVICE_URL?: string;
  /** Cloudflare's Email Service, in place of a relay. */
  EMAIL?: SendEmail;
  /** The application, to which the links of notifications are relative. */
  APP_URL?: string;

  /** The files of the reference page. */
  ASSETS?: Fetcher;
  /** `off` disables the reference page. */
  REFERENCE?: string;
  /** `1` on a developer's machine. */
  LOCAL?: string;
  /** On a developer's machine, the token that the reference page is filled in with. */
  DEMO_TOKEN?: string;
  /** And the token of its staff, the files of the page `/demo`, and supabase-js for it. */
  DEMO_STAFF_TOKEN?: string;
  DEMO?: Fetcher;
  SUPABASE_JS?: Fetcher;
  /** What was delivered on this machine, for that page. */
  DEMO_DELIVERIES?: Fetcher;
}

/** What workers call of an object that holds sockets of live updates; functions/live/object.ts is that object. */
export interface LiveObject extends Rpc.DurableObjectBranded {
  /** Reads the feed now. Resolves when that is done, to whether anybody listens. */
  nudge(): Promise<boolean>;
  /** Whether the feed is read: `idle` when nobody listens. */
  status(): Promise<LiveStatus>;
}

export type LiveStatus = 'idle' | 'reading' | 'late';

/** What workers call of the object that paces deliveries; functions/delivery/delivery.ts is that object. */
export interface DeliveryObject extends Rpc.DurableObjectBranded {
  /** Something may be due. Resolves when that is noted. */
  nudge(): Promise<void>;
  /** `late` by builder.delivery_status: what is due was not tried for ten minutes, or has only failed. `off`: no mail is configured. */
  status(): Promise<DeliveryStatus>;
}

export type DeliveryStatus = 'ok' | 'late' | 'off';

/**
 * Returns how a worker calls for an object: near the database. An object stays where it was when it was first called, so
 * whoever may be the first to call names the place.
 */
export const nearDatabase = ({
  DATABASE_LOCATION: locationHint,
}: Pick<Env, 'DATABASE_LOCATION'>): DurableObjectNamespaceGetDurableObjectOptions =>
  locationHint ? { locationHint } : {};

/**
 * Returns the keys of a setting that lists them: `PUBLISHABLE_KEY`, `SECRET_KEY`, `READ_KEY`. Several are valid at once while one replaces
 * another. The first is the one that is printed and that signs.
 */
export const keysOf = (setting = ''): string[] => setting.split(/[\s,]+/).filter(key => key !== '');
