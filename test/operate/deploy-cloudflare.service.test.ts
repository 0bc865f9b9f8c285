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

// Each asks wrangler up to twenty times, which takes a second of CPU each time.
describe('npm run deploy', { timeout: 900_000 }, () => {
  it('deploys every worker with its secrets, routes, domain and schedule, and prints no secret', async () => {
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
    expect(await leftovers()).toEqual([]);
  });

  it('misses no secret that is set when there is no file of secrets', async () => {
    const { code, stdout } = await deploy('--check');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Nothing is missing\. .*\nCloudflare does not show the logins' passwords/);
  });

  it('says that a worker was not deployed when Cloudflare refuses it', async () => {
    const before = versions();
    cloudflare.failAt(/POST .*-live\/versions$/);
    const { code, stderr } = await deploy(...file);
    expect([code, versions()]).toEqual([1, before]);
    expect(stderr).toContain(
      `${nameOf('live')} was not deployed. Its version: ${before[0]}.\nDeployed: none.`,
    );
    expect(stderr).toContain('To continue: npm run deploy -- --env staging --secrets-file ../secrets.json');
    expect(await leftovers()).toEqual([]);
  });

  it('removes its files, and says what is deployed and how to go back, when somebody presses Ctrl-C', async () => {
    const before = versions();
    // The version is deployed by then.
    cloudflare.hangAt(/-delivery\/routes$/);
    const program = start(...file);
    await expect
      .poll(() => cloudflare.requests.at(-1), { timeout: 600_000 })
      .toMatch(/^PUT .*-delivery\/routes$/);
    const [left = ''] = await leftovers();
    for (const name of ['wrangler.json', 'live.json', 'delivery.json']) {
      const { mode } = await stat(join(temporary.path, left, name));
      expect(mode & 0o777, name).toBe(0o600);
    }
    const { code, stderr } = await program.interrupt();
    const after = versions();
    expect([code, workers.filter((_, n) => before[n] !== after[n])]).toEqual([1, ['live', 'delivery']]);
    expect(stderr).toContain(`${nameOf('delivery')} was deployed, but`);
    expect(stderr).toContain(`Deployed: ${nameOf('live')}, ${nameOf('delivery')}.`);
    expect(stderr.match(/^npx wrangler rollback .*/gm)).toEqual([
      `npx wrangler rollback ${before[1]} --name ${nameOf('delivery')}`,
      `npx wrangler rollback ${before[0]} --name ${nameOf('live')}`,
    ]);
    expect(await leftovers()).toEqual([]);
  });

  it.each<[what: string, request: RegExp, sentence: string]>([
    ['secrets', /GET .*\/secrets$/, 'The secrets could not be checked.'],
    ['versions', /GET .*\/deployments$/, `The version of ${nameOf('live')} cannot be read.`],
  ])('uploads nothing when the %s cannot be listed', async (_, request, sentence) => {
    const first = cloudflare.requests.length;
    cloudflare.failAt(request);
    const { code, stderr } = await deploy();
    expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)]);
    expect(stderr).toMatch(/The stand-in fails here\.[^\n]*\nNothing was uploaded\.\n$/);
    expect(cloudflare.requests.slice(first).filter(line => !line.startsWith('GET '))).toEqual([]);
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
      expect.stringMatching(
        `^hyperdrive: the Hyperdrive configuration ${hyperdrive} cannot be read. .*config not found`,
      ),
      expect.stringMatching(`^hyperdrive_jobs: .* logs in as builder_api, and must as builder_jobs: `),
      expect.stringMatching(`^The Hyperdrive configuration ${hyperdrive_jobs} caches`),
      'Nothing was uploaded.',
    ]);
  });
});
