/**
 * `npm run deploy` with the real wrangler, against a stand-in of Cloudflare's API.
 * @module-tag full
 */
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'smol-toml';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { servingWorkers, workers } from '../../functions/operate/deploy/workers.ts';
import { startCommand } from '../local/program.ts';
import { copyCheckout } from '../setup/checkout.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import { use } from '../setup/use.ts';
import { startCloudflare } from './cloudflare.ts';

const nameOf = (worker: string): string => `uniform-builder-${worker}`;
const project = 'abcdefghijklmnopqrst';
const password = 's3cr3t/%#';

const directory = use(makeTemporaryDirectory, 'remove');
const temporary = use(makeTemporaryDirectory, 'remove');
const cloudflare = use(startCloudflare, 'stop');
const pathOf = (file: string): string => join(directory.path, 'checkout', file);
const contentOf = (file: string) => readFile(pathOf(file), 'utf8');

beforeAll(() => copyCheckout(join(directory.path, 'checkout')));
beforeEach(() => cloudflare.hangAt(undefined));

const start = (args: string[], env: Record<string, string> = {}) =>
  startCommand(process.execPath, ['--import', 'tsx', 'functions/operate/deploy.ts', ...args], {
    directory: join(directory.path, 'checkout'),
    env: {
      HOME: directory.path,
      XDG_CONFIG_HOME: directory.path,
      TMPDIR: temporary.path,
      CLOUDFLARE_API_BASE_URL: cloudflare.url,
      CLOUDFLARE_ACCOUNT_ID: 'account',
      CLOUDFLARE_API_TOKEN: 'token',
      WRANGLER_CACHE_DIR: directory.path,
      WRANGLER_SEND_METRICS: 'false',
      WRANGLER_HIDE_BANNER: 'true',
      // Wrangler asks it for a newer wrangler.
      npm_config_registry: cloudflare.url,
      ...env,
    },
  });
const deploy = (...args: string[]) => start(args).ended;
const file = ['--secrets-file', 'secrets.json'];

/** Puts the lines that `--init` printed into .environments.toml, as an operator does. */
async function paste(stdout: string): Promise<void> {
  type Tables = Record<string, { vars?: object }>;
  const lines = stdout.match(/^ {2}(?:\[[\w.-]+\]|\w+ = ".*")$/gm) ?? [];
  const stored = parse(await contentOf('.environments.toml')) as Tables;
  for (const [table, values] of Object.entries(parse(lines.join('\n')) as Tables)) {
    const own = stored[table];
    stored[table] = { ...own, ...values, vars: { ...own?.vars, ...values.vars } };
  }
  await writeFile(pathOf('.environments.toml'), stringify(stored));
}

/** The files of a deployment that are left. */
const leftovers = async (): Promise<string[]> =>
  (await readdir(temporary.path)).filter(name => name.startsWith('deploy-'));

/** What serves, by worker. */
const versions = () => workers.map(worker => cloudflare.scripts.get(nameOf(worker))?.version);

const database = {
  DATABASE_URL: `postgres://postgres.${project}:owner@aws-0-eu-central-1.pooler.supabase.com:5432/postgres`,
  API_DATABASE_PASSWORD: password,
};

