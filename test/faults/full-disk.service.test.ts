/** A full disk of the database (SQLSTATE 53100). A trigger raises what Postgres raises where a file can't grow. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { aGraphic } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { useCallers } from '../setup/wire.ts';

const service = useService();
const { staff } = useCallers(service);
beforeAll(async () => {
  await staff.send('POST', '/graphics', aGraphic());
  await service.sql.unsafe(`
    create function builder.fill_disk() returns trigger language plpgsql as $$ begin
      raise exception 'could not extend file "base/16384/16400": No space left on device' using errcode = '53100';
    end $$;
    create trigger fill_disk before insert or update or delete on builder.graphics
      for each statement execute function builder.fill_disk()`);
  return () => service.sql.unsafe('drop function builder.fill_disk() cascade');
});

it('writes with a full disk fail, as the response and the log say, while rows are read and /health is good', async () => {
  const requestId = randomUUID();
  const failed = await staff.send('POST', '/graphics', aGraphic(), { 'x-request-id': requestId });
  expect([failed.status, failed.headers.get('retry-after')]).toEqual([503, '1']);
  expect(failed.body).toEqual({
    code: '53100',
    message: 'The disk of the database is full, so nothing was written',
    details: null,
    hint: expect.stringContaining('reads still work'),
  });
  const find = () => service.logs.find(line => line.includes(requestId)) ?? '{}';
  const logged = { status: 503, code: '53100', reason: 'the disk of the database is full' };
  await expect.poll(() => JSON.parse(find())).toMatchObject(logged);
  expect((await staff.get('/graphics')).body).toHaveLength(1);
  expect((await service.fetch('/health')).status).toBe(200);
});
