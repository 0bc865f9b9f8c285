/**
 * `npm run deploy -- --init`, for whoever deploys an environment for the first time: makes the keys, the Hyperdrive
 * configurations and the settings that can be made, and prints the lines of settings and what is left. It changes nothing that exists.
 */
import { randomBytes, randomInt } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fail, ok, type Result } from '../../common/failure/result.ts';
import { Problem } from '../../local/program.ts';
import { runWrangler } from './ask-wrangler.ts';
import { groupOf } from './config.ts';
import { checkEnvironment, isEnvironmentName, settingsOf } from './environments.ts';
import { bindings, checkHyperdrive, checkNamesake } from './hyperdrives.ts';
import { type Origin, readOrigin } from './owner-origin.ts';
import { environmentsFile, readEnvironments } from './read-config.ts';
import { readSecrets } from './secrets-file.ts';
import { parseSecrets } from './secrets-text.ts';

/** Connections to Postgres: both, and a dozen for others, fit into the 60 of Supabase's smallest database. */
const connectionLimits = { HYPERDRIVE: 20, HYPERDRIVE_JOBS: 5 } as const satisfies Record<
  keyof typeof bindings,
  number
>;

/**
 * Returns a line for each thing that was made, for each that is left, for each of these that failed or is wrong, and for each
 * Hyperdrive configuration.
 */
export async function initialise(environment: string, secretsFile: string, hasLoginService: boolean) {
  if (!isEnvironmentName(environment)) {
    throw new Problem(checkEnvironment({ [environment]: {} }, environment).join('\n'));
  }
  const origin = readOrigin(process.env['DATABASE_URL']);
  const stored = readEnvironments();
  const own = stored[environment] ?? {};
  const made = makeSecrets(secretsFile, origin, hasLoginService);
  const { ids, left, refused } = await makeHyperdrives(environment, own, origin, made);
  const { settings, variables } = chooseSettings(own, origin);
  const vars = own['vars'] as Record<string, string> | undefined;
  const environments = {
    ...stored,
    [environment]: { ...own, ...settings, ...ids, vars: { ...vars, ...variables } },
  };
  const lines = [
    ...linesOf(environment, { ...settings, ...ids }),
    ...linesOf(`${environment}.vars`, variables),
  ];
  const { hyperdrive, hyperdrive_jobs } = settingsOf(environments, environment);
  const { faults, places } =
    hyperdrive && hyperdrive_jobs
      ? await checkHyperdrive({ hyperdrive, hyperdrive_jobs }, origin)
      : { faults: [], places: [] };
  const secrets = readSecrets(secretsFile);
  left.push(
    ...(lines.length > 0
      ? [`Put these lines into ${environmentsFile}, in place of empty ones:`, ...lines]
      : []),
    ...refused,
    ...faults,
    ...checkEnvironment(environments, environment),
    ...(secrets.ok ? [] : secrets.failure),
    ...(secrets.ok || hasLogin(secretsFile)
      ? []
      : [
          'Set DATABASE_URL to your Supabase project and run this again, or put the JWKS_URL or JWT_SECRET of your login service there. Where none exists: npm run deploy -- --init --no-login-service',
        ]),
  );
  return { made, left, refused: [...refused, ...faults], places };
}

/** Makes the keys, and sets how tokens are verified once that is known: by Supabase's keys, or by a random secret. */
function makeSecrets(file: string, origin: Origin | undefined, hasLoginService: boolean): string[] {
  const isNew = !existsSync(file);
  const random = () => randomBytes(32).toString('base64url');
  const secrets = isNew
    ? { PUBLISHABLE_KEY: `sb_publishable_${random()}`, SECRET_KEY: `sb_secret_${random()}` }
    : readJson(file);
  if (secrets === undefined) {
    return [];
  }
  const login = hasLogin(file)
    ? undefined
    : hasLoginService
      ? origin?.login && { JWKS_URL: `${origin.login}/.well-known/jwks.json` }
      : { JWT_SECRET: random() };
  if (isNew || login) {
    const text = `${JSON.stringify({ ...secrets, ...login }, undefined, 2)}\n`;
    writeFileSync(file, text, { mode: 0o600 });
  }
  return [
    ...(isNew
      ? [`${file}, with new keys. Keep a copy where your passwords are: Cloudflare does not show them again.`]
      : []),
    ...(login && 'JWKS_URL' in login
      ? [
          'JWKS_URL in it: the keys of your Supabase project. If that still signs with its legacy secret, put JWT_SECRET there instead.',
        ]
      : []),
    ...(login && 'JWT_SECRET' in login
      ? ['JWT_SECRET in it is random: what signs your tokens must use it.']
      : []),
  ];
}

