/**
 * `npm run deploy` with the real wrangler, against a stand-in of Cloudflare's API.
 * @module-tag full
 */
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { servingWorkers, workers } from '../../functions/operate/deploy/workers.ts';
import { startCommand } from '../local/program.ts';
import { copyCheckout } from '../setup/checkout.ts';
import { anEnvironment } from '../setup/environments.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import { use } from '../setup/use.ts';
import { startCloudflare } from './cloudflare.ts';

const environment = anEnvironment(1);
const configurationOf = (user: string) => ({
  origin: { host: 'db.example.com', user },
  caching: { disabled: true },
});
const hyperdrives = () => ({
  [environment.hyperdrive]: configurationOf('builder_api'),
  [environment.hyperdrive_jobs]: configurationOf('builder_jobs'),
});
const secrets = {
  PUBLISHABLE_KEY: 'sb_publishable_s3cr3t',
  SECRET_KEY: 'sb_secret_s3cr3t',
  JWT_SECRET: 's3cr3t'.repeat(6),
};
const nameOf = (worker: string): string => `uniform-builder-staging-${worker}`;

const directory = use(makeTemporaryDirectory, 'remove');
const temporary = use(makeTemporaryDirectory, 'remove');
const cloudflare = use(() => startCloudflare(hyperdrives()), 'stop');

beforeAll(async () => {
  const checkout = join(directory.path, 'checkout');
  await copyCheckout(checkout);
  const settings = Object.entries(environment).map(([name, value]) => `${name} = "${value}"`);
  await writeFile(join(checkout, '.environments.toml'), ['[staging]', ...settings].join('\n'));
  await writeFile(
    join(directory.path, 'secrets.json'),
    JSON.stringify({ ...secrets, MAIL_URL: 'smtps://s3cr3t' }),
  );
});
beforeEach(() => {
  cloudflare.failAt(undefined);
  cloudflare.hangAt(undefined);
  Object.assign(cloudflare.hyperdrives, hyperdrives());
});

const start = (...args: string[]) =>
  startCommand(
    process.execPath,
    ['--import', 'tsx', 'functions/operate/deploy.ts', '--env', 'staging', ...args],
    {
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
      },
    },
  );
const deploy = (...args: string[]) => start(...args).ended;
const file = ['--secrets-file', '../secrets.json'];

/** The files of a deployment that are left. */
const leftovers = async (): Promise<string[]> =>
  (await readdir(temporary.path)).filter(name => name.startsWith('deploy-'));

/** What serves, by worker. */
const versions = () => workers.map(worker => cloudflare.scripts.get(nameOf(worker))?.version);

// A call of wrangler takes one to two seconds of CPU.
describe('npm run deploy', { timeout: 300_000 }, () => {
  it('deploys nothing when a secret was never set', async () => {
    const { code, stderr } = await deploy();
    expect(code).toBe(1);
    expect(stderr).toContain('required secrets have not been set: PUBLISHABLE_KEY, SECRET_KEY');
    expect(stderr).toMatch(/\nThe deployment stopped at live\. .* run the command again\.\n$/);
    expect(cloudflare.scripts.size).toBe(0);
  });

  it('deploys every worker with its settings, secrets, routes, domain and schedule, and prints no secret', async () => {
    const { code, stdout, stderr } = await deploy(...file);
    expect(code, stderr).toBe(0);
    expect(`${stdout}${stderr}`).not.toContain('s3cr3t');
    const all = workers.map(worker => cloudflare.scripts.get(nameOf(worker)));
    expect(Object.fromEntries(workers.map((worker, n) => [worker, all[n]?.secrets]))).toEqual({
      ...Object.fromEntries(servingWorkers.map(worker => [worker, secrets])),
      delivery: { ...secrets, MAIL_URL: 'smtps://s3cr3t' },
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
      HYPERDRIVE: { id: environment.hyperdrive },
      HYPERDRIVE_JOBS: { id: environment.hyperdrive_jobs },
      DATABASE_LOCATION: { text: 'weur' },
    });
    // Wrangler passes this setting on, but knows it only from 4.128 on.
    expect(new Set((stdout + stderr).match(/Unexpected fields.*/g))).toEqual(
      new Set(['Unexpected fields found in observability field: "redact_query_string"']),
    );
    expect(await leftovers()).toEqual([]);
  });

  it('keeps the secrets that are set when there is no file, and stops where Cloudflare refuses a worker', async () => {
    const before = versions();
    cloudflare.failAt(/POST .*-live\/deployments$/);
    const { code, stderr } = await deploy();
    expect([code, versions()]).toEqual([1, before]);
    expect(cloudflare.scripts.get(nameOf('live'))?.secrets).toEqual(secrets);
    expect(stderr).toMatch(/The stand-in fails here\.[\s\S]*\nThe deployment stopped at live\. /);
  });

  it('removes its files when somebody presses Ctrl-C, and says that it stopped', async () => {
    const before = versions();
    // The version is deployed by then.
    cloudflare.hangAt(/-live\/subdomain$/);
    const program = start(...file);
    await expect.poll(() => cloudflare.requests.at(-1), { timeout: 200_000 }).toMatch(/-live\/subdomain$/);
    const [left = ''] = await leftovers();
    for (const name of ['wrangler.json', 'live.json']) {
      const { mode } = await stat(join(temporary.path, left, name));
      expect(mode & 0o777, name).toBe(0o600);
    }
    const { code, stderr } = await program.interrupt();
    expect([code, workers.filter((_, n) => before[n] !== versions()[n])]).toEqual([1, ['live']]);
    expect(stderr).toContain('The deployment stopped at live. ');
    expect(await leftovers()).toEqual([]);
  });

  it('--check names a Hyperdrive configuration that does not exist, and one that caches with the wrong login', async () => {
    const { hyperdrive, hyperdrive_jobs } = environment;
    delete cloudflare.hyperdrives[hyperdrive];
    cloudflare.hyperdrives[hyperdrive_jobs] = {
      ...configurationOf('builder_api'),
      caching: { disabled: false },
    };
    const { code, stderr } = await deploy('--check');
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringMatching(`^A Hyperdrive configuration cannot be read. .*${hyperdrive}.*config not found`),
      expect.stringMatching(`^hyperdrive_jobs: .* logs in as builder_api, and must as builder_jobs: `),
      expect.stringMatching(`^The Hyperdrive configuration ${hyperdrive_jobs} caches`),
      'Nothing was uploaded.',
    ]);
  });
});
