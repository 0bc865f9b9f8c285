/**
 * `npm ci` beside a running `npm start`: it removes the packages, and installs them again.
 * @module-tag full
 */
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { copyCheckout } from '../setup/checkout.ts';
import { root } from '../setup/files.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import { use } from '../setup/use.ts';
import { type Caller, callerOf } from '../setup/wire.ts';
import { type Program, startCommand } from './program.ts';

const execute = promisify(execFile);
const directory = use(makeTemporaryDirectory, 'remove');
let program: Program | undefined;
afterAll(() => program?.interrupt().catch(() => {}));

/** Installs the packages, as hard links where that is possible. */
async function install(packages: string): Promise<void> {
  const from = join(root, 'node_modules');
  await rm(packages, { recursive: true, force: true });
  await execute('cp', ['-al', from, packages]).catch(async () => {
    await rm(packages, { recursive: true, force: true });
    await execute('cp', ['-a', from, packages]);
  });
}

const printed = (label: string): string =>
  new RegExp(`^${label} +(\\S+)$`, 'm').exec(program?.output() ?? '')?.[1] ?? '';

/** Uses every part of the service, and returns what each answers. */
async function useAll(staff: Caller): Promise<object> {
  const address = printed('address');
  const textOf = async (path: string) => (await fetch(`${address}${path}`)).text();
  const demo = await textOf('/demo');
  const files = [...demo.matchAll(/"(\/demo\/[^"]+\.(?:js|css))"/g)].map(([, path = '']) => path);
  const { body: graphics } = await staff.get('/graphics?select=file_url&limit=1');
  const picture = await fetch(graphics[0].file_url);
  const health = await (await fetch(`${address}/health`)).json();
  return {
    swagger: (await textOf('/reference/swagger-ui-bundle.js')).includes('SwaggerUIBundle'),
    demo: await Promise.all(files.map(async path => (await textOf(path)).length > 1000)),
    picture: picture.status,
    inbox: (await fetch(`${address}/demo/inbox`)).status,
    health,
  };
}

it('a running service works after its packages were removed and installed again', async () => {
  const checkout = join(directory.path, 'checkout');
  const packages = join(checkout, 'node_modules');
  await copyCheckout(checkout);
  await install(packages);
  program = startCommand('npm', ['start'], { directory: checkout, env: { PORT: '0' } });
  await program.printed('Ctrl-C stops it.');
  const staff = callerOf(
    { fetch: (path, init) => fetch(`${printed('address')}${path}`, init) },
    printed('secret key'),
  );
  const before = await useAll(staff);
  expect(before).toMatchObject({ swagger: true, demo: [true, true], health: { status: 'ok' } });
  await rm(packages, { recursive: true });
  await install(packages);
  expect(await useAll(staff)).toEqual(before);
  const ordered = await staff.send('PATCH', '/quotes?id=eq.e0000000-0000-4000-8000-000000000004', {
    status: 'ordered',
  });
  expect(ordered.status).toBe(204);
  const inbox = async () => (await fetch(`${printed('address')}/demo/inbox`)).json();
  const mail = expect.objectContaining({ subject: 'Your order QT-2026-00004 is placed.' });
  await expect.poll(inbox).toEqual(expect.arrayContaining([mail]));
  expect(await program.interrupt()).toMatchObject({ code: 0 });
});
