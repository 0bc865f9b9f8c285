/**
 * The response cache of the graphics library: who gets a cached response, which one, and for how long, also without the
 * database.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccessToken } from '../../../functions/local/access-token.ts';
import { untilBlocked } from '../../setup/locks.ts';
import { aGraphic, aNotification, aQuote } from '../../setup/rows.ts';
import type { ServiceOptions } from '../../setup/service.ts';
import { use } from '../../setup/use.ts';
import { type Caller, callerOf, type Reply, representation, secondsLeft, signIn } from '../../setup/wire.ts';
import { type Library, openLibrary } from './library.ts';

async function addGraphic(staff: Caller, more: object = {}): Promise<string> {
  const { body } = await staff.send('POST', '/graphics', aGraphic(more), representation);
  return body[0].id;
}

describe('a response', () => {
  const deployment = use(() => openLibrary(3600), 'stop');

  it('to staff is never shared with others, nor theirs with staff, in any order of requests', async () => {
    await addGraphic(deployment.staff, { name: 'seen' });
    await addGraphic(deployment.staff, { name: 'hidden', is_active: false });
    const paths = ['/graphics?order=id', '/graphics?select=name', '/graphics?select=name&order=id&limit=5'];
    const { anon, customer, other, staff } = deployment;
    for (const order of [
      [staff, anon, customer, other],
      [other, customer, anon, staff],
      [staff, other, staff, anon],
    ]) {
      for (const path of paths) {
        for (const caller of order) {
          const { text, headers } = await caller.get(path);
          expect([path, text.includes('hidden')]).toEqual([path, caller === staff]);
          expect(headers.get('cache-control') === 'private, no-store').toBe(caller === staff);
        }
      }
    }
  });

  it('is not cached when it is an error', async () => {
    const accept = 'application/vnd.pgrst.object+json';
    const read = () => deployment.anon.get('/graphics?code=eq.LATER', { accept });
    const before = await read();
    await addGraphic(deployment.staff, { code: 'LATER' });
    expect([before.status, before.headers.get('cache-control')]).toEqual([406, 'private, no-store']);
    expect((await read()).status).toBe(200);
  });

  it('that is a 304 on a miss has the headers of the 200, which is cached for others', async () => {
    const id = await addGraphic(deployment.staff, { name: 'before' });
    const path = `/graphics?id=eq.${id}&select=id,name`;
    const known = await deployment.anon.get(path, { 'if-none-match': '*' });
    await deployment.service.sql`update builder.graphics set name = 'after'`;
    const others = await deployment.anon.get(path);
    expect([known.status, known.text, others.status, others.body[0].name]).toEqual([304, '', 200, 'before']);
    for (const name of ['etag', 'vary']) {
      expect(known.headers.get(name)).toBe(others.headers.get(name));
    }
    expect(secondsLeft(known)).toBeGreaterThan(3500);
  });

  it('is cached from the beginning of its request on, since it may miss later writes', async () => {
    const { pending } = await deployment.service.sql.begin(async sql => {
      await sql`lock table builder.graphics in access exclusive mode`;
      const pending = deployment.anon.get('/graphics?limit=2');
      await untilBlocked(deployment.service);
      await sleep(2000);
      return { pending };
    });
    expect(secondsLeft(await pending)).toBeLessThanOrEqual(3598);
  });

  it('from the cache has nothing of the caller whose request filled it', async () => {
    const { service, anon, customer } = deployment;
    const [mine, theirs] = [randomUUID(), randomUUID()];
    const read = (caller: Caller, id: string, origin: string) =>
      caller.get('/graphics?limit=3', { 'x-request-id': id, origin });
    const filled = await read(customer, mine, 'https://a.test');
    const hit = await read(anon, theirs, 'https://b.test');
    expect([filled.headers.get('x-request-id'), hit.headers.get('x-request-id')]).toEqual([mine, theirs]);
    expect(JSON.stringify([hit.text, ...hit.headers])).not.toMatch(new RegExp(`${mine}|a\\.test`));
    await expect.poll(() => service.logs.find(line => line.includes(theirs))).toMatch(/"cached":true/);
  });

  it('of 600 kB is cached, and one of 1.2 MB is not, since it has more than 1 MiB', async () => {
    const { service, anon } = deployment;
    const { sql } = service;
    for (const [sort_order, isCached] of [
      [60, true],
      [120, false],
    ] as const) {
      const description = 'x'.repeat(10_000);
      const long = Array.from({ length: sort_order }, () => aGraphic({ description, sort_order }));
      await sql`insert into builder.graphics ${sql(long as never)}`;
      const path = `/graphics?select=description&sort_order=eq.${sort_order}`;
      const first = await anon.get(path);
      const id = randomUUID();
      const second = await anon.get(path, { 'x-request-id': id });
      expect(first.text.length).toBeGreaterThan(sort_order * description.length);
      expect([second.text, second.headers.get('etag')]).toEqual([first.text, first.headers.get('etag')]);
      const line = () => service.logs.find(line => line.includes(id));
      await expect.poll(() => line()?.includes('"cached":true')).toBe(isCached);
    }
  });

  it('of quotes or notifications is never cached', async () => {
    const account = randomUUID();
    const caller = await signIn(deployment.service, { account });
    for (const [path, row] of [
      ['/quotes', aQuote(account)],
      ['/notifications', aNotification(account)],
    ] as const) {
      const before = await caller.get(`${path}?select=account_id`);
      const headers = ['cache-control', 'etag'].map(name => before.headers.get(name));
      expect([before.body, ...headers]).toEqual([[], 'private, no-store', null]);
      await deployment.staff.send('POST', path, row);
      expect((await caller.get(`${path}?select=account_id`)).body).toEqual([{ account_id: account }]);
    }
  });
});

it('a write of staff is seen by staff at once, and by all others after the cached response expires, which is not sent even when the database is away', async () => {
  // Long enough on a busy machine for what must happen before.
  const seconds = 10;
  const { service, wire, anon, customer, staff } = await openLibrary(seconds);
  for (const caller of [anon, customer, staff]) {
    expect((await caller.get('/graphics?select=name')).body).toEqual([]);
  }
  expect((await anon.get('/graphics')).status).toBe(200);
  const cachedAt = Date.now();
  await addGraphic(staff, { name: 'new' });
  expect((await staff.get('/graphics?select=name')).body).toEqual([{ name: 'new' }]);
  for (const caller of [anon, customer]) {
    const reply = await caller.get('/graphics?select=name');
    expect(reply.body).toEqual([]);
    expect(secondsLeft(reply)).toBeLessThan(seconds);
  }
  await sleep(cachedAt + seconds * 1000 + 500 - Date.now());
  for (const caller of [anon, customer]) {
    expect((await caller.get('/graphics?select=name')).body).toEqual([{ name: 'new' }]);
  }
  await wire.stop();
  const late = await anon.get('/graphics');
  expect([late.status, late.headers.get('cache-control')]).toEqual([503, 'private, no-store']);
  await service.stop();
});

it('with 0 seconds nothing is cached, neither here nor by the browser', async () => {
  const { anon, staff, stop } = await openLibrary(0);
  const before = await anon.get('/graphics?select=name');
  await addGraphic(staff, { name: 'new' });
  const after = await anon.get('/graphics?select=name');
  const { status, body } = after;
  expect([status, before.body, body]).toEqual([200, [], [{ name: 'new' }]]);
  expect(before.headers.get('cache-control')).toBe('private, no-store');
  expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
  await stop();
});

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

describe('when the database is away', () => {
  let deployment: Library;
  const first: unknown[] = [];
  beforeAll(async () => {
    deployment = await open(3600);
    for (const [, method, path, headers] of reads) {
      first.push(seen(await deployment.anon.send(method, path, undefined, headers)));
    }
    await deployment.wire.stop();
    deployment.wire.reset();
  });
  afterAll(() => deployment.service.stop());

  it.each(
    reads,
  )('a cached response takes no connection of the database: %s', async (what, method, path, headers, status) => {
    const { anon, customer, other, wire } = deployment;
    for (const caller of [anon, customer, other]) {
      const reply = await caller.send(method, path, undefined, headers);
      expect(seen(reply)).toEqual(first[reads.findIndex(([other]) => other === what)]);
      expect([reply.status, reply.text === '']).toEqual([status, method === 'HEAD']);
      expect(secondsLeft(reply)).toBeGreaterThan(3000);
    }
    expect(wire.connections()).toBe(0);
  });

  it('staff and the service get no cached response, and no one gets one that was not cached', async () => {
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

it('requests for cached responses count against the rate limit', async () => {
  const { anon, stop } = await open(3600, { rateLimits: { ADDRESS_LIMIT: 3 } });
  const status = async () => (await anon.get('/graphics', { 'cf-connecting-ip': '192.0.2.1' })).status;
  expect(await status()).toBe(200);
  await expect.poll(status).toBe(429);
  await stop();
});
