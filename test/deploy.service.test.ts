import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dryRun } from '../functions/local/bundle-worker.ts';
import { workers } from '../functions/local/deploy/workers.ts';
import { startCommand } from './local/program.ts';
import { copyCheckout } from './setup/checkout.ts';
import { type CloudflareApi, startCloudflareApi } from './setup/cloudflare-api.ts';
import { longTest, sample } from './setup/full-size.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from './setup/temporary-directory.ts';

const serving = workers.filter(worker => worker !== 'expiry');

/** The packages that are in a bundle, by what the bundler says it took. */
async function bundledPackages(directory: string): Promise<string[]> {
  const { outputs } = JSON.parse(await readFile(join(directory, 'bundle-meta.json'), 'utf8')) as {
    outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }>;
  };
  const taken = Object.values(outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  const names = taken.flatMap(([path]) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  return [...new Set(names)].sort();
}

describe('wrangler deploy --dry-run', () => {
  let directory: TemporaryDirectory;
  beforeAll(async () => {
    directory = await makeTemporaryDirectory();
  });
  afterAll(() => directory.remove());

  it.each([
    ...sample(1, ['all', ...serving]),
    'expiry',
  ])('bundles the worker %s, and warns of nothing', async name => {
    const { script, output } = await dryRun(join(directory.path, name), name);
    expect(output).not.toMatch(/warning/i);
    const text = await readFile(script, 'utf8');
    expect(text).toMatch(/export\s*\{[^}]*default/);
    // 100 KiB, as wrangler counts.
    expect(gzipSync(text).length).toBeLessThan(104 * 1024);
    const others = ['hono', 'jose', 'postgres', 'valibot'];
    expect(await bundledPackages(join(directory.path, name))).toEqual(
      name === 'expiry' ? ['postgres'] : others,
    );
  });
});

describe('npm run deploy', { timeout: 120_000 }, () => {
  let directory: TemporaryDirectory;
  let checkout: string;
  let toml: string;
  let api: CloudflareApi;
  beforeAll(async () => {
    directory = await makeTemporaryDirectory();
    checkout = join(directory.path, 'checkout');
    await copyCheckout(checkout);
    toml = await readFile(join(checkout, 'wrangler.toml'), 'utf8');
    api = await startCloudflareApi();
  });
  afterAll(async () => {
    api.stop();
    await directory.remove();
  });
  beforeEach(async () => {
    const secrets = ['PUBLISHABLE_KEY', 'SECRET_KEY', 'JWT_SECRET'];
    api.secrets = new Map(serving.map(worker => [`uniform-builder-${worker}`, secrets]));
    api.refuses = false;
    api.asked.length = 0;
    await writeFile(join(checkout, 'wrangler.toml'), withOwnSettings(toml));
  });

  const routesOf: Record<string, string[]> = {
    quotes: ['/rest/v1/quotes*', '/rest/v1/rpc/*', '/health'],
    live: ['/realtime/v1/*'],
    reference: ['/', '/reference/*', '/rest/v1/'],
  };

  /** wrangler.toml with the ids and routes of a deployment. */
  function withOwnSettings(text: string): string {
    const withIds = text
      .replace(/^id = .*$/gm, `id = "${'a'.repeat(32)}"`)
      .replace(/(?<="ACCOUNT_LIMIT"\nnamespace_id = ).*/g, '"71"')
      .replace(/(?<="ADDRESS_LIMIT"\nnamespace_id = ).*/g, '"72"')
      .replace(/^routes = .*\n/gm, '');
    return serving.reduce((text, worker) => {
      const paths = routesOf[worker] ?? [`/rest/v1/${worker}*`];
      const routes = paths.map(path => `{ pattern = "api.example.com${path}", zone_name = "example.com" }`);
      return text.replace(`[env.${worker}]\n`, `[env.${worker}]\nroutes = [${routes.join(', ')}]\n`);
    }, withIds);
  }

  /** What `npm run deploy` runs, without the time that npm takes. */
  const program = [process.execPath, '--import', 'tsx', 'functions/local/deploy.ts'];
  /** Runs it in the checkout, as somebody who is logged in by `login` alone. */
  const deploy = (
    args: string[],
    login: Record<string, string> = api.env,
    [file = '', ...first] = program,
  ) => {
    const nobody = { HOME: directory.path, XDG_CONFIG_HOME: directory.path, CLOUDFLARE_API_TOKEN: undefined };
    const wrangler = {
      WRANGLER_CACHE_DIR: directory.path,
      WRANGLER_SEND_METRICS: 'false',
      WRANGLER_HIDE_BANNER: 'true',
    };
    return startCommand(file, [...first, ...args], {
      directory: checkout,
      env: { ...nobody, ...wrangler, ...login },
    }).ended;
  };
  /** The API was asked for the secrets, and for nothing else. */
  const expectNothingUploaded = () =>
    expect(api.asked.filter(request => !/^GET .*\/secrets$/.test(request))).toEqual([]);

  longTest(
    '--check finds nothing missing, whether secrets or variables are set, and uploads nothing',
    async () => {
      api.secrets.set('uniform-builder-graphics', ['PUBLISHABLE_KEY', 'SECRET_KEY']);
      const variable = 'vars = { JWKS_URL = "https://login.example.com/jwks" }';
      const text = withOwnSettings(toml).replace('[env.graphics]\n', `$&${variable}\n`);
      await writeFile(join(checkout, 'wrangler.toml'), text);
      expect(await deploy(['--check'])).toEqual({
        code: 0,
        stdout: 'Nothing is missing: npm run deploy uploads the workers.\n',
        stderr: '',
      });
      expect(api.asked).toHaveLength(serving.length);
      expectNothingUploaded();
    },
  );

  it('--check says each thing that is missing in a line of its own', async () => {
    const unset = withOwnSettings(toml)
      .replace(/(?<=\[\[env\.graphics\.hyperdrive\]\]\n.*\nid = ).*/, `"${'0'.repeat(32)}"`)
      .replaceAll('namespace_id = "72"', 'namespace_id = "0"')
      .replace(/^routes = .*quotes.*\n/m, '');
    await writeFile(join(checkout, 'wrangler.toml'), unset);
    api.secrets.delete('uniform-builder-graphics');
    api.secrets.set('uniform-builder-notifications', ['PUBLISHABLE_KEY', 'JWKS_URL']);
    api.secrets.set('uniform-builder-reference', ['PUBLISHABLE_KEY', 'SECRET_KEY']);
    const { code, stdout, stderr } = await deploy(['--check']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/^wrangler\.toml: HYPERDRIVE of \[env\.graphics\] needs the id/),
      expect.stringMatching(/^wrangler\.toml: ADDRESS_LIMIT needs a namespace_id/),
      expect.stringMatching(/^wrangler\.toml: the routes of \[env\.quotes\] need /),
      'The worker graphics has no PUBLISHABLE_KEY: npx wrangler secret put PUBLISHABLE_KEY --env graphics',
      'The worker graphics has no SECRET_KEY: npx wrangler secret put SECRET_KEY --env graphics',
      'The worker graphics has no JWT_SECRET or JWKS_URL: npx wrangler secret put JWT_SECRET --env graphics',
      'The worker notifications has no SECRET_KEY: npx wrangler secret put SECRET_KEY --env notifications',
      'The worker reference has no JWT_SECRET or JWKS_URL: npx wrangler secret put JWT_SECRET --env reference',
      'Nothing was uploaded.',
    ]);
    expectNothingUploaded();
  });

  const refusals: [string, string[], Record<string, string> | undefined, RegExp][] = [
    ['nobody is logged in', [], {}, /it's necessary to set a CLOUDFLARE_API_TOKEN environment variable/],
    [
      'the token is refused',
      ['--check'],
      undefined,
      /\/secrets\) failed\. Authentication error \[code: 10000\]$/,
    ],
  ];
  it.each(
    sample(0, refusals),
  )('says in one line that the secrets could not be checked, and uploads nothing, when %s', async (_, args, login, reason) => {
    api.refuses = true;
    const { code, stderr } = await deploy(args, login);
    const [line, ...others] = stderr.trim().split('\n');
    expect(line).toMatch(
      /^The secrets could not be checked\. Log in by npx wrangler login, or set CLOUDFLARE_API_/,
    );
    expect(line).toMatch(reason);
    expect({ code, others }).toEqual({ code: 1, others: ['Nothing was uploaded.'] });
  });

  longTest('deploys one worker after the other, and warns of nothing', async () => {
    const { code, stdout, stderr } = await deploy([], api.env, ['npm', 'run', '--silent', 'deploy', '--']);
    expect(code, stderr).toBe(0);
    const uploads = api.asked.flatMap(
      // A worker with a new class of objects is put as a whole, as they can't be there in a version alone.
      request => /^(?:POST|PUT) .*\/scripts\/([^/]+)(?:\/versions)?$/.exec(request)?.[1] ?? [],
    );
    expect(uploads).toEqual(workers.map(worker => `uniform-builder-${worker}`));
    expect(stdout + stderr).not.toMatch(/warning/i);
  });

  longTest('stops at the first worker that is not deployed', async () => {
    const { code, stderr } = await deploy(['--no-such-option']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/The worker live was not deployed, nor those after it\.\n$/);
    expect(stderr).not.toContain('graphics');
  });
});
