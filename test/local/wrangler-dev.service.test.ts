/** Cloudflare's own way in: `npx wrangler dev` in a clean checkout. */
import { readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyCheckout } from '../setup/checkout.ts';
import { useDatabase } from '../setup/database.ts';
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
  });

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
        hint: expect.stringContaining('.dev.vars.example'),
      },
    });
    const names = 'PUBLISHABLE_KEY, SECRET_KEY, JWT_SECRET or JWKS_URL';
    const key = 'sb_publishable_a';
    for (const headers of [{}, { apikey: key, authorization: `Bearer ${key}` }]) {
      expect(await get('/rest/v1/graphics', headers)).toEqual(unset(names));
    }
    await dev.printed(`"reason":"not set: ${names}"`);
    expect(await get('/health')).toEqual(unset('DATABASE_URL'));
  });

  describe('with .dev.vars.example filled in', () => {
    const database = useDatabase();
    const key = 'sb_publishable_a';
    beforeAll(async () => {
      const values: Record<string, string> = {
        DATABASE_URL: database.apiUrl,
        JOBS_DATABASE_URL: database.jobsUrl,
        PUBLISHABLE_KEY: key,
        SECRET_KEY: 'sb_secret_b',
        JWT_SECRET: 'c'.repeat(32),
        LOCAL: '1',
      };
      await database.sql`
        insert into builder.graphics (name, code, file_url, file_format)
        values ('Eagle', 'EAGLE', 'https://cdn.example.com/eagle.svg', 'svg')`;
      const example = await readFile(join(checkout, '.dev.vars.example'), 'utf8');
      const filled = example.replace(/^(\w+)=.*$/gm, (_, name: string) => `${name}='${values[name]}'`);
      await writeFile(join(checkout, '.dev.vars'), filled);
      // wrangler watches this file only, and reads .dev.vars with it.
      await utimes(join(checkout, 'wrangler.toml'), new Date(), new Date());
    });

    it('serves the graphics, without being started again', async () => {
      await expect.poll(async () => (await get('/health')).status, { timeout: 120_000 }).toBe(200);
      const { status, body } = await get('/rest/v1/graphics?select=code', { apikey: key });
      expect({ status, body }).toEqual({ status: 200, body: [{ code: 'EAGLE' }] });
    });

    it('runs the sweep on request', async () => {
      expect((await fetch(`${address}/cdn-cgi/handler/scheduled`)).status).toBe(200);
      await dev.printed('"event":"sweep"');
      expect(dev.output()).not.toMatch(/"event":"sweep"[^}]*"code"/);
    });
  });
});
