/**
 * `npm run deploy -- --init`, for whoever deploys an environment for the first time: makes the keys, the Hyperdrive
 * configurations and the settings that can be made, and says what is left. It changes nothing that exists.
 */
import { randomBytes, randomInt } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, ok, type Result } from '../../common/failure/result.ts';
import { parseUrl } from '../../delivery/web-address.ts';
import { Problem } from '../../local/program.ts';
import { root } from '../../local/settings.ts';
import { runWrangler } from './ask-wrangler.ts';
import { groupOf } from './config.ts';
import { checkEnvironment, type Environments, isEnvironmentName } from './environments.ts';
import { bindings } from './hyperdrives.ts';
import { environmentsFile, parseToml, readEnvironments, readEnvironmentsText } from './read-config.ts';
import { readSecrets } from './secrets-file.ts';

/** Connections to Postgres: both, and a dozen for others, fit into the 60 of Supabase's smallest database. */
const connectionLimits = { HYPERDRIVE: 20, HYPERDRIVE_JOBS: 5 } as const satisfies Record<
  keyof typeof bindings,
  number
>;

/** The parts of an owner's connection string that matter here. */
interface Origin {
  url: URL;
  /** The login service of a database of Supabase, `https://<project>.supabase.co/auth/v1`. */
  login: string | undefined;
}

/** Returns a line for each thing that was made, and for each that is left. */
export async function initialise(environment: string, secretsFile: string) {
  if (!isEnvironmentName(environment)) {
    throw new Problem(checkEnvironment({ [environment]: {} }, environment).join('\n'));
  }
  const origin = readOrigin(process.env['DATABASE_URL'] ?? '');
  const made = [...makeSecrets(secretsFile, origin), ...makeSettings(environment, origin)];
  const left = await makeHyperdrives(environment, origin, made);
  const secrets = readSecrets(secretsFile);
  left.push(...checkEnvironment(readEnvironments(), environment), ...(secrets.ok ? [] : secrets.failure));
  return { made, left };
}

/** Returns the direct connection of an owner's connection string, since Hyperdrive pools by itself; undefined without one. */
function readOrigin(text: string): Origin | undefined {
  if (text === '') {
    return undefined;
  }
  const url = parseUrl(text);
  if (!url || !/^postgres(?:ql)?:$/.test(url.protocol)) {
    throw new Problem(
      'DATABASE_URL is not a Postgres URL: postgres://<owner>:<password>@<host>:5432/<database>.',
    );
  }
  const pooled = /^postgres\.(\w+)$/.exec(decodeURIComponent(url.username))?.[1];
  if (pooled && url.hostname.endsWith('.pooler.supabase.com')) {
    url.hostname = `db.${pooled}.supabase.co`;
  }
  url.hostname = url.hostname.replace(/^(ep-[\w-]+)-pooler\./, '$1.');
  url.search = '';
  const project = /^db\.(\w+)\.supabase\.co$/.exec(url.hostname)?.[1];
  if (project) {
    // At 6543 there is a pooler.
    url.port = '5432';
  }
  return { url, login: project && `https://${project}.supabase.co/auth/v1` };
}

function makeSecrets(file: string, origin: Origin | undefined): string[] {
  if (existsSync(file)) {
    return [];
  }
  const random = () => randomBytes(32).toString('base64url');
  const secrets = {
    PUBLISHABLE_KEY: `sb_publishable_${random()}`,
    SECRET_KEY: `sb_secret_${random()}`,
    ...(origin?.login ? { JWKS_URL: `${origin.login}/.well-known/jwks.json` } : { JWT_SECRET: random() }),
  };
  writeFileSync(file, `${JSON.stringify(secrets, undefined, 2)}\n`, { flag: 'wx', mode: 0o600 });
  return [
    `${file}, with new keys. Keep a copy where your passwords are: Cloudflare does not show them again.`,
    origin?.login
      ? 'JWKS_URL in it: the keys of your Supabase project. If that still signs with its legacy secret, put JWT_SECRET there instead.'
      : 'JWT_SECRET in it is random: your login service must sign with it. If it has a key set, put JWKS_URL there instead.',
  ];
}

/** Fills in the settings that are empty and need nobody's choice. */
function makeSettings(environment: string, origin: Origin | undefined): string[] {
  const own = readEnvironments()[environment] ?? {};
  const vars = (own['vars'] ?? {}) as Record<string, unknown>;
  // Cloudflare counts by this number, in the whole account.
  const number = () => String(randomInt(1e8, 1e9));
  const settings = pick({ account_limit: number(), address_limit: number() }, own);
  const variables = origin?.login
    ? pick({ JWT_ISSUER: origin.login, JWT_AUDIENCE: 'authenticated' }, vars)
    : {};
  fillIn(environment, environment, settings);
  fillIn(environment, `${environment}.vars`, variables);
  const names = [...Object.keys(settings), ...Object.keys(variables)];
  return names.length > 0 ? [`.environments.toml: ${names.join(', ')} of ${environment}.`] : [];
}

