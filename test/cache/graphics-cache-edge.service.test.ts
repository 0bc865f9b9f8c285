/** A read that is cached is answered without the database, for whoever may have it, and for nobody else. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccessToken } from '../../functions/local/access-token.ts';
import { aGraphic } from '../setup/rows.ts';
import type { ServiceOptions } from '../setup/service.ts';
import { type Caller, callerOf, type Reply, secondsLeft } from '../setup/wire.ts';
import { type Library, openLibrary } from './library.ts';

async function open(seconds: number, options?: ServiceOptions): Promise<Library> {
  const library = await openLibrary(seconds, options);
  const { sql } = library.service;
  await sql`insert into builder.graphics ${sql([1, 2, 3].map(() => aGraphic()))}`;
  return library;
}

type Read = [what: string, method: string, path: string, headers: Record<string, string>, status: number];
const reads: Read[] = [
  ['a page', 'GET', '/graphics?select=code', {}, 200],
  ['a part of it', 'GET', '/graphics?select=code', { range: '0-1', prefer: 'count=exact' }, 206],
  ['a count', 'HEAD', '/graphics?select=code', { prefer: 'count=exact' }, 200],
  ['the page that was counted', 'GET', '/graphics?select=code', { prefer: 'count=exact' }, 200],
  ['CSV', 'GET', '/graphics?select=code', { accept: 'text/csv' }, 200],
  ['no row', 'GET', '/graphics?code=eq.NONE', {}, 200],
];

const compared = ['content-range', 'content-type', 'etag', 'vary', 'link', 'access-control-allow-origin'];
const seen = ({ status, text, headers }: Reply) => [status, text, ...compared.map(name => headers.get(name))];

describe.each<[string, ServiceOptions]>([
  ['over the pool', {}],
  ['over Hyperdrive', { hyperdrive: 'direct' }],
])('%s, when the database is away', (_, options) => {
  let deployment: Library;
  const first: unknown[] = [];
  beforeAll(async () => {
    deployment = await open(3600, options);
    for (const [, method, path, headers] of reads) {
      first.push(seen(await deployment.anon.send(method, path, undefined, headers)));
    }
    await deployment.wire.stop();
    deployment.wire.reset();
  });
  afterAll(() => deployment.service.stop());

  it.each(reads)('everyone gets %s that is cached, without a connection', async (what, ...read) => {
    const [method, path, headers, status] = read;
    const { anon, customer, other, wire } = deployment;
    for (const caller of [anon, customer, other]) {
      const reply = await caller.send(method, path, undefined, headers);
      expect(seen(reply)).toEqual(first[reads.findIndex(([other]) => other === what)]);
      expect([reply.status, reply.text === '']).toEqual([status, method === 'HEAD']);
      expect(secondsLeft(reply)).toBeGreaterThan(3000);
    }
    expect(wire.connections()).toBe(0);
  });

  it('staff and the service get nothing that is cached, nor does anybody what is not', async () => {
    const { service, anon, staff } = deployment;
    for (const caller of [staff, callerOf(service, service.secretKey)]) {
      expect((await caller.get('/graphics?select=code')).status).toBe(503);
    }
    expect((await anon.get('/graphics?select=name')).status).toBe(503);
  });

  it('a key or a token that is missing, refused or expired opens no cached response', async () => {
    const { service } = deployment;
    const account = randomUUID();
    const expired = await service.token({ account, claims: { exp: Math.floor(Date.now() / 1000) - 120 } });
    const forged = await createAccessToken('another secret of more than 32 bytes', { account });
    for (const [key, token, code] of [
      ['', null, 'PGRST302'],
      ['sb_publishable_wrong', null, 'PGRST301'],
      [service.publishableKey, expired, 'PGRST303'],
      [service.publishableKey, forged, 'PGRST301'],
    ] as const) {
      const { status, body } = await callerOf(service, key, token).get('/graphics?select=code');
      expect([status, body.code]).toEqual([401, code]);
    }
  });
});

it('a cached response has nothing of the caller whose request filled it', async () => {
  const { service, anon, customer, stop } = await open(3600);
  const [mine, theirs] = [randomUUID(), randomUUID()];
  const read = (caller: Caller, id: string, origin: string) =>
    caller.get('/graphics', { 'x-request-id': id, origin });
  const filled = await read(customer, mine, 'https://a.test');
  const hit = await read(anon, theirs, 'https://b.test');
  expect([filled.headers.get('x-request-id'), hit.headers.get('x-request-id')]).toEqual([mine, theirs]);
  expect(JSON.stringify([hit.text, ...hit.headers])).not.toMatch(new RegExp(`${mine}|a\\.test`));
  await expect.poll(() => service.logs.find(line => line.includes(theirs))).toMatch(/"cached":true/);
  await stop();
});

it('requests for cached responses count against the rate limit', async () => {
  const { anon, stop } = await open(3600, { rateLimits: { ADDRESS_LIMIT: 3 } });
  const statuses = [];
  // Counters begin again every ten seconds: four of these fall between two beginnings.
  for (let request = 0; request < 8; request++) {
    statuses.push((await anon.get('/graphics', { 'cf-connecting-ip': '192.0.2.1' })).status);
  }
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  await stop();
});

it('no response that is older is sent when the database is away', async () => {
  const { service, wire, anon } = await open(3);
  const reply = await anon.get('/graphics');
  expect(secondsLeft(reply)).toBeLessThanOrEqual(3);
  await wire.stop();
  await sleep(3000);
  const late = await anon.get('/graphics');
  expect([late.status, late.headers.get('cache-control')]).toEqual([503, 'private, no-store']);
  await service.stop();
});
