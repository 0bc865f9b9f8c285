import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { tryPort } from '../../functions/local/port.ts';
import { readSettings } from '../../functions/local/settings.ts';
import { createDatabase, type TestDatabase } from '../setup/database.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import { use } from '../setup/use.ts';
import { type Caller, callerOf } from '../setup/wire.ts';
import { keepLoginPassword } from './login-password.ts';
import { type Program, runProgram, startProgram } from './program.ts';

const execute = promisify(execFile);
const ready = 'Ctrl-C stops it.';
const account = 'c0000000-0000-4000-8000-000000000001';

const directory = use(makeTemporaryDirectory, 'remove');
const programs: Program[] = [];

async function start(data: string, env: Record<string, string> = {}): Promise<Program> {
  const program = startProgram('start', ['--data', join(directory.path, data)], { PORT: '0', ...env });
  programs.push(program);
  await program.printed(ready);
  return program;
}

/** What `npm start` printed after a label. */
const printed = (program: Program, label: string): string =>
  new RegExp(`^${label} +(\\S+)$`, 'm').exec(program.output())?.[1] ?? '';

/** With the secret key. */
const staffOf = (program: Program): Caller =>
  callerOf(
    { fetch: (path, init) => fetch(`${printed(program, 'address')}${path}`, init) },
    printed(program, 'secret key'),
  );

