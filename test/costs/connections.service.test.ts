/**
 * Many connections, slow connections, and what the worker caches for each caller.
 *
 * @module-tag full
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { rounds, sample } from '../setup/full-size.ts';
import { expectCheap } from './expect-cheap.ts';
import { postQuote, query, store } from './quotes.ts';
import { json, useTarget } from './target.ts';

const target = useTarget();
beforeAll(async () => {
  await store(
    target,
    Array.from({ length: 8 }, () => ({ customization: { a: randomBytes(375_000).toString('hex') } })),
  );
});

const headLines = (headers: Record<string, string>) =>
  Object.entries({ host: 'a', ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');

/** Seconds. */
const held = rounds(2, 4);

/** Opens so many connections, calls `use` with each, and holds them for some seconds. */
async function hold(count: number, use: (socket: Socket, n: number) => void, seconds = held): Promise<[]> {
  const { hostname, port } = new URL(target.service.url);
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

const large = () =>
  `GET /rest/v1/quotes?select=customization HTTP/1.1\r\n${headLines(target.callers.customer)}\r\n`;
const post = (headers: Record<string, string>, path = '/rest/v1/quotes') =>
  `POST ${path} HTTP/1.1\r\n${headLines({ ...json, ...headers })}\r\n`;
const megabyte = 1024 * 1024;
/** A body without its end: a service that waits for the end keeps the rest in memory. */
const unended = Buffer.alloc(megabyte - 1, ' ');
const chunk = Buffer.from(`10000\r\n${' '.repeat(65_536)}\r\n`);
const paths = [
  '/',
  '/nothing',
  '/rest/v1/quotes',
  '/rest/v1/nothing',
  '/rest/v1/rpc/next_quote_number',
  '/health',
];

it.each<[what: string, count: number, use: (socket: Socket, n: number) => void]>([
  ['sixty clients that request much and read nothing', 60, socket => void socket.pause().write(large())],
  [
    'a client that pipelines sixty large requests before it reads',
    1,
    socket => void socket.pause().write(large().repeat(60)),
  ],
  [
    'a hundred clients with slow bodies',
    100,
    socket => {
      socket.resume().write(post({ ...target.callers.customer, 'content-length': String(megabyte) }));
      socket.write(unended);
    },
  ],
  [
    'a hundred clients with bodies of unknown length and without end',
    100,
    socket => {
      socket.resume().write(post({ ...target.callers.customer, 'transfer-encoding': 'chunked' }));
      socket.write(Buffer.concat(Array(15).fill(chunk)));
    },
  ],
  [
    'three hundred clients without a key, to any path',
    300,
    (socket, n) => {
      socket.resume().write(post({ 'content-length': String(megabyte) }, paths[n % paths.length]));
      socket.write(unended);
    },
  ],
])('are cheap: %s', { timeout: 60_000 }, async (_, count, use) => {
  expectCheap(await target.watch(() => hold(count, use)));
  expect((await target.service.fetch('/health')).status).toBe(200);
});

it('sixty clients that request much and read it are cheap', { timeout: 60_000 }, async () => {
  const one = { path: '/rest/v1/quotes?select=customization', headers: target.callers.customer };
  expectCheap(await target.attack(Array(60).fill(one), 60));
});

it('three hundred clients that hang up before the response are cheap', { timeout: 60_000 }, async () => {
  const path = `/rest/v1/quotes?${query({ select: 'id', 'customization->>a': 'match.(a+)(b+)(c+)\\3\\2\\1$' })}`;
  const outcome = await target.watch(async () => {
    for (let round = 0; round < 5; round++) {
      const ask = (socket: Socket) =>
        socket.write(`GET ${path} HTTP/1.1\r\n${headLines(target.callers.customer)}\r\n`);
      await hold(60, ask, 0.3);
    }
    return [];
  });
  expectCheap(outcome);
});

const times = rounds(300, 1500);
const quotes = '/rest/v1/quotes?limit=0';
const makers: [string, (n: number) => { path: string; headers: Record<string, string> }][] = [
  [
    'long selects',
    n => ({
      path: `${quotes}&select=${Array.from({ length: 90 }, (_, c) => `a${n}b${c}c${'d'.repeat(10)}:sport`)}`,
      headers: target.callers.customer,
    }),
  ],
  [
    'long filters',
    n => ({
      path: `/rest/v1/graphics?limit=0&name=eq.${n}${'x'.repeat(4000)}`,
      headers: target.callers.anonymous,
    }),
  ],
  [
    'malformed tokens',
    n => ({
      path: quotes,
      headers: { ...target.callers.customer, authorization: `Bearer ${n}.${'x'.repeat(7000)}.${n}` },
    }),
  ],
  [
    'unused headers',
    n => ({
      path: quotes,
      headers: { ...target.callers.customer, 'x-client-info': `${n}${'x'.repeat(7000)}` },
    }),
  ],
];

it.each(sample(2, makers))('thousands of different %s are cheap', { timeout: 120_000 }, async (_, make) => {
  expectCheap(
    await target.attack(
      Array.from({ length: times }, (_, n) => make(n)),
      20,
    ),
  );
});

it('hundreds of customers with the largest tokens are cheap', { timeout: 120_000 }, async () => {
  const tokens = Array.from({ length: rounds(100, 600) }, (_, n) => {
    const also = Array.from({ length: 90 }, () => randomUUID());
    return target.service.token({
      account: randomUUID(),
      also,
      claims: { filler: `${n}${'x'.repeat(1000)}` },
    });
  });
  const requests = (await Promise.all(tokens)).map(token => ({
    path: '/rest/v1/quotes?limit=0',
    headers: { ...target.service.headers(token) },
  }));
  expectCheap(await target.attack([...requests, ...requests], 20));
});

it('hundreds of Idempotency-Keys of one caller at once are cheap', { timeout: 60_000 }, async () => {
  const requests = Array.from({ length: 400 }, (_, n) =>
    postQuote(target, {}, { 'idempotency-key': `key-${n}` }),
  );
  const outcome = await target.attack(requests, 60);
  expectCheap(outcome);
  expect(outcome.replies.filter(({ status }) => status === 201).length).toBeGreaterThan(0);
});