// A call of wrangler takes one to two seconds of CPU.
describe('npm run deploy -- --init', { timeout: 300_000 }, () => {
  it('says what is left when there is no database, and makes the rest', async () => {
    const before = await contentOf('.environments.toml');
    const without = await deploy('--init', '--env', 'staging');
    expect([without.code, without.stderr]).toEqual([0, '']);
    expect(without.stdout).toMatch(/^ {2}Hyperdrive: set DATABASE_URL and API_DATABASE_PASSWORD/m);
    const secrets = JSON.parse(await contentOf('secrets.staging.json'));
    expect(secrets).toEqual({
      PUBLISHABLE_KEY: expect.stringMatching(/^sb_publishable_[\w-]{43}$/),
      SECRET_KEY: expect.stringMatching(/^sb_secret_[\w-]{43}$/),
    });
    expect(without.stdout).toMatch(
      /^ {2}Set DATABASE_URL to your Supabase project and run this again, .* -- --env staging --init --no-login-service$/m,
    );
    expect(without.stdout).toMatch(
      /\n {2}\[staging\]\n {2}account_limit = "\d{9}"\n {2}address_limit = "\d{9}"\n/,
    );
    expect(await contentOf('.environments.toml')).toBe(before);
  });

  it('makes a JWT_SECRET only for an operator who says that no login service exists', async () => {
    const keys = JSON.parse(await contentOf('secrets.staging.json'));
    await deploy('--init', '--env', 'staging', '--no-login-service');
    const JWT_SECRET = expect.stringMatching(/^[\w-]{43}$/);
    expect(JSON.parse(await contentOf('secrets.staging.json'))).toEqual({ ...keys, JWT_SECRET });
  });

  it('makes keys and both Hyperdrive configurations, prints the settings, and leaves the host and the location', async () => {
    const { code, stdout, stderr } = await start(['--init'], database).ended;
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).not.toContain('s3cr3t');
    expect(stdout).toContain(
      `Hyperdrive leads to:
  hyperdrive: builder_api at db.${project}.supabase.co:5432/postgres
  hyperdrive_jobs: builder_jobs at db.${project}.supabase.co:5432/postgres
`,
    );
    await paste(stdout);
    const left = stdout.split('Left for you:\n')[1]?.trim().split('\n') ?? [];
    expect(left.filter(line => !/^ *(?:Put these|\[|\w+ = )/.test(line))).toEqual([
      expect.stringMatching(/production needs host, /),
      expect.stringMatching(/production needs location, /),
    ]);
    const { mode } = await stat(pathOf('secrets.json'));
    expect(mode & 0o777).toBe(0o600);
    const JWKS_URL = `https://${project}.supabase.co/auth/v1/.well-known/jwks.json`;
    expect(JSON.parse(await contentOf('secrets.json'))).toMatchObject({ JWKS_URL });
    const host = `db.${project}.supabase.co`;
    const origin = { scheme: 'postgres', host, port: 5432, database: 'postgres', password };
    const configured = (user: string, origin_connection_limit: number) =>
      expect.objectContaining({
        origin: { ...origin, user },
        caching: { disabled: true },
        origin_connection_limit,
      });
    expect(Object.values(cloudflare.hyperdrives)).toEqual([
      configured('builder_api', 20),
      configured('builder_jobs', 5),
    ]);
    const [api, jobs] = Object.keys(cloudflare.hyperdrives);
    expect(parse(await contentOf('.environments.toml'))['production']).toMatchObject({
      hyperdrive: api,
      hyperdrive_jobs: jobs,
      vars: { JWT_AUDIENCE: 'authenticated', JWT_ISSUER: `https://${project}.supabase.co/auth/v1` },
    });
  });

  it('changes nothing that exists when it is run again, and finds configurations by their names', async () => {
    const before = [await contentOf('.environments.toml'), await contentOf('secrets.json')];
    const again = await start(['--init'], { ...database, API_DATABASE_PASSWORD: 'another' }).ended;
    expect(again.stdout).toContain('Made:\n  nothing, all of it exists\n');
    const forgotten = before[0]?.replace(/^(hyperdrive\w*) = "\w+"/gm, '$1 = ""') ?? '';
    await writeFile(pathOf('.environments.toml'), forgotten);
    await paste((await start(['--init'], database).ended).stdout);
    expect([await contentOf('.environments.toml'), await contentOf('secrets.json')]).toEqual(before);
    expect(Object.keys(cloudflare.hyperdrives)).toHaveLength(2);
  });

  it('refuses a configuration that it finds by its name and that leads to another database', async () => {
    const other = { host: 'production.example', port: 5432, database: 'postgres', user: 'builder_api' };
    const id = 'f'.repeat(32);
    cloudflare.hyperdrives[id] = { name: 'uniform-builder-staging-builder-api', origin: other };
    const { code, stdout } = await start(['--init', '--env', 'staging'], database).ended;
    delete cloudflare.hyperdrives[id];
    expect(code).toBe(1);
    expect(stdout).toContain(
      `leads to production.example:5432/postgres instead of db.${project}.supabase.co:5432/postgres. Rename it,`,
    );
    expect(await contentOf('.environments.toml')).not.toContain(id);
  });
});

