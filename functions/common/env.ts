/** The connection strings of the pools, for `builder_api` and `builder_jobs`. */
export interface DatabaseAddresses {
  DATABASE_URL?: string;
  JOBS_DATABASE_URL?: string;
}

/** A worker's bindings. See wrangler.toml, and functions/operate/README.md for the variables of a deployment. */
export interface Env extends DatabaseAddresses {
  /** Postgres as `builder_api`, for a deployment on Cloudflare. Its caching must be disabled. */
  HYPERDRIVE?: Hyperdrive;
  /** Postgres as `builder_jobs`, for the sweep and deliveries. */
  HYPERDRIVE_JOBS?: Hyperdrive;
  /** The connection pool of `all`, which has no Hyperdrive: functions/database/pool.ts. */
  DATABASE_POOL?: DurableObjectNamespace;
  /** The number of objects that hold the sockets of live updates; default 1. */
  LIVE_OBJECTS?: string;
  /** On a developer's machine: how many sockets it has files for, with those that are closing. */
  LIVE_SOCKETS?: string;
  /** The objects that hold the sockets of live updates. */
  LIVE?: DurableObjectNamespace<LiveObject>;
  /** The object that paces deliveries. */
  DELIVERY?: DurableObjectNamespace<DeliveryObject>;
  /** The database's location, for placing the objects. Without it, an object is placed near its first caller. */
  DATABASE_LOCATION?: DurableObjectLocationHint;
  /** `1` when the worker's database is a read replica: writes are refused at once. */
  READ_REPLICA?: string;

  /** One or more keys, separated by commas or spaces: see `keysOf`. */
  PUBLISHABLE_KEY?: string;
  SECRET_KEY?: string;
  /** For integrations that only read. It reads the same rows and columns as staff. Optional. */
  READ_KEY?: string;
  /** Verifies HS256 tokens; at least 32 bytes. */
  JWT_SECRET?: string;
  /** Verifies ES256, RS256 and EdDSA tokens: the URL of a JSON Web Key Set. */
  JWKS_URL?: string;
  /** When set, a token's `aud` must contain it. */
  JWT_AUDIENCE?: string;
  /** When set, a token's `iss` must equal it. */
  JWT_ISSUER?: string;
  /** Maximum number of rows in a response; default 1000. */
  MAX_ROWS?: string;
  /** TTL of cached responses of the graphics library, in seconds; default 30, and 0 disables the cache. */
  GRAPHICS_CACHE_SECONDS?: string;

  /** Rate limits: per account, and per address for callers who are not signed in. Unlimited when not bound. */
  ACCOUNT_LIMIT?: RateLimit;
  ADDRESS_LIMIT?: RateLimit;

  /** On a developer's machine, the network for webhook calls. It connects only to public addresses. */
  WEBHOOK_NETWORK?: Fetcher;
  /** `on` allows webhooks at `http://127.0.0.1:<port>`, as under `npm start`. */
  WEBHOOKS_ON_LOOPBACK?: string;
  /** `off` holds back calls of webhooks that are not on this machine, as under `npm start` with somebody's database. */
  DELIVER?: string;
  /** The relay that takes the e-mail: `smtps://user:password@host:465`, or `smtp://…:587` with STARTTLS. */
  MAIL_URL?: string;
  /** The sender of e-mail, `Name <address>`. */
  MAIL_FROM?: string;
  /** The address for replies, if different. */
  MAIL_REPLY_TO?: string;
  /** The address for messages to staff. Without it, none are sent. */
  STAFF_EMAIL?: string;
  /** Maximum number of mails in 24 hours, of all accounts; default 2000. */
  MAIL_PER_DAY?: string;
  /** This service's own URL, such as `https://api.example.com`, for unsubscribe links. */
  SERVICE_URL?: string;
  /** `off` disables the links by which offers are opened without a sign-in. */
  OFFER_LINKS?: string;
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
  /** On a developer's machine: the demo's customer token, which also prefills the reference page. */
  DEMO_TOKEN?: string;
  /** The demo's staff token. */
  DEMO_STAFF_TOKEN?: string;
  /** The files of the page `/demo`. */
  DEMO?: Fetcher;
  /** The e-mails on this machine, for that page. */
  DEMO_DELIVERIES?: Fetcher;
}

/** The methods that workers call on an object with sockets of live updates, functions/live/live-durable-object.ts. */
export interface LiveObject extends Rpc.DurableObjectBranded {
  /** Reads the feed now. Resolves, when done, to whether the object has subscribers. */
  nudge(): Promise<boolean>;
  /** Returns whether the feed is being read; `idle` without subscribers. */
  status(): Promise<LiveStatus>;
}

export type LiveStatus = 'idle' | 'reading' | 'late';

/** The methods that workers call on the object that paces deliveries, functions/delivery/delivery-durable-object.ts. */
export interface DeliveryObject extends Rpc.DurableObjectBranded {
  /** Reports that deliveries may be due. Resolves when this is recorded. */
  nudge(): Promise<void>;
  /** Returns what is late by builder.delivery_status, or because the database refuses to say. */
  status(): Promise<DeliveryStatus>;
  /** Stops the e-mail of an account, and returns whether it succeeded. */
  unsubscribe(account: string): Promise<boolean>;
}

export interface DeliveryStatus {
  /** `off` where no mail is configured. */
  mail: 'ok' | 'late' | 'off';
  webhooks: 'ok' | 'late';
  /** The number of webhooks whose last call failed, which is their receivers' fault; undefined when it can't be read. */
  failing?: number;
}

/**
 * Returns the options that place an object near the database. An object stays where it was first called, so every caller
 * must pass them.
 */
export const nearDatabase = ({
  DATABASE_LOCATION: locationHint,
}: Pick<Env, 'DATABASE_LOCATION'>): DurableObjectNamespaceGetDurableObjectOptions =>
  locationHint ? { locationHint } : {};

/**
 * Returns the keys in a setting: `PUBLISHABLE_KEY`, `SECRET_KEY`, `READ_KEY`. Several keys are valid during a rotation. The
 * first one is printed and signs.
 */
export const keysOf = (setting = ''): string[] => setting.split(/[\s,]+/).filter(key => key !== '');
