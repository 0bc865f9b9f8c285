/**
 * supabase-js of other versions and in other runtimes: every one gets what the version of the lock file gets.
 * @module-tag full
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient as create2_39 } from 'supabase-js-2.39';
import { createClient as create2_119 } from 'supabase-js-2.119';
import { createClient as create3_0 } from 'supabase-js-3.0-next';
import { describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { startCommand } from '../local/program.ts';
import { useService } from '../setup/service.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import { everyday } from './everyday.ts';
import { type Client, clientOf } from './supabase.ts';

const service = useService();

const notFound = 'Perhaps you meant the column "quotes.sport".';
const expected = {
  insert: [201, [{ sport: 'golf' }, { sport: 'polo' }, { sport: 'soccer' }], null],
  page: [206, [{ sport: 'soccer', team: 'Löwen, "die"' }], 2],
  contains: [200, [{ sport: 'golf' }], null],
  count: [200, null, 3],
  one: [200, { sport: 'golf' }, null],
  none: [200, null, null],
  update: [200, { sport: 'tennis' }, 1],
  silent: [204, null, null],
  upsert: [200, [{ sport: 'hockey' }], null],
  csv: [200, 'quote_number,sport\nQT-2026-00000,golf\nQT-2026-00001,hockey\nQT-2026-00002,soccer', null],
  rpc: [200, expect.stringMatching(/^QT-\d{4}-\d{5}$/), null],
  refused: [
    409,
    'PT409',
    'A quote cannot move from draft to ordered',
    'From draft this caller may move it to: cancelled, submitted.',
  ],
  forbidden: [403, '42501', 'permission denied for table graphics', null],
  invalid: [400, '23514', 'roster_count must be a number that is not negative', expect.any(String)],
  unknown: [400, '42703', 'column quotes.sprot does not exist', notFound],
  remove: [200, [{ sport: 'golf' }, { sport: 'hockey' }], null],
  rest: [200, [{ sport: 'soccer' }], 1],
};

const realtime = { transport: WebSocket as never };
const versions: Record<string, (token: string) => unknown> = {
  'of the lock file': token => clientOf(service, service.publishableKey, token),
  // It has no accessToken yet.
  '2.39': token =>
    create2_39(service.url, service.publishableKey, {
      global: { headers: { Authorization: `Bearer ${token}` } },
      auth: { persistSession: false, autoRefreshToken: false },
    }),
  '2.119': token =>
    create2_119(service.url, service.publishableKey, { realtime, accessToken: async () => token }),
  '3.0-next': token =>
    create3_0(service.url, service.publishableKey, { realtime, accessToken: async () => token }),
};

describe.each(Object.entries(versions))('supabase-js %s', (_, create) => {
  it('does what an application does every day', async () => {
    const account = randomUUID();
    const client = create(await service.token({ account })) as Client;
    expect(await everyday(client, account)).toEqual(expected);
  });
});

describe('getOpenApiSpec of supabase-js 2.119', () => {
  it('gets Swagger 2.0, with what the caller may use', async () => {
    const { data, error } = await create2_119(service.url, service.publishableKey, {
      realtime,
      accessToken: async () => service.publishableKey,
    }).getOpenApiSpec();
    expect(error).toBeNull();
    expect(data?.swagger).toBe('2.0');
    expect(Object.keys(data?.definitions ?? {})).toEqual(['graphics']);
  });
});

/** The program in the package of this platform, which a package brings as an optional dependency. */
function programOf(name: string, path: string): string {
  const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
  const require = createRequire(manifest);
  const platforms = Object.keys(require(manifest).optionalDependencies);
  const directories = platforms.map(platform => join(dirname(manifest), '..', platform));
  const program = directories.map(directory => join(directory, path)).find(existsSync);
  if (program === undefined) {
    throw new Error(`${name} has no program for this platform`);
  }
  return program;
}

const runtimes: Record<string, [string, string[]]> = {
  Deno: [
    programOf('deno', 'deno'),
    ['run', '--no-lock', '--cached-only', '--allow-env', '--allow-net=127.0.0.1'],
  ],
  Bun: [programOf('bun', 'bin/bun'), ['run', '--no-install']],
};

describe.each(Object.entries(runtimes))('supabase-js in %s', (_, [runtime, flags]) => {
  it('does what an application does every day', async () => {
    const account = randomUUID();
    const caller = [service.url, service.publishableKey, await service.token({ account }), account];
    const program = fileURLToPath(new URL('everyday-program.ts', import.meta.url));
    const cache = await makeTemporaryDirectory();
    const env = { DENO_DIR: cache.path, DENO_NO_UPDATE_CHECK: '1' };
    const { stdout, stderr } = await startCommand(runtime, [...flags, program, ...caller], { env }).ended;
    await cache.remove();
    expect(JSON.parse(stdout || JSON.stringify(stderr))).toEqual(expected);
  });
});
