/** Cloudflare's own way in: `npx wrangler dev` in a clean checkout, and `npm run setup:dev`. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadSecrets } from '../../functions/local/secrets.ts';
import { copyCheckout } from '../setup/checkout.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import { use } from '../setup/use.ts';
import { type Program, startCommand } from './program.ts';

const directory = use(makeTemporaryDirectory, 'remove');
let checkout: string;
const programs: Program[] = [];
beforeAll(async () => {
  checkout = join(directory.path, 'checkout');
  await copyCheckout(checkout);
});
afterAll(() => Promise.all(programs.map(({ interrupt }) => interrupt().catch(() => {}))));

/** Nothing is asked for on the network, and workerd is started as wrangler does, not as `npm start` and the tests do. */
const env = {
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  WRANGLER_SEND_METRICS: 'false',
  MINIFLARE_WORKERD_PATH: undefined,
};

function start(file: string, ...args: string[]): Program {
  const program = startCommand(file, args, { directory: checkout, env });
  programs.push(program);
  return program;
}

const startWrangler = (...args: string[]): Program => start('npx', 'wrangler', ...args);

describe('npx wrangler dev', () => {
  let dev: Program;
  let address: string;
  beforeAll(async () => {
    dev = startWrangler('dev', '--port', '0');
    await dev.printed('Ready on');
    address = /Ready on (\S+)/.exec(dev.output())?.[1] ?? '';
  }, 60_000);

  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${address}${path}`, { headers });
    return { status: response.status, body: await response.json() };
  };

  it('starts when nothing is set, warns of nothing, and names what is not set in responses and in the log', async () => {
    expect(dev.output()).not.toMatch(/warn/i);
    const unset = (names: string) => ({
      status: 500,
      body: {
        code: 'PGRSTX00',
        message: 'The service is not configured correctly',
        details: `These variables are not set: ${names}.`,
        hint: expect.stringContaining('npm run setup:dev'),
      },
    });
    const names = 'PUBLISHABLE_KEY, SECRET_KEY, JWT_SECRET or JWKS_URL';
    const key = 'sb_publishable_a';
    for (const headers of [{}, { apikey: key, authorization: `Bearer ${key}` }]) {
      expect(await get('/rest/v1/graphics', headers)).toEqual(unset(names));
    }
    await dev.printed(`reason: 'not set: ${names}'`);
    expect(await get('/health')).toEqual(unset('DATABASE_URL'));
  });

  describe('after npm run setup:dev', () => {
    let setup: Program;
    const startSetup = async () => {
      setup = start('npm', 'run', 'setup:dev');
      await setup.printed('Ctrl-C stops the database.');
    };
    beforeAll(startSetup, 60_000);

    it('serves the demo, without being started again', async () => {
      await expect.poll(async () => (await get('/health')).status).toBe(200);
      const { publishableKey: key } = await loadSecrets(join(checkout, '.local'), {});
      const { status, body } = await get('/rest/v1/graphics?select=code&code=eq.EAGLE', {
        apikey: key,
        authorization: `Bearer ${key}`,
      });
      expect({ status, body }).toEqual({ status: 200, body: [{ code: 'EAGLE' }] });
    });

    it('runs the sweep on request, and keeps the variables from other users of the machine', async () => {
      expect((await stat(join(checkout, '.dev.vars'))).mode & 0o777).toBe(0o600);
      expect((await fetch(`${address}/cdn-cgi/handler/scheduled`)).status).toBe(200);
      await dev.printed('"event":"sweep"');
      expect(dev.output()).not.toMatch(/"event":"sweep"[^}]*"code"/);
    });

    it('changes nothing for npm start', async () => {
      const print = "import { readWorkerOptions } from './functions/local/worker.ts'; readWorkerOptions()";
      const script = `${print}.then(({ bindings }) => console.log(JSON.stringify(bindings)));`;
      expect(await start(process.execPath, '--import', 'tsx', '--eval', script).ended).toMatchObject({
        stdout: '{}\n',
        code: 0,
      });
    });

    it('finds the database again when that is started again', { tags: ['full'] }, async () => {
      expect((await setup.interrupt()).stdout).toMatch(/stopped\n$/);
      await expect.poll(async () => (await get('/health')).status).toBe(503);
      await startSetup();
      await expect.poll(async () => (await get('/health')).status).toBe(200);
    });
  });
});

it('wrangler types warns of no env, and leaves the types of the code as they are', {
  tags: ['full'],
}, async () => {
  const { code, stdout, stderr } = await startWrangler('types').ended;
  expect(code, stderr).toBe(0);
  expect(stdout).toContain('Types written to worker-configuration.d.ts');
  expect(stderr).not.toMatch(/warning/i);
  // The compiler reads what it reads in test/types, and not what was written.
  const files = (await start('npx', 'tsc', '--listFilesOnly').ended).stdout;
  expect(files).toContain('functions/all.ts');
  expect(files).not.toContain('worker-configuration.d.ts');
});
