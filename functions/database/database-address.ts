import { fail, ok, type Result } from '../common/failure/result.ts';

/** The TLS mode: libpq's sslmode, without `allow`, which is taken as `prefer`. `require` does not verify the certificate. */
export type Tls = 'disable' | 'prefer' | 'require' | 'verify-ca' | 'verify-full';

/** Who connects. A Worker reads no files, and verifies every certificate by the public authorities. */
export type Connects = 'program' | 'worker';

/** A connection string as the driver (postgres.js 3.4.9) needs it: it sends every parameter that it doesn't know to the server. */
export interface DatabaseAddress {
  /** With the parameters that are meant for the server. */
  url: string;
  tls: Tls;
  /** The path of a file of certificates; without it, the public authorities are trusted. */
  rootCertificate: string | undefined;
  connectSeconds: number | undefined;
  /** False behind a pooler, which may send each transaction to another session. */
  prepare: boolean;
  /** Driver options for what it does not decode: the database's name, and a host that is an IPv6 address in brackets. */
  options: { database?: string; host?: string; port?: number };
}

const sslModes = ['disable', 'allow', 'prefer', 'require', 'no-verify', 'verify-ca', 'verify-full'];
const [yes, no] = [
  ['true', '1'],
  ['false', '0'],
];
const number = /^\d{1,4}$/;
const anything = /^/;

/** The parameters that are understood: the values, and whether the server receives them. */
const parameters: Record<string, { values: RegExp | readonly string[]; isServers?: true }> = {
  sslmode: { values: sslModes },
  ssl: { values: [...sslModes, ...yes, ...no] },
  sslrootcert: { values: /./ },
  sslnegotiation: { values: ['postgres'] },
  channel_binding: { values: ['disable', 'prefer', 'require'] },
  gssencmode: { values: ['disable', 'prefer'] },
  target_session_attrs: { values: ['any'] },
  connect_timeout: { values: number },
  pgbouncer: { values: [...yes, ...no] },
  // Settings of the pools of Prisma and node-postgres.
  connection_limit: { values: number },
  pool_timeout: { values: number },
  uselibpqcompat: { values: anything },
  application_name: { values: anything, isServers: true },
  options: { values: anything, isServers: true },
};

/** What to do about a parameter that no program supports. */
const advice: Record<string, string> = {
  sslcert: 'client certificates work only over Hyperdrive. Remove it',
  sslkey: 'client certificates work only over Hyperdrive. Remove it',
  host: 'write the host before the name of the database',
  schema: 'the schema is always builder. Remove it',
};
const defaultAdvice = 'remove it. A setting of the server is written as options=-c%20name%3Dvalue';

const notPostgresUrl =
  'is not a Postgres URL: postgres://user:password@host:port/database, with %25 for a % in the password.';

/** Reads a connection string, or returns why it can't be used. `name` is its variable. The sentence contains no value of it. */
export function readDatabaseUrl(
  text: string,
  connects: Connects,
  name = 'DATABASE_URL',
): Result<DatabaseAddress, string> {
  if (!isPostgresUrl(text)) {
    return fail(`${name} ${notPostgresUrl}`);
  }
  const address = databaseAddress(text);
  const { searchParams } = new URL(text);
  const refused =
    [...searchParams].map(([parameter, value]) => refuse(parameter, value)).find(Boolean) ??
    refuseTogether(searchParams, address) ??
    (connects === 'worker' ? refuseInWorker(searchParams) : undefined);
  return refused === undefined ? ok(address) : fail(`${name} has the parameter ${refused}.`);
}

function refuse(name: string, value: string): string | undefined {
  if (!Object.hasOwn(parameters, name)) {
    const advised = Object.hasOwn(advice, name) ? advice[name] : defaultAdvice;
    return `${name}, which is not supported: ${advised}`;
  }
  const { values = anything } = parameters[name] ?? {};
  if (values instanceof RegExp) {
    return values.test(value) ? undefined : `${name} with an invalid value`;
  }
  return values.includes(value)
    ? undefined
    : `${name} with a value that is not supported: use ${values.join(', ')}`;
}

function refuseTogether(given: URLSearchParams, { tls }: DatabaseAddress): string | undefined {
  const isEncrypted = tls !== 'disable' && tls !== 'prefer';
  return (given.get('channel_binding') === 'require' || given.has('sslrootcert')) && !isEncrypted
    ? `${given.has('sslrootcert') ? 'sslrootcert' : 'channel_binding=require'}, which needs sslmode=require or stricter`
    : undefined;
}

function refuseInWorker(given: URLSearchParams): string | undefined {
  const privately = 'Hyperdrive supports a private one';
  if ((given.get('sslrootcert') ?? 'system') !== 'system') {
    return `sslrootcert, and a Worker trusts only public certificate authorities: remove it. ${privately}`;
  }
  if ([given.get('sslmode'), given.get('ssl')].includes('no-verify')) {
    return `sslmode=no-verify, and a Worker always verifies the certificate: use sslmode=require. ${privately}`;
  }
  return yes.includes(given.get('pgbouncer') ?? '')
    ? "pgbouncer, and a Worker's own pool needs sessions of its own: use the database's direct address, or Hyperdrive"
    : undefined;
}

/** Reads a connection string, without checking its parameters. Those that are unknown are left for the server. */
export function databaseAddress(text: string): DatabaseAddress {
  const url = new URL(text);
  const { pathname, hostname, port } = url;
  const given = new URLSearchParams(url.search);
  for (const name of given.keys()) {
    if (Object.hasOwn(parameters, name) && !parameters[name]?.isServers) {
      url.searchParams.delete(name);
    }
  }
  const database = decoded(pathname.slice(1));
  const [, ipv6] = /^\[(.+)\]$/.exec(hostname) ?? [];
  const certificate = given.get('sslrootcert') ?? 'system';
  const seconds = Number(given.get('connect_timeout') ?? 0);
  return {
    url: url.href,
    tls: tlsOf(given),
    rootCertificate: certificate === 'system' ? undefined : certificate,
    connectSeconds: seconds > 0 ? seconds : undefined,
    prepare: !yes.includes(given.get('pgbouncer') ?? ''),
    // As lists, which the driver accepts without declaring it. It would split a text at its colons.
    options: {
      ...(database !== '' && { database }),
      ...(ipv6 !== undefined && { host: [ipv6], port: [Number(port || 5432)] }),
    } as object,
  };
}

/**
 * Returns the TLS mode. As in libpq, a root certificate makes `require` verify it. The driver has no channel binding: where it
 * is required, the certificate is verified, which also excludes a server in between.
 */
function tlsOf(given: URLSearchParams): Tls {
  const mode = given.get('sslmode') ?? given.get('ssl') ?? 'disable';
  if (no.includes(mode) || mode === 'disable') {
    return 'disable';
  }
  if (mode === 'prefer' || mode === 'allow') {
    return 'prefer';
  }
  const certificate = given.get('sslrootcert');
  if (given.get('channel_binding') === 'require' || certificate === 'system' || yes.includes(mode)) {
    return 'verify-full';
  }
  return mode === 'verify-ca' || mode === 'verify-full'
    ? mode
    : certificate === null
      ? 'require'
      : 'verify-ca';
}

/** Whether a text is a URL of Postgres whose user and password the driver can decode. */
function isPostgresUrl(text: string): boolean {
  try {
    const { protocol, username, password } = new URL(text);
    decodeURIComponent(username + password);
    return /^postgres(?:ql)?:$/.test(protocol);
  } catch {
    return false;
  }
}

/** Decodes a text; returns it unchanged when it is not percent-encoded, since libpq accepts a bare `%`. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
