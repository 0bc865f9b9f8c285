/** What other users and web pages reach of the servers on the developer's machine that are not the service itself. */
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { familyOf } from '../costs/processes.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import { use } from '../setup/use.ts';
import { type Program, startProgram } from './program.ts';

const directory = use(makeTemporaryDirectory, 'remove');
const secret = 'a line that only its owner may read';
beforeAll(() => writeFile(join(directory.path, 'secrets.json'), secret));

/** Returns the sockets on which a process and those that it started listen. See proc(5). */
function listeningOf(id: number) {
  const inodes = new Set(familyOf(id).flatMap(({ id }) => inodesOf(id)));
  const table = (name: string) =>
    readFileSync(`/proc/net/${name}`, 'utf8')
      .split('\n')
      .slice(1)
      .map(line => line.trim().split(/\s+/));
  const tcp = ['tcp', 'tcp6'].flatMap(table).filter(([, , , state]) => state === '0A');
  return {
    /** As "127.0.0.1:8787". */
    tcp: tcp.filter(row => inodes.has(row[9] ?? '')).map(([, address = '']) => readable(address)),
    paths: table('unix')
      .filter(([, , , flags, , , inode = '']) => flags === '00010000' && inodes.has(inode))
      .map(row => row[7] ?? ''),
  };
}

function inodesOf(id: number): string[] {
  const links = readdirSync(`/proc/${id}/fd`).map(fd => {
    try {
      return readlinkSync(`/proc/${id}/fd/${fd}`);
    } catch {
      return '';
    }
  });
  return links.flatMap(link => /^socket:\[(\d+)\]$/.exec(link)?.slice(1) ?? []);
}

/** Of an address with bytes in the order of the machine, as all that Node runs on have it. */
function readable(address: string): string {
  const [host = '', port = ''] = address.split(':');
  return `${[...Buffer.from(host, 'hex')].reverse().join('.')}:${Number.parseInt(port, 16)}`;
}

interface Attack {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** The status and body of the response; what is no HTTP has none. */
async function send(address: string, { path, method = 'POST', headers = {}, body = '' }: Attack) {
  const [host = '', port] = address.split(':');
  const sent = request({ host, port, path, method, headers });
  const upgraded = once(sent, 'upgrade').then(([response, socket]) => {
    socket.destroy();
    return { status: response.statusCode as number, body: '' };
  });
  const answered = once(sent.end(body), 'response').then(async ([response]) => ({
    status: response.statusCode as number,
    body: await text(response),
  }));
  const failed = () => ({ status: undefined, body: '' });
  return Promise.race([upgraded.catch(failed), answered.catch(failed)]);
}

function attacks(): Attack[] {
  const file = join(directory.path, 'secrets.json');
  const stored = `..%2F..%2F..%2F..%2F..%2F..${encodeURIComponent(directory.path)}%2Fwritten`;
  const error = JSON.stringify({ name: 'E', message: 'x', stack: `E: x\n    at f (${file}:1:1)` });
  const html = { accept: 'text/html' };
  const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
  const key = { 'sec-websocket-key': Buffer.alloc(16).toString('base64') };
  const stores = { path: '/core/store-temp-file?prefix=x&extension=x', body: 'written' };
  return [
    stores,
    { ...stores, path: `/core/store-temp-file?prefix=${stored}&extension=x%2F..%2Fa.sh` },
    { ...stores, headers: { host: 'localhost', origin: 'http://localhost' } },
    { ...stores, headers: { host: 'rebound.example', origin: 'http://rebound.example' } },
    { ...stores, headers: { 'mf-original-url': `http://localhost${stores.path}` } },
    { path: '/core/error', body: error, headers: html },
    { path: '/core/do-storage/all-Live', method: 'GET' },
    ...['/core/dev-registry', '/core/public-url', '/browser/sessionIds', '/json', '/json/version'].map(
      path => ({ path, method: 'GET' }),
    ),
    { path: '/demo/session.json', method: 'GET', headers: { host: 'rebound.example' } },
    { path: '/demo/inbox', method: 'GET', headers: { host: 'rebound.example' } },
    {
      path: '/demo/session.json',
      method: 'GET',
      headers: { host: 'rebound.example', 'mf-original-url': 'http://127.0.0.1/demo/session.json' },
    },
    ...['/cdn-cgi/mf/reload', '/core/error', '/json', '/anything'].map(path => ({
      path,
      method: 'GET',
      headers: { ...upgrade, ...key },
    })),
    ...['fetch', 'node'].map(kind => ({
      path: '/anything',
      method: 'GET',
      headers: { [`mf-custom-${kind}-service`]: '0/#DEMO_DELIVERIES' },
    })),
  ];
}

/** Attacks each port, and returns what was answered as if it were asked by workerd. */
async function attackAll(id: number) {
  const { tcp } = listeningOf(id);
  const answered: string[] = [];
  for (const address of tcp) {
    for (const attack of attacks()) {
      const { status = 0, body } = await send(address, attack);
      if (status === 101 || (status >= 200 && status < 300) || body.includes(secret)) {
        answered.push(`${address} ${JSON.stringify(attack)}: ${status}`);
      }
    }
  }
  return answered;
}

function expectPrivate(paths: string[]): void {
  for (const path of paths) {
    const { mode, uid } = statSync(dirname(path));
    expect([path, mode & 0o777, uid]).toEqual([path, 0o700, process.getuid?.()]);
  }
}

describe('npm start', () => {
  let program: Program;
  beforeAll(async () => {
    program = startProgram('start', ['--data', join(directory.path, 'data')], { PORT: '0' });
    await program.printed('Ctrl-C stops it.');
  });
  afterAll(() => program.interrupt());

  it('opens ports only for the service, Postgres, the inbox and the demo graphics, on the loopback interface', () => {
    expect(listeningOf(program.id).tcp).toEqual(Array(4).fill(expect.stringMatching(/^127\.0\.0\.1:\d+$/)));
  });

  it('answers on its ports nothing that only its own workerd may ask, and writes no file', async () => {
    expect(await attackAll(program.id)).toEqual([]);
    expect(readdirSync(directory.path).sort()).toEqual(['data', 'secrets.json']);
  });

  it('has its Unix sockets where only its own user can enter', () => {
    const { paths } = listeningOf(program.id);
    expect(paths).not.toEqual([]);
    expectPrivate(paths);
  });
});
