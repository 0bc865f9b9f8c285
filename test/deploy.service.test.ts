import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { workers } from '../functions/operate/deploy/workers.ts';
import { startCommand } from './local/program.ts';
import { copyCheckout } from './setup/checkout.ts';
import { bundleOnce } from './setup/deployed/bundles.ts';
import { anEnvironment } from './setup/environments.ts';
import { makeTemporaryDirectory } from './setup/temporary-directory.ts';
import { use } from './setup/use.ts';

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

describe('wrangler deploy --dry-run', { timeout: 120_000, tags: ['full'] }, () => {
  it.each(workers)('bundles the worker %s, and warns of nothing', async name => {
    const { script, output } = await bundleOnce(name);
    expect(output).not.toMatch(/warning/i);
    const text = await readFile(script, 'utf8');
    expect(text).toMatch(/export\s*\{[^}]*default/);
    const mails = name === 'delivery';
    // A few percent above the largest, so that what comes in by mistake is seen.
    expect(gzipSync(text).length).toBeLessThan((mails ? 156 : 112) * 1024);
    const others = ['hono', 'jose', ...(mails ? ['nodemailer'] : []), 'postgres', 'valibot'];
    expect(await bundledPackages(dirname(script))).toEqual(name === 'expiry' ? ['postgres'] : others);
  });
});

describe('npm run deploy', { timeout: 120_000 }, () => {
  const directory = use(makeTemporaryDirectory, 'remove');
  let checkout: string;
  beforeAll(async () => {
    checkout = join(directory.path, 'checkout');
    await copyCheckout(checkout);
    const settings = Object.entries(anEnvironment(1)).map(([name, value]) => `${name} = "${value}"`);
    await writeFile(join(checkout, '.environments.toml'), ['[staging]', ...settings].join('\n'));
  });

  /** Runs it in the checkout, as somebody who is not logged in to Cloudflare. */
  const deploy = (...args: string[]) =>
    startCommand(process.execPath, ['--import', 'tsx', 'functions/operate/deploy.ts', ...args], {
      directory: checkout,
      env: {
        HOME: directory.path,
        XDG_CONFIG_HOME: directory.path,
        CLOUDFLARE_API_TOKEN: undefined,
        WRANGLER_CACHE_DIR: directory.path,
        WRANGLER_SEND_METRICS: 'false',
        WRANGLER_HIDE_BANNER: 'true',
      },
    }).ended;

  it('uploads nothing when nobody is logged in, and says so in a line', async () => {
    const { code, stderr } = await deploy('--env', 'staging');
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringMatching(
        /^A Hyperdrive configuration cannot be read\. Log in with npx wrangler login, or set CLOUDFLARE_API_TOKEN\. .*CLOUDFLARE_API_TOKEN/,
      ),
      'Nothing was uploaded.',
    ]);
    expect(code).toBe(1);
  });

  it('checks without a login what needs none: the settings, and the format of the secrets', async () => {
    await writeFile(
      join(checkout, 'secrets'),
      'PUBLISHABLE_KEY=short\nMAIL_URL=smtps://me:pa#ss@relay.example.com',
    );
    const { code, stderr } = await deploy('--env', 'production', '--check', '--secrets-file', 'secrets');
    expect(stderr.trim().split('\n')).toEqual([
      '.environments.toml has no [production]. Its environments: staging.',
      'secrets: SECRET_KEY is missing.',
      'secrets: JWT_SECRET or JWKS_URL is missing.',
      expect.stringMatching(
        /^secrets: PUBLISHABLE_KEY must have 32 or more printable ASCII characters a key\./,
      ),
      expect.stringMatching(/^secrets: MAIL_URL is not of the form .* where # in a password is written %23/),
      'Nothing was uploaded.',
    ]);
    expect(code).toBe(1);
  });
});