/** Returns the values whose names are not set. */
const pick = (values: Record<string, string>, set: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !set[name]));

/** Makes the Hyperdrive configurations whose ids are not set, or finds them by their names. Returns what is left. */
async function makeHyperdrives(
  environment: string,
  origin: Origin | undefined,
  made: string[],
): Promise<string[]> {
  const missing = Object.entries(bindings).filter(
    ([, { setting }]) => !readEnvironments()[environment]?.[setting],
  ) as [keyof typeof bindings, { setting: string; login: string }][];
  const password = process.env['API_DATABASE_PASSWORD'];
  if (missing.length === 0) {
    return [];
  }
  if (!origin || !password) {
    return [
      'Hyperdrive: set DATABASE_URL and API_DATABASE_PASSWORD as for npm run migrate, and run this again.',
    ];
  }
  const listed = await runWrangler('hyperdrive', 'list');
  if (!listed.ok) {
    return [
      `Hyperdrive: log in with npx wrangler login, or set CLOUDFLARE_API_TOKEN, and run this again. Wrangler says: ${listed.failure}`,
    ];
  }
  for (const [binding, { setting, login }] of missing) {
    const name = `${groupOf(environment)}-${login.replace('_', '-')}`;
    const [, known] = new RegExp(`\\b([0-9a-f]{32})\\b\\W+${name}\\s`).exec(listed.value) ?? [];
    const url = Object.assign(new URL(origin.url), {
      username: login,
      password: encodeURIComponent(password),
    });
    const id = known ? ok(known) : await createHyperdrive(name, url, connectionLimits[binding]);
    if (!id.ok) {
      return [`Hyperdrive ${name}: run npm run migrate first, then this again. Wrangler says: ${id.failure}`];
    }
    fillIn(environment, environment, { [setting]: id.value });
    made.push(
      `.environments.toml: ${setting}, the Hyperdrive configuration ${name}${known ? ' that exists' : ''}.`,
    );
  }
  return [];
}

/** Returns the id of the new configuration. Cloudflare connects to the database before it makes one. */
async function createHyperdrive(name: string, url: URL, limit: number): Promise<Result<string, string>> {
  const options = ['--caching-disabled', 'true', '--origin-connection-limit', String(limit)];
  const created = await runWrangler(
    'hyperdrive',
    'create',
    name,
    '--connection-string',
    url.href,
    ...options,
  );
  const [id] = /\b[0-9a-f]{32}\b/.exec(created.ok ? created.value : '') ?? [];
  return id ? ok(id) : fail(created.ok ? 'no id.' : created.failure);
}

/**
 * Sets values of a table of .environments.toml, where they are empty or missing, and leaves all other text. Throws a Problem if
 * the file can't be changed so.
 */
function fillIn(environment: string, table: string, values: Record<string, string>): void {
  if (Object.keys(values).length === 0) {
    return;
  }
  const text = withValues(readEnvironmentsText(), table, values);
  if (!hasValues(text, environment, table, values)) {
    const lines = Object.entries(values).map(([name, value]) => `${name} = "${value}"`);
    throw new Problem(
      `${environmentsFile} cannot be changed. Put these lines under [${table}]:\n${lines.join('\n')}`,
    );
  }
  writeFileSync(join(root, environmentsFile), text);
}

function hasValues(
  text: string,
  environment: string,
  table: string,
  values: Record<string, string>,
): boolean {
  try {
    const own = (parseToml(text, environmentsFile) as Environments)[environment];
    const set = (table === environment ? own : own?.['vars']) as Record<string, unknown> | undefined;
    return Object.entries(values).every(([name, value]) => set?.[name] === value);
  } catch {
    return false;
  }
}

/** Returns a text of TOML with these values in a table of that name. */
function withValues(text: string, table: string, values: Record<string, string>): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.split(end);
  const isHeader = (line: string) => /^\s*\[\s*([\w.-]+)\s*\]/.exec(line)?.[1];
  if (!lines.some(line => isHeader(line) === table)) {
    lines.push(`[${table}]`, '');
  }
  const start = lines.findIndex(line => isHeader(line) === table) + 1;
  for (const [name, value] of Object.entries(values)) {
    const next = lines.findIndex((line, index) => index >= start && isHeader(line) !== undefined);
    const own = lines.slice(start, next === -1 ? undefined : next);
    const at = own.findIndex(line => line.split('=')[0]?.trim() === name);
    const comment = /#.*$/.exec(own[at] ?? '')?.[0];
    const line = `${name} = "${value}"${comment ? ` ${comment}` : ''}`;
    lines.splice(start + Math.max(at, 0), at === -1 ? 0 : 1, line);
  }
  return lines.join(end);
}
