/**
 * The files of `npm start`'s directory, missing, damaged or left by something else: they are repaired, or named in a sentence.
 * @module-tag full
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startPostgres } from '../../functions/local/postgres.ts';
import { loadSecrets } from '../../functions/local/secrets.ts';
import { killPostmaster } from '../faults/cluster.ts';
import { copyStopped } from '../setup/data-directory.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import { use } from '../setup/use.ts';
import { type Program, startProgram } from './program.ts';

const directory = use(makeTemporaryDirectory, 'remove');
const ready = 'Ctrl-C stops it.';
/** The data of a service that was stopped. */
const kept = () => join(directory.path, 'kept');

let program: Program | undefined;
async function start(data: string): Promise<Program> {
  program = startProgram('start', ['--data', data], { PORT: '0' });
  await program.printed(ready);
  return program;
}

const health = async (of: Program): Promise<unknown> =>
  (await fetch(`${/^address +(\S+)$/m.exec(of.output())?.[1]}/health`)).json();

beforeAll(async () => {
  await (await start(kept())).interrupt();
});
afterAll(() => program?.interrupt().catch(() => {}));

let made = 0;
function newDirectory(): string {
  made += 1;
  return join(directory.path, `data-${made}`);
}

/** Returns a copy of a stopped service's data, or of another directory of a stopped server. */
async function copyData(from = kept()): Promise<string> {
  const data = newDirectory();
  await copyStopped(from, data);
  return data;
}

const noise = Buffer.from(Array.from({ length: 512 }, (_, at) => (at * 131) % 256));

describe('npm start without secrets.json, where what it rebuilds, locks and notes is noise or a directory in place of a file', () => {
  let data: string;
  let running: Program;
  beforeAll(async () => {
    data = await copyData();
    await rm(join(data, 'secrets.json'));
    for (const name of ['bundle', 'demo', 'reference', 'objects', 'postgres/postmaster.pid']) {
      await rm(join(data, name), { recursive: true, force: true });
      await writeFile(join(data, name), noise);
    }
    for (const name of ['address', 'postgres.new.password', 'postgres/server.log']) {
      await rm(join(data, name), { force: true });
      await mkdir(join(data, name, 'file'), { recursive: true });
    }
    running = await start(data);
  });

  it('starts with other secrets, and keeps the data', async () => {
    expect(running.output()).toContain('has the password of the new secrets now.');
    expect(running.output()).not.toContain('demo rows loaded');
    expect(await health(running)).toMatchObject({ status: 'ok' });
  });

  it('ends with a sentence when Postgres is killed', async () => {
    await killPostmaster(join(data, 'postgres'), 'SIGKILL');
    expect(await running.ended).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Postgres ended\. The last line of its log, \S+server\.log: .+\n$/),
    });
  });

  it('starts again with the new secrets, although another program answers every path at its old port', async () => {
    const other = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello');
    });
    await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    await rm(join(data, 'address'), { recursive: true, force: true });
    await writeFile(join(data, 'address'), `http://127.0.0.1:${port}`);
    const again = await start(data);
    expect(again.output()).not.toContain('has the password of the new secrets now.');
    expect(await health(again)).toMatchObject({ status: 'ok' });
    expect(await again.interrupt()).toMatchObject({ code: 0, stderr: '' });
    other.closeAllConnections();
    other.close();
  });
});

const change = (name: string, value: unknown) => (text: string) =>
  JSON.stringify({ ...JSON.parse(text), [name]: value });

it.each<[what: string, changed: (text: string) => string | Buffer | undefined]>([
  ['noise', () => noise],
  ['a directory', () => undefined],
  ['with a key of two lines', change('secretKey', 'a\nb')],
])('secrets.json is named, with what to do, when it is %s', async (_, changed) => {
  const data = newDirectory();
  await mkdir(data);
  const file = join(data, 'secrets.json');
  const content = changed(await readFile(join(kept(), 'secrets.json'), 'utf8'));
  await (content === undefined ? mkdir(file) : writeFile(file, content));
  await expect(loadSecrets(data)).rejects.toThrow(
    /^\S+\/secrets\.json cannot be used: .+\. Restore it, or remove it: then new keys .+ the data is kept\.$/,
  );
});

const restore =
  /^The database in \S+ cannot be used: .+ restore the directory, or move it away: then a new database is created\.$/;

it.each<[what: string, file: string, content: string | Buffer | undefined, sentence: RegExp]>([
  ['is a file', '', noise, restore],
  ['has a damaged control file', 'global/pg_control', noise, restore],
  ['is of another version', 'PG_VERSION', '15\n', /by PostgreSQL version 15, which is not .+move it away/],
])('the database is named, with what to do, when it %s', async (_, file, content, sentence) => {
  const { directory: stopped, loginPassword: password } = inject('postgres');
  const data = await copyData(stopped);
  await rm(join(data, file), { recursive: true });
  await (content !== undefined && writeFile(join(data, file), content));
  await expect(startPostgres({ directory: data, password })).rejects.toThrow(sentence);
});

it('a database starts when another process has the id of its last server, and only once at a time', async () => {
  const { directory: stopped, loginPassword: password } = inject('postgres');
  const data = await copyData(stopped);
  await writeFile(join(data, 'postmaster.pid'), `${process.pid}\n${data}\n1\n5432\n\n127.0.0.1\n`);
  const server = await startPostgres({ directory: data, password });
  await expect(startPostgres({ directory: data, password })).rejects.toThrow(
    /^The service is already running on the data in \S+, or a Postgres \(process \d+\) that was left behind: stop it\.$/,
  );
  await server.stop();
});
