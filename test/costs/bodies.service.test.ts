/** Bodies of a megabyte that are expensive to process. */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { sample } from '../setup/full-size.ts';
import { expectCheap } from './expect-cheap.ts';
import { postQuote } from './quotes.ts';
import { json, useTarget } from './target.ts';

const target = useTarget();

const megabyte = 1024 * 1024;
/** As many repetitions as fit. */
const listOf = (part: string, bytes = megabyte) =>
  `[${`${part},`.repeat(Math.floor((bytes - 2) / (part.length + 1)) - 1)}${part}]`;

it.each(
  sample(2, [
    ['empty arrays', listOf('[]')],
    ['empty objects', listOf('{}')],
    ['one letter each', listOf('"a"')],
    ['arrays in a column', `{"customization":{"a":${listOf('[]', megabyte - 30)}}}`],
  ]),
)('sixty bodies at once, of %s', { timeout: 180_000 }, async (_, body) => {
  const request = {
    method: 'POST',
    path: '/rest/v1/quotes',
    headers: { ...target.callers.customer, ...json },
    body: Buffer.from(body),
  };
  expectCheap(await target.attack(Array(60).fill(request), 60));
});

it('sixty quotes at once, with a megabyte of empty arrays each', { timeout: 180_000 }, async () => {
  const request = postQuote(target, { customization: { a: Array.from({ length: 300_000 }, () => []) } });
  expectCheap(await target.attack(Array(60).fill(request), 60));
});

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const shortKey = (n: number) => [62 ** 2, 62, 1].map(place => letters[Math.floor(n / place) % 62]).join('');
const manyKeys = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [shortKey(n), value]));

it.each(
  sample(2, [
    ['colors', 125_000, 1],
    ['colors', 110_000, ''],
    ['shipping_address', 125_000, 1],
    ['size_breakdown', 110_000, ''],
    ['size_breakdown', 125_000, 1],
  ]),
)('%s with %i keys of %j', { timeout: 60_000 }, async (column, count, value) => {
  const request = postQuote(target, { [column]: manyKeys(count, value) });
  expectCheap(await target.attack([request]));
  expectCheap(await target.attack([{ ...request, method: 'PATCH', path: '/rest/v1/quotes?id=not.is.null' }]));
});

it.each(
  sample(3, [
    ['unit_price', `${'1'.repeat(100_000)}x`],
    ['total_price', `${'1'.repeat(100_000)}x`],
    ['unit_price', `${' '.repeat(100_000)}x`],
    ['unit_price', `1${' '.repeat(100_000)}x`],
    ['roster_count', `${'1'.repeat(100_000)}x`],
    ['rush_order', `t${' '.repeat(100_000)}x`],
    ['event_date', `2026-01-01T10:00:00.${'1'.repeat(100_000)}x`],
  ]),
)('a value of %s that is nearly one', { timeout: 180_000 }, async (column, value) => {
  const { staff } = target.callers;
  for (const type of [json, { 'content-type': 'application/x-www-form-urlencoded' }]) {
    const body = type === json ? JSON.stringify({ [column]: value }) : `${column}=${value}`;
    const path = '/rest/v1/quotes?id=not.is.null';
    expectCheap(await target.attack([{ method: 'PATCH', path, headers: { ...staff, ...type }, body }]));
  }
});

it('three hundred connections without a key, each with a body of 1 MiB, to any path', {
  timeout: 120_000,
}, async () => {
  const { hostname, port } = new URL(target.service.url);
  const paths = [
    '/',
    '/nothing',
    '/rest/v1/quotes',
    '/rest/v1/nothing',
    '/rest/v1/rpc/next_quote_number',
    '/health',
  ];
  const body = Buffer.alloc(megabyte, 'x');
  const outcome = await target.watch(async () => {
    const sockets = Array.from({ length: 300 }, (_, n) => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => {});
      socket.resume();
      const path = paths[n % paths.length];
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${megabyte}\r\n\r\n`,
      );
      // Without its end: a service that waits for the end keeps the rest in memory.
      socket.write(body.subarray(1));
      return socket;
    });
    await sleep(4000);
    for (const socket of sockets) {
      socket.destroy();
    }
    return [];
  });
  expectCheap(outcome);
  expect((await target.service.fetch('/health')).status).toBe(200);
});