describe('npm start', () => {
  let program: Program;
  beforeAll(async () => {
    program = await start('kept');
  });
  afterAll(() => Promise.all(programs.map(({ interrupt }) => interrupt().catch(() => {}))));

  it('reports each step with its milliseconds, is healthy, and runs the sweep on request', async () => {
    for (const name of ['secrets', 'postgres', 'migrations', 'bundle', 'worker']) {
      expect(program.output()).toMatch(new RegExp(`^${name} +\\d+ ms   \\S`, 'm'));
    }
    const address = printed(program, 'address');
    expect((await fetch(`${address}/health`)).status).toBe(200);
    expect((await fetch(`${address}/cdn-cgi/handler/scheduled`)).status).toBe(200);
    await program.printed('{"event":"sweep",');
    await expect.poll(program.output).toMatch(/^\{"event":"sweep",.*\}$/m);
  });

  it('gives the reference page and the demo the key and the tokens of the users of its rows', async () => {
    const claimsOf = (token = '') => JSON.parse(atob(token.split('.')[1] ?? ''));
    const page = await (await fetch(printed(program, 'reference'))).text();
    expect(page).toContain(`value="${printed(program, 'publishable key')}"`);
    expect(claimsOf(/name="token" value="([^"]+)"/.exec(page)?.[1])).toMatchObject({ sub: account });
    const demo = printed(program, 'demo');
    expect(await (await fetch(demo)).text()).toContain('<title>Uniform Builder</title>');
    const { customer } = (await (await fetch(`${demo}/session.json`)).json()) as { customer: string };
    expect(claimsOf(customer)).toMatchObject({ sub: account });
  });

  it('prints three commands that work when pasted', { tags: ['bash', 'curl'] }, async () => {
    const commands = program.output().split(/^# /m).slice(1);
    const [graphics, quotes, priced] = await Promise.all(
      commands.map(async text => {
        const command = /curl[\s\S]*?(?=\n\n)/.exec(text)?.[0] ?? '';
        return JSON.parse((await execute('bash', ['-c', command])).stdout);
      }),
    );
    expect(commands).toHaveLength(3);
    expect(graphics).toHaveLength(7);
    expect(quotes).toHaveLength(7);
    expect(priced).toMatchObject([{ quote_number: 'QT-2026-00002', status: 'quoted', total_price: 622.5 }]);
  });

  it('takes the e-mail that the service sends, and shows it to the demo', async () => {
    const approved = 'id=eq.e0000000-0000-4000-8000-000000000004';
    const ordered = await staffOf(program).send('PATCH', `/quotes?${approved}`, { status: 'ordered' });
    expect(ordered.status).toBe(204);
    const inbox = async () => (await fetch(`${printed(program, 'demo')}/inbox`)).json();
    const mail = {
      to: ['sam@example.com'],
      subject: 'Your order QT-2026-00004 is placed.',
      unsubscribe: expect.stringContaining(`${printed(program, 'address')}/unsubscribe/`),
    };
    const expected = expect.arrayContaining([expect.objectContaining(mail)]);
    await expect.poll(inbox).toEqual(expected);
  });

  it('refuses to start twice on the same data, and says so in one line', async () => {
    const second = await runProgram('start', ['--data', join(directory.path, 'kept')], { PORT: '0' });
    expect(second.code).toBe(1);
    const first = printed(program, 'address');
    expect(second.stderr).toMatch(/^The service is already running at \S+, on the data in \S+\n$/);
    expect(second.stderr).toContain(`at ${first},`);
    expect((await fetch(`${first}/health`)).status).toBe(200);
  });

  it('starts again on the same port after it was killed, and has kept its rows and keys', async () => {
    const key = printed(program, 'secret key');
    const row = { name: 'Kept', code: 'KEPT', file_url: 'https://a.example/k.svg', file_format: 'svg' };
    expect(await staffOf(program).send('POST', '/graphics', row)).toMatchObject({ status: 201 });
    const { port } = new URL(printed(program, 'address'));
    await program.kill();
    await expect.poll(() => tryPort(Number(port))).toBe(Number(port));
    program = await start('kept', { PORT: port });
    expect(printed(program, 'secret key')).toBe(key);
    expect(program.output()).not.toContain('demo rows loaded');
    expect((await staffOf(program).get('/graphics?code=eq.KEPT&select=name')).body).toEqual([
      { name: 'Kept' },
    ]);
  });

  it('leaves nothing running on Ctrl-C, and prints the log to its end', async () => {
    const database = /port (\d+), data in/.exec(program.output())?.[1];
    const ports = [new URL(printed(program, 'address')).port, database].map(Number);
    const last = await staffOf(program).get('/graphics?limit=0');
    const ending = await program.interrupt();
    expect(ending).toMatchObject({ code: 0, stderr: '' });
    expect(ending.stdout).toContain(`"request_id":"${last.headers.get('x-request-id')}"`);
    expect(await Promise.all(ports.map(tryPort))).toEqual(ports);
    await expect(access(join(directory.path, 'kept/postgres/postmaster.pid'))).rejects.toThrow('ENOENT');
  });
});

it('npm start leaves nothing running when it is ended while it makes its database', {
  tags: ['full'],
}, async () => {
  const data = join(directory.path, 'ended');
  const program = startProgram('start', ['--data', data], { PORT: '0' });
  await vi.waitUntil(() => existsSync(join(data, 'postgres.new')), { timeout: 150_000, interval: 10 });
  process.kill(program.id, 'SIGTERM');
  expect(await program.ended).toMatchObject({ code: 0, stderr: '' });
  const { stdout } = await execute('ps', ['-eo', 'args']);
  expect(stdout.split('\n').filter(command => command.includes(data))).toEqual([]);
});

describe('npm start with DATABASE_URL', () => {
  let database: TestDatabase;
  let program: Program;
  const data = () => join(directory.path, 'elsewhere');
  beforeAll(async () => {
    database = await createDatabase();
    await database.sql`drop schema builder cascade`;
    await keepLoginPassword(data());
    program = await start('elsewhere', { DATABASE_URL: database.ownerUrl });
  });
  afterAll(async () => {
    expect(await program.interrupt()).toMatchObject({ code: 0, stderr: '' });
    await database.drop();
  });

  it('migrates that database, starts no Postgres and loads no demo rows', async () => {
    expect((await staffOf(program).get('/graphics')).body).toEqual([]);
    await expect(access(join(data(), 'postgres'))).rejects.toThrow('ENOENT');
  });

  it('shows no demo users, and says at / and /demo what to do to see the demo', async () => {
    const [page, demo] = await Promise.all(
      ['/', '/demo'].map(path => fetch(`${printed(program, 'address')}${path}`)),
    );
    const text = (await page?.text()) ?? '';
    expect(text).toContain('name="apikey" value=""');
    expect(text).toContain('name="token" value=""');
    expect([demo?.status, demo?.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    for (const html of [text, await demo?.text()]) {
      expect(html).toContain('run <code>npm start</code> without <code>DATABASE_URL</code>');
    }
  });

  it('prints only what works there', { tags: ['bash', 'curl'] }, async () => {
    const output = program.output();
    expect(output).not.toMatch(/^(?:demo|customer token|staff token|DATABASE_URL) /m);
    expect(output).toMatch(/^waiting +e-mail, without MAIL_URL; webhooks .* without DELIVER=on$/m);
    const commands = output.match(/curl .*/g) ?? [];
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) {
      expect((await execute('bash', ['-c', command.replace('curl', 'curl -fsS')])).stdout).toMatch(
        /^\[\]|ran/,
      );
    }
  });
});

describe('npm start, when it fails,', () => {
  const attempt = (env: Record<string, string>, data = join(directory.path, 'refused')) =>
    runProgram('start', ['--data', data], { PORT: '0', ...env });

  it('reports a database that cannot be reached in one line, without its password', async () => {
    const env = { DATABASE_URL: 'postgres://owner:secret@127.0.0.1:1/builder' };
    const line =
      /^The database at 127\.0\.0\.1:1\/builder \(DATABASE_URL\) cannot be used: (?!.*secret).+\n$/;
    expect(await attempt(env)).toMatchObject({ code: 1, stderr: expect.stringMatching(line) });
  });

  it('reports invalid settings in one line', () => {
    const line = /^PORT is "http"; it must be a number up to 65535\.$/;
    expect(() => readSettings([], { PORT: 'http' })).toThrow(line);
  });

  it('reports that the port is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const stderr = `Port ${port} is in use: set PORT to another one.\n`;
    expect(await attempt({ PORT: String(port) })).toMatchObject({ code: 1, stderr });
    server.close();
  });
});
