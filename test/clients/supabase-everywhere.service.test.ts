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
import { beforeAll, expect, it } from 'vitest';
import WebSocket from 'ws';
import { startCommand } from '../local/program.ts';
import { useService } from '../setup/service.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import { everyday } from './everyday.ts';
import { type Client, clientOf } from './supabase.ts';

const service = useService();

/** What the version of the lock file gets, which other tests look at. */
let expected: Record<string, unknown[]>;
beforeAll(async () => {
  const account = randomUUID();
  const client = clientOf(service, service.publishableKey, await service.token({ account }));
  expected = await everyday(client, account);
  const statuses = '201 206 200 200 200 200 200 204 200 200 200 409 403 400 400 200 200';
  expect(
    Object.values(expected)
      .map(([status]) => status)
      .join(' '),
  ).toBe(statuses);
  expected['rpc'] = [200, expect.stringMatching(/^QT-\d{4}-\d{5}$/), null];
});

const realtime = { transport: WebSocket as never };
const versions: Record<string, (token: string) => unknown> = {
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

it.each(Object.entries(versions))('supabase-js %s does what applications do every day', async (_, create) => {
  const account = randomUUID();
  const client = create(await service.token({ account })) as Client;
  expect(await everyday(client, account)).toEqual(expected);
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
    'run --no-lock --cached-only --allow-env --allow-net=127.0.0.1'.split(' '),
  ],
  Bun: [programOf('bun', 'bin/bun'), ['run', '--no-install']],
};

it.each(Object.entries(runtimes))('supabase-js in %s does what applications do every day', async (_, [
  runtime,
  flags,
]) => {
  const account = randomUUID();
  const caller = [service.url, service.publishableKey, await service.token({ account }), account];
  const program = fileURLToPath(new URL('everyday-program.ts', import.meta.url));
  const cache = await makeTemporaryDirectory();
  const env = { DENO_DIR: cache.path, DENO_NO_UPDATE_CHECK: '1' };
  const { stdout, stderr } = await startCommand(runtime, [...flags, program, ...caller], { env }).ended;
  await cache.remove();
  expect(JSON.parse(stdout || JSON.stringify(stderr))).toEqual(expected);
});
