/** Many connections, slow connections, and what the worker caches for each caller. */
import { randomBytes, randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { rounds, sample } from '../setup/full-size.ts';
import { aQuote } from '../setup/rows.ts';
import { expectCheap } from './expect-cheap.ts';
import { query, store } from './quotes.ts';
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
async function hold(count: number, use: (socket: Socket) => void, seconds = held): Promise<[]> {
  const { hostname, port } = new URL(target.service.url);
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    use(socket);
    return socket;
  });
  await sleep(seconds * 1000);
  for (const socket of sockets) {
    socket.destroy();
  }
  return [];
}

it('sixty clients that request much and read nothing', { timeout: 60_000 }, async () => {
  const outcome = await target.watch(() =>
    hold(60, socket => {
      socket.pause();
      socket.write(
        `GET /rest/v1/quotes?select=customization HTTP/1.1\r\n${headLines(target.callers.customer)}\r\n`,
      );
    }),
  );
  expectCheap(outcome);
});

it('sixty clients that request much and read it', { timeout: 60_000 }, async () => {
  const one = { path: '/rest/v1/quotes?select=customization', headers: target.callers.customer };
  expectCheap(await target.attack(Array(60).fill(one), 60));
});

it('a client that pipelines sixty large requests before it reads', { timeout: 60_000 }, async () => {
  const request = `GET /rest/v1/quotes?select=customization HTTP/1.1\r\n${headLines(target.callers.customer)}\r\n`;
  const outcome = await target.watch(() =>
    hold(1, socket => {
      socket.pause();
      socket.write(request.repeat(60));
    }),
  );
  expectCheap(outcome);
});

it('a hundred clients with slow bodies', { timeout: 60_000 }, async () => {
  const megabyte = 1024 * 1024;
  const headers = { ...target.callers.customer, ...json, 'content-length': String(megabyte) };
  const outcome = await target.watch(() =>
    hold(100, socket => {
      socket.resume();
      socket.write(`POST /rest/v1/quotes HTTP/1.1\r\n${headLines(headers)}\r\n`);
      socket.write(Buffer.alloc(megabyte - 1, ' '));
    }),
  );
  expectCheap(outcome);
});

it('a hundred clients with bodies of unknown length and without end', { timeout: 60_000 }, async () => {
  const headers = { ...target.callers.customer, ...json, 'transfer-encoding': 'chunked' };
  const chunk = Buffer.from(`10000\r\n${' '.repeat(65_536)}\r\n`);
  const outcome = await target.watch(() =>
    hold(100, socket => {
      socket.resume();
      socket.write(`POST /rest/v1/quotes HTTP/1.1\r\n${headLines(headers)}\r\n`);
      for (let sent = 0; sent < 15; sent++) {
        socket.write(chunk);
      }
    }),
  );
  expectCheap(outcome);
});

it('three hundred clients that hang up before the response', { timeout: 60_000 }, async () => {
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
const makers: [string, (n: number) => { path: string; headers: Record<string, string> }][] = [
  [
    'different long selects',
    n => ({
      path: `/rest/v1/quotes?limit=0&select=${Array.from({ length: 90 }, (_, c) => `a${n}b${c}c${'d'.repeat(10)}:sport`).join(',')}`,
      headers: target.callers.customer,
    }),
  ],
  [
    'different long filters',
    n => ({
      path: `/rest/v1/graphics?limit=0&name=eq.${n}${'x'.repeat(4000)}`,
      headers: target.callers.anonymous,
    }),
  ],
  [
    'different entity tags',
    n => ({
      path: '/rest/v1/graphics?limit=1',
      headers: {
        ...target.callers.anonymous,
        'if-none-match': Array.from({ length: 200 }, (_, t) => `"${n}-${t}"`).join(', '),
      },
    }),
  ],
  [
    'malformed tokens',
    n => ({
      path: '/rest/v1/quotes?limit=0',
      headers: { ...target.callers.customer, authorization: `Bearer ${n}.${'x'.repeat(7000)}.${n}` },
    }),
  ],
  [
    'unused headers',
    n => ({
      path: '/rest/v1/quotes?limit=0',
      headers: {
        ...target.callers.customer,
        'x-client-info': `${n}${'x'.repeat(7000)}`,
        'x-request-id': `r${n}`,
      },
    }),
  ],
];

it.each(sample(2, makers))('thousands of %s', { timeout: 120_000 }, async (_, make) => {
  expectCheap(
    await target.attack(
      Array.from({ length: times }, (_, n) => make(n)),
      20,
    ),
  );
});

it('hundreds of customers with the largest tokens', { timeout: 120_000 }, async () => {
  const { service } = target;
  const requests = await Promise.all(
    Array.from({ length: rounds(100, 600) }, async (_, n) => {
      const also = Array.from({ length: 90 }, () => randomUUID());
      const token = await service.token({
        account: randomUUID(),
        also,
        claims: { filler: `${n}${'x'.repeat(1000)}` },
      });
      return { path: '/rest/v1/quotes?limit=0', headers: { ...service.headers(token) } };
    }),
  );
  const outcome = await target.attack([...requests, ...requests], 20);
  expectCheap(outcome);
});

it('hundreds of keys of one caller for the same write', { timeout: 60_000 }, async () => {
  const headers = { ...target.callers.customer, ...json };
  const requests = Array.from({ length: 400 }, (_, n) => ({
    method: 'POST',
    path: '/rest/v1/quotes',
    headers: { ...headers, 'idempotency-key': `key-${n}` },
    body: JSON.stringify(aQuote(target.account)),
  }));
  const outcome = await target.attack(requests, 60);
  expectCheap(outcome);
  expect(outcome.replies.filter(({ status }) => status === 201).length).toBeGreaterThan(0);
});
