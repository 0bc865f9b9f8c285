/** The response cache of the graphics library: who gets a cached response, which one, and for how long. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { untilBlocked } from '../setup/locks.ts';
import { aGraphic, aNotification, aQuote } from '../setup/rows.ts';
import { use } from '../setup/use.ts';
import { type Caller, representation, secondsLeft, signIn } from '../setup/wire.ts';
import { openLibrary } from './library.ts';

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

it('a write of staff is seen by staff at once, and by all others after the cached response expires', async () => {
  // Long enough for the whole test on a busy machine.
  const { anon, customer, staff, stop } = await openLibrary(6);
  for (const caller of [anon, customer, staff]) {
    expect((await caller.get('/graphics?select=name')).body).toEqual([]);
  }
  const cachedAt = Date.now();
  await addGraphic(staff, { name: 'new' });
  expect((await staff.get('/graphics?select=name')).body).toEqual([{ name: 'new' }]);
  for (const caller of [anon, customer]) {
    const reply = await caller.get('/graphics?select=name');
    expect(reply.body).toEqual([]);
    expect(secondsLeft(reply)).toBeLessThan(6);
  }
  await sleep(cachedAt + 6500 - Date.now());
  for (const caller of [anon, customer]) {
    expect((await caller.get('/graphics?select=name')).body).toEqual([{ name: 'new' }]);
  }
  await stop();
});

it('a response of more than 512 KiB is cached too, up to 1 MiB', async () => {
  const { service, anon, staff, stop } = await openLibrary(30);
  const long = Array.from({ length: 60 }, () => aGraphic({ description: 'x'.repeat(10_000) }));
  await staff.send('POST', '/graphics', long);
  const path = '/graphics?select=description';
  const [first, second] = [await anon.get(path), await anon.get(path)];
  expect(first.text.length).toBeGreaterThan(512 * 1024);
  expect([second.text, second.headers.get('etag')]).toEqual([first.text, first.headers.get('etag')]);
  expect(service.logs.filter(line => line.includes('"cached":true'))).toHaveLength(1);
  const more = long.map(graphic => ({ ...graphic, code: `${graphic.code}-2` }));
  await staff.send('POST', '/graphics', more);
  const larger = '/graphics?select=description,name';
  await anon.get(larger);
  expect((await anon.get(larger)).text.length).toBeGreaterThan(1024 * 1024);
  expect(service.logs.filter(line => line.includes('"cached":true'))).toHaveLength(1);
  await stop();
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
