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

it('deploys every worker with its secrets, routes, domain and schedule, and prints no secret', {
  timeout: 180_000,
}, async () => {
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

it('keeps the secrets that are set when there is no file of secrets', { timeout: 60_000 }, async () => {
  const { code, stdout } = await deploy('--check');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Nothing is missing\. .*\nCloudflare does not show the logins' passwords/);
});

it.each<[step: string, request: RegExp, failed: string, isDeployed: boolean]>([
  ['the deployment of a version', /POST .*-delivery\/deployments$/, 'delivery', false],
  ['the route of a version that is deployed', /PUT .*-live\/routes$/, 'live', true],
])(
  'says what is deployed when Cloudflare refuses %s',
  { timeout: 180_000 },
  async (_, request, failed, isDeployed) => {
    const before = workers.map(worker => cloudflare.scripts.get(nameOf(worker))?.version);
    cloudflare.failAt(request);
    const { code, stderr } = await deploy(...file);
    const after = workers.map(worker => cloudflare.scripts.get(nameOf(worker))?.version);
    const changed = workers.filter((_, n) => before[n] !== after[n]);
    const index = workers.indexOf(failed);
    expect([code, changed]).toEqual([1, workers.slice(0, isDeployed ? index + 1 : index)]);
    expect(stderr).toContain(`${nameOf(failed)} was ${isDeployed ? 'deployed, but' : 'not deployed'}`);
    expect(stderr).toContain(`Deployed: ${changed.map(nameOf).join(', ') || 'none'}.`);
    expect(stderr).toContain('To continue: npm run deploy -- --env staging --secrets-file ../secrets.json');
    const rollbacks = stderr.match(/^npx wrangler rollback .*/gm) ?? [];
    expect(rollbacks).toEqual(
      changed.toReversed().map(worker => {
        return `npx wrangler rollback ${before[workers.indexOf(worker)]} --name ${nameOf(worker)}`;
      }),
    );
    expect(await leftovers()).toEqual([]);
  },
);

it.each<[what: string, request: RegExp, sentence: string]>([
  ['secrets', /GET .*\/secrets$/, 'The secrets could not be checked.'],
  ['versions', /GET .*\/deployments$/, `The version of ${nameOf('live')} cannot be read.`],
])('uploads nothing when the %s cannot be listed', { timeout: 60_000 }, async (_, request, sentence) => {
  const first = cloudflare.requests.length;
  cloudflare.failAt(request);
  const { code, stderr } = await deploy();
  expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)]);
  expect(stderr).toMatch(/The stand-in fails here\.[^\n]*\nNothing was uploaded\.\n$/);
  expect(cloudflare.requests.slice(first).filter(line => !line.startsWith('GET '))).toEqual([]);
});

it('removes its files and says what is deployed when somebody presses Ctrl-C', {
  timeout: 240_000,
}, async () => {
  cloudflare.hangAt(/-live\/versions$/);
  const program = start(...file);
  await expect
    .poll(() => cloudflare.requests.at(-1), { timeout: 150_000 })
    .toMatch(/^POST .*-live\/versions$/);
  const [left = ''] = await leftovers();
  for (const name of ['wrangler.json', 'live.json']) {
    const { mode } = await stat(join(temporary.path, left, name));
    expect(mode & 0o777, name).toBe(0o600);
  }
  const { code, stderr } = await program.interrupt();
  expect([code, stderr]).toEqual([1, expect.stringContaining(`${nameOf('live')} was not deployed`)]);
  expect(await leftovers()).toEqual([]);
});

describe('--check asks for Hyperdrive configurations', { timeout: 60_000 }, () => {
  it('and names one that does not exist, and one that caches with the wrong login', async () => {
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