describe('npm run deploy', { timeout: 300_000 }, () => {
  beforeAll(async () => {
    const settings = (await contentOf('.environments.toml'))
      .replace('host = ""', 'host = "one.example.com"')
      .replace('location = ""', 'location = "weur"');
    await writeFile(pathOf('.environments.toml'), settings);
  });

  it('--check and a first deployment without the file of secrets say that it is needed, and upload nothing', async () => {
    for (const args of [['--check'], []]) {
      const { code, stderr } = await deploy(...args);
      expect([code, stderr.trim().split('\n')]).toEqual([
        1,
        [
          'The worker uniform-builder-live has no PUBLISHABLE_KEY, SECRET_KEY, JWT_SECRET or JWKS_URL: give the file of secrets with --secrets-file. npm run deploy -- --init makes one.',
          'Nothing was uploaded.',
        ],
      ]);
    }
    expect(cloudflare.scripts.size).toBe(0);
  });

  it('deploys every worker with its settings, secrets, routes, domain and schedule, and prints no secret', async () => {
    const { code, stdout, stderr } = await deploy(...file);
    expect(code, stderr).toBe(0);
    const secrets = JSON.parse(await contentOf('secrets.json'));
    for (const secret of Object.values(secrets)) {
      expect(`${stdout}${stderr}`).not.toContain(secret);
    }
    const all = workers.map(worker => cloudflare.scripts.get(nameOf(worker)));
    expect(Object.fromEntries(workers.map((worker, n) => [worker, all[n]?.secrets]))).toEqual({
      ...Object.fromEntries(servingWorkers.map(worker => [worker, secrets])),
      expiry: {},
    });
    expect(cloudflare.scripts.get(nameOf('graphics'))?.routes).toEqual([
      { pattern: 'https://one.example.com/rest/v1/graphics*' },
    ]);
    expect(all.flatMap(script => script?.domains ?? [])).toEqual([
      expect.objectContaining({ origins: [{ hostname: 'one.example.com' }] }),
    ]);
    expect(all.flatMap(script => script?.schedules ?? [])).toEqual([{ cron: '*/5 * * * *' }]);
    expect(cloudflare.scripts.get(nameOf('delivery'))?.bindings).toMatchObject({
      HYPERDRIVE: { id: Object.keys(cloudflare.hyperdrives)[0] },
      HYPERDRIVE_JOBS: { id: Object.keys(cloudflare.hyperdrives)[1] },
      DATABASE_LOCATION: { text: 'weur' },
    });
    // Wrangler knows this setting only from 4.128 on.
    expect(stdout).toMatch(/^Wrangler does not know redact_query_string, .* It is uploaded all the same\.$/m);
    expect(
      all.every(script => JSON.stringify(script?.observability).includes('"redact_query_string":true')),
    ).toBe(true);
    expect(new Set((stdout + stderr).match(/Unexpected fields.*/g))).toEqual(
      new Set(['Unexpected fields found in observability field: "redact_query_string"']),
    );
    expect(await leftovers()).toEqual([]);
  });

  it('keeps the secrets that are set when there is no file, and removes its files when somebody presses Ctrl-C', async () => {
    const before = versions();
    // The version is deployed by then.
    cloudflare.hangAt(/-live\/subdomain$/);
    const program = start([]);
    await expect.poll(() => cloudflare.requests.at(-1), { timeout: 200_000 }).toMatch(/-live\/subdomain$/);
    const [left = ''] = await leftovers();
    const { mode } = await stat(join(temporary.path, left, 'wrangler.json'));
    expect(mode & 0o777).toBe(0o600);
    const { code, stderr } = await program.interrupt();
    expect([code, workers.filter((_, n) => before[n] !== versions()[n])]).toEqual([1, ['live']]);
    expect(stderr).toContain('The deployment stopped at live. ');
    expect(await leftovers()).toEqual([]);
    const secrets = JSON.parse(await contentOf('secrets.json'));
    expect(cloudflare.scripts.get(nameOf('live'))?.secrets).toEqual(secrets);
  });

  it('leaves no secret in a file when it is killed', async () => {
    cloudflare.hangAt(/-live\/versions$|PUT .*-live$/);
    const program = start(file);
    const secrets: string[] = Object.values(JSON.parse(await contentOf('secrets.json')));
    await expect
      .poll(() => cloudflare.requests.at(-1), { timeout: 200_000 })
      .toMatch(/-live\/versions$|PUT .*-live$/);
    // Wrangler too, which would wait for the reply.
    process.kill(-program.id, 'SIGKILL');
    await program.ended;
    const [left = ''] = await leftovers();
    const found = await readdir(join(temporary.path, left), { recursive: true, withFileTypes: true });
    const files = found.filter(entry => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    const contents = (await Promise.all(files.map(path => readFile(path, 'utf8')))).join();
    expect(contents).toContain('redact_query_string');
    expect(secrets.filter(secret => contents.includes(secret))).toEqual([]);
    await rm(join(temporary.path, left), { recursive: true });
  });

  it('--check prints where Hyperdrive leads, and refuses another database than that of DATABASE_URL', async () => {
    const right = await deploy('--check');
    expect([right.code, right.stdout]).toEqual([
      0,
      expect.stringMatching(/^ {2}hyperdrive_jobs: builder_jobs at db\.\w+\.supabase\.co:5432\/postgres$/m),
    ]);
    const DATABASE_URL = 'postgres://owner:secret@staging.example/app';
    const { code, stderr } = await start(['--check'], { DATABASE_URL }).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^hyperdrive: the Hyperdrive configuration \w+ leads to db\.\w+\.supabase\.co:5432\/postgres, and DATABASE_URL to staging\.example:5432\/app\./,
    );
    expect(stderr).not.toContain('secret@');
  });

  it('--check names a Hyperdrive configuration that does not exist, and one that caches with the wrong login', async () => {
    const [api = '', jobs = ''] = Object.keys(cloudflare.hyperdrives);
    delete cloudflare.hyperdrives[api];
    Object.assign(cloudflare.hyperdrives[jobs] ?? {}, {
      origin: { user: 'builder_api' },
      caching: { disabled: false },
    });
    const { code, stderr } = await deploy('--check');
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringMatching(`^A Hyperdrive configuration cannot be read. .*${api}.*config not found`),
      expect.stringMatching(`^hyperdrive_jobs: .* logs in as builder_api, and must as builder_jobs: `),
      expect.stringMatching(`^The Hyperdrive configuration ${jobs} caches`),
      'Nothing was uploaded.',
    ]);
  });
});