/** Returns the secrets of a file of JSON; undefined of another, which is not changed here. */
function readJson(file: string): Record<string, string> | undefined {
  const content = readFileSync(file);
  const secrets = parseSecrets(content);
  return secrets.ok && content.toString().trimStart().startsWith('{') ? secrets.value : undefined;
}

const hasLogin = (file: string): boolean => {
  const secrets = existsSync(file) ? parseSecrets(readFileSync(file)) : undefined;
  return secrets?.ok === true && Boolean(secrets.value['JWKS_URL'] || secrets.value['JWT_SECRET']);
};

/** Chooses the settings that are empty and need nobody's choice. */
function chooseSettings(own: Record<string, unknown>, origin: Origin | undefined) {
  // Cloudflare counts by this number, in the whole account.
  const number = () => String(randomInt(1e8, 1e9));
  const settings = pick({ account_limit: number(), address_limit: number() }, own);
  const variables = origin?.login
    ? pick(
        { JWT_ISSUER: origin.login, JWT_AUDIENCE: 'authenticated' },
        (own['vars'] ?? {}) as Record<string, unknown>,
      )
    : {};
  return { settings, variables };
}

/** Writes values as a table of TOML. */
const linesOf = (table: string, values: Record<string, string>): string[] =>
  Object.keys(values).length === 0
    ? []
    : [`[${table}]`, ...Object.entries(values).map(([name, value]) => `${name} = "${value}"`)];

/** Returns the values whose names are not set. */
const pick = (values: Record<string, string>, set: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !set[name]));

/** Makes the Hyperdrive configurations whose ids are not set, or finds them by their names. Returns their ids, what is left, and what was refused. */
async function makeHyperdrives(
  environment: string,
  own: Record<string, unknown>,
  origin: Origin | undefined,
  made: string[],
): Promise<{ ids: Record<string, string>; left: string[]; refused: string[] }> {
  const ids: Record<string, string> = {};
  const missing = Object.entries(bindings).filter(([, { setting }]) => !own[setting]) as [
    keyof typeof bindings,
    { setting: string; login: string },
  ][];
  const password = process.env['API_DATABASE_PASSWORD'];
  if (missing.length === 0) {
    return { ids, left: [], refused: [] };
  }
  if (!origin || !password) {
    return {
      ids,
      left: [
        'Hyperdrive: set DATABASE_URL and API_DATABASE_PASSWORD as for npm run migrate, and run this again.',
      ],
      refused: [],
    };
  }
  const listed = await runWrangler('hyperdrive', 'list');
  if (!listed.ok) {
    return {
      ids,
      left: [],
      refused: [
        `Hyperdrive: log in with npx wrangler login, or set CLOUDFLARE_API_TOKEN, and run this again. Wrangler says: ${listed.failure}`,
      ],
    };
  }
  for (const [binding, { setting, login }] of missing) {
    const name = `${groupOf(environment)}-${login.replace('_', '-')}`;
    const [, known] = new RegExp(`\\b([0-9a-f]{32})\\b\\W+${name}\\s`).exec(listed.value) ?? [];
    const url = Object.assign(new URL(origin.url), {
      username: login,
      password: encodeURIComponent(password),
    });
    const id = known
      ? await checkNamesake(known, name, origin)
      : await createHyperdrive(name, url, connectionLimits[binding]);
    if (!id.ok) {
      return { ids, left: [], refused: [id.failure] };
    }
    ids[setting] = id.value;
    if (!known) {
      made.push(`The Hyperdrive configuration ${name}.`);
    }
  }
  return { ids, left: [], refused: [] };
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
  return id
    ? ok(id)
    : fail(
        `Hyperdrive ${name}: run npm run migrate first, then this again. Wrangler says: ${created.ok ? 'no id.' : created.failure}`,
      );
}
