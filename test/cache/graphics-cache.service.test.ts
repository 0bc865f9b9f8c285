/** The response cache of the graphics library: who gets a cached response, which one, and for how long. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aGraphic, aNotification, aQuote } from '../setup/rows.ts';
import { type Service, startService } from '../setup/service.ts';
import { type Caller, callerOf, representation, secondsLeft, signIn } from '../setup/wire.ts';

interface Open {
  service: Service;
  anon: Caller;
  customer: Caller;
  other: Caller;
  staff: Caller;
}

async function open(seconds: string): Promise<Open> {
  const service = await startService({ bindings: { GRAPHICS_CACHE_SECONDS: seconds } });
  return {
    service,
    anon: callerOf(service, service.publishableKey),
    customer: await signIn(service, { account: randomUUID() }),
    other: await signIn(service, { account: randomUUID() }),
    staff: await signIn(service, { account: randomUUID(), staff: true }),
  };
}

async function addGraphic(staff: Caller, more: object = {}): Promise<string> {
  const { body } = await staff.send('POST', '/graphics', aGraphic(more), representation);
  return body[0].id;
}

describe('a response of the graphics library', () => {
  let deployment: Open;
  beforeAll(async () => {
    deployment = await open('3600');
    await addGraphic(deployment.staff);
  });
  afterAll(() => deployment.service.stop());

  it('is shared by all with the publishable key, alone or in both headers, and never with the secret key', async () => {
    const { service, anon, staff } = deployment;
    const path = `/graphics?select=id&name=neq.${randomUUID()}`;
    const shared = await anon.get(path);
    await addGraphic(staff, { is_active: false });
    await addGraphic(staff);
    expect((await callerOf(service, service.publishableKey, null).get(path)).text).toBe(shared.text);
    const secret = await callerOf(service, service.secretKey, null).get(path);
    expect(secret.body).toHaveLength(shared.body.length + 2);
    expect(secret.headers.get('cache-control')).toBe('private, no-store');
  });

  it('is not cached when it is an error', async () => {
    const accept = 'application/vnd.pgrst.object+json';
    const read = () => deployment.anon.get('/graphics?code=eq.LATER', { accept });
    const before = await read();
    await addGraphic(deployment.staff, { code: 'LATER' });
    expect([before.status, before.headers.get('cache-control')]).toEqual([406, 'private, no-store']);
    expect((await read()).status).toBe(200);
  });
});

describe('for different callers', () => {
  let deployment: Open;
  beforeAll(async () => {
    deployment = await open('3600');
  });
  afterAll(() => deployment.service.stop());

  it('staff’s responses are never shared with others, nor theirs with staff, in any order of requests', async () => {
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

  it('quotes and notifications are never cached', async () => {
    const mine = randomUUID();
    const theirs = randomUUID();
    const callers = await Promise.all([mine, theirs].map(account => signIn(deployment.service, { account })));
    for (const path of ['/quotes?select=account_id', '/notifications?select=account_id']) {
      for (const [index, account] of [mine, theirs].entries()) {
        const before = await callers[index]?.get(path);
        const headers = ['cache-control', 'etag'].map(name => before?.headers.get(name));
        expect([before?.body, ...headers]).toEqual([[], 'private, no-store', null]);
        const row = path.startsWith('/quotes') ? aQuote(account) : aNotification(account);
        await deployment.staff.send('POST', path.split('?')[0] ?? '', row);
        expect((await callers[index]?.get(path))?.body).toEqual([{ account_id: account }]);
      }
    }
  });
});

it('a write of staff is seen by staff at once, and by all others after the cached response expires', async () => {
  // Long enough for the whole test on a busy machine.
  const { service, anon, customer, staff } = await open('6');
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
  await service.stop();
});

it('a response of more than 512 KiB is cached too, up to 1 MiB', async () => {
  const { service, anon, staff } = await open('30');
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
  await service.stop();
});

it('with 0 seconds nothing is cached, neither here nor by the browser', async () => {
  const { service, anon, staff } = await open('0');
  const before = await anon.get('/graphics?select=name');
  await addGraphic(staff, { name: 'new' });
  const after = await anon.get('/graphics?select=name');
  const { status, body } = after;
  expect([status, before.body, body]).toEqual([200, [], [{ name: 'new' }]]);
  expect(before.headers.get('cache-control')).toBe('private, no-store');
  expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
  await service.stop();
});
