/** A cached response of the graphics library is indistinguishable from a new one. */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { untilBlocked } from '../setup/locks.ts';
import { aGraphic } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { secondsLeft, useCallers } from '../setup/wire.ts';

const service = useService({ bindings: { GRAPHICS_CACHE_SECONDS: '3600' } });
let row: string;

const { anon } = useCallers(service);
beforeAll(async () => {
  const [made] = await service.sql`
    insert into builder.graphics ${service.sql(aGraphic({ name: 'before' }))} returning id`;
  row = `/graphics?id=eq.${made?.['id']}`;
});

it('a 304 on a miss has the headers of the 200, and the full response is cached for others', async () => {
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

it('the time to cache counts from the beginning of the request, since the response may miss later writes', async () => {
  const { pending } = await service.sql.begin(async sql => {
    await sql`lock table builder.graphics in access exclusive mode`;
    const pending = anon.get(`${row}&limit=2`);
    await untilBlocked(service);
    await sleep(2000);
    return { pending };
  });
  expect(secondsLeft(await pending)).toBeLessThanOrEqual(3598);
});
