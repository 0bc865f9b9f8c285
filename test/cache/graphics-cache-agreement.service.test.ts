/** Whether an answer of the graphics library was kept or is new is nothing that a client could tell. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { untilBlocked } from '../setup/locks.ts';
import { type Service, startService } from '../setup/service.ts';
import { aGraphic, type Caller, callerOf, secondsLeft } from '../setup/wire.ts';

let service: Service;
let anon: Caller;
let row: string;

beforeAll(async () => {
  service = await startService({ bindings: { GRAPHICS_CACHE_SECONDS: '3600' } });
  anon = callerOf(service, service.publishableKey);
  const [made] = await service.sql`
    insert into builder.graphics ${service.sql(aGraphic({ name: 'before' }))} returning id`;
  row = `/graphics?id=eq.${made?.['id']}`;
});
afterAll(() => service.stop());

it('a row that the client has is 304 with what 200 would say, and is kept for the others', async () => {
  const path = `${row}&select=id,name`;
  const known = await anon.get(path, { 'if-none-match': '*' });
  await service.sql`update builder.graphics set name = 'after'`;
  const others = await anon.get(path);
  expect([known.status, known.text, others.status, others.body[0].name]).toEqual([304, '', 200, 'before']);
  for (const name of ['etag', 'vary']) {
    expect(known.headers.get(name)).toBe(others.headers.get(name));
  }
  expect(secondsLeft(known)).toBeGreaterThan(3500);
});

it('If-Match is refused on a read, whether its answer was kept or not', async () => {
  const before = await anon.get(`${row}&limit=1`, { 'if-match': '*' });
  await anon.get(`${row}&limit=1`);
  const after = await anon.get(`${row}&limit=1`, { 'if-match': '*' });
  expect([before.status, after.status, after.text]).toEqual([400, 400, before.text]);
});

it('its time counts from when it was asked for: a write meanwhile is not seen later than one after it', async () => {
  const answer = await service.sql.begin(async sql => {
    await sql`lock table builder.graphics in access exclusive mode`;
    const asked = anon.get(`${row}&limit=2`);
    await untilBlocked(service);
    await sleep(2000);
    return { asked };
  });
  expect(secondsLeft(await answer.asked)).toBeLessThanOrEqual(3598);
});
