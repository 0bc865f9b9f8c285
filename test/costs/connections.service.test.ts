/** Many connections, and slow connections. */
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { sample } from '../setup/full-size.ts';
import { query, store } from './quotes.ts';
import { expectCheap, json, useTarget } from './target.ts';

const target = useTarget();
beforeAll(async () => {
  const quotes = Array.from({ length: 8 }, () => ({
    customization: { a: randomBytes(375_000).toString('hex') },
  }));
  await store(target, quotes);
});

/** Opens so many connections to the worker of quotes, calls `use` with each, and holds them for some seconds. */
async function hold(count: number, use: (socket: Socket, n: number) => void, seconds = 3): Promise<[]> {
  // The router in place of Cloudflare's routes would keep a part of each body too.
  const { hostname, port } = new URL(target.service.at('quotes').url);
  const sockets = Array.from({ length: count }, (_, n) => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    use(socket, n);
    return socket;
  });
  await sleep(seconds * 1000);
  for (const socket of sockets) {
    socket.destroy();
  }
  return [];
}

const head = (request: string, headers: Record<string, string>): string => {
  const fields = Object.entries({ host: 'a', ...headers }).map(pair => pair.join(': '));
  return `${[`${request} HTTP/1.1`, ...fields].join('\r\n')}\r\n\r\n`;
};
const large = () => head('GET /rest/v1/quotes?select=customization', target.callers.customer);
const length = { ...json, 'content-length': String(1024 * 1024) };
/** A body without its end: a service that waits for the end keeps the rest in memory. */
const unended = Buffer.alloc(1024 * 1024 - 1, ' ');
const chunk = Buffer.from(`10000\r\n${' '.repeat(65_536)}\r\n`);
const paths = ['/', '/none', '/rest/v1/quotes', '/rest/v1/none', '/rest/v1/rpc/next_quote_number', '/health'];

const ways: [what: string, count: number, use: (socket: Socket, n: number) => void][] = [
  ['sixty clients that request much and read nothing', 60, socket => void socket.pause().write(large())],
  ['a client that pipelines sixty requests', 1, socket => void socket.pause().write(large().repeat(60))],
  [
    'a hundred clients with slow bodies',
    100,
    socket => {
      socket.resume().write(head('POST /rest/v1/quotes', { ...length, ...target.callers.customer }));
      socket.write(unended);
    },
  ],
  [
    'a hundred clients with bodies of unknown length and without end',
    100,
    socket => {
      const headers = { ...json, 'transfer-encoding': 'chunked', ...target.callers.customer };
      socket.resume().write(head('POST /rest/v1/quotes', headers));
      socket.write(Buffer.concat(Array(15).fill(chunk)));
    },
  ],
  // workerd keeps up to 0.85 MB of a body that nobody reads, so the number of such connections is part of the promise.
  [
    'a hundred clients without a key, to any path',
    100,
    (socket, n) => {
      socket.resume().write(head(`POST ${paths[n % paths.length]}`, length));
      socket.write(unended);
    },
  ],
];
it.each(sample(1, ways))('connections are cheap: %s', async (_, count, use) => {
  expectCheap(await target.watch(() => hold(count, use)));
  expect((await target.service.fetch('/health')).status).toBe(200);
});

it('three hundred clients that hang up before the response are cheap', async () => {
  const slow = query({ select: 'id', 'customization->>a': 'ilike.*a*b*c*d*e*' });
  const ask = (socket: Socket) => socket.write(head(`GET /rest/v1/quotes?${slow}`, target.callers.customer));
  const outcome = await target.watch(async () => {
    for (let round = 0; round < 5; round++) {
      await hold(60, ask, 0.3);
    }
    return [];
  });
  expectCheap(outcome);
});
