/**
 * A full disk of the database (SQLSTATE 53100): writes fail in a sentence that says so, and reads work. Triggers raise what
 * Postgres raises where a file can't grow.
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { aGraphic } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { representation, useCallers } from '../setup/wire.ts';

const service = useService();
const { staff } = useCallers(service);
let id: string;
beforeAll(async () => {
  const { body } = await staff.send('POST', '/graphics?select=id', aGraphic(), representation);
  id = body[0].id;
  await service.sql.unsafe(`
    create function builder.fill_disk() returns trigger language plpgsql as $$ begin
      raise exception 'could not extend file "base/16384/16400": No space left on device' using errcode = '53100';
    end $$;
    create trigger fill_disk before insert or update or delete on builder.graphics
      for each statement execute function builder.fill_disk();
    create trigger fill_disk before insert or update on builder.quote_numbers
      for each statement execute function builder.fill_disk()`);
  return () => service.sql.unsafe('drop function builder.fill_disk() cascade');
});

const writes: [method: string, path: () => string, body?: object, headers?: Record<string, string>][] = [
  ['POST', () => '/graphics', aGraphic()],
  ['POST', () => '/graphics', [aGraphic(), aGraphic()], { prefer: 'resolution=merge-duplicates' }],
  ['POST', () => '/graphics', aGraphic(), { 'idempotency-key': randomUUID() }],
  ['PUT', () => `/graphics?id=eq.${id}`, aGraphic()],
  ['PATCH', () => `/graphics?id=eq.${id}`, { name: 'x' }],
  ['PATCH', () => '/graphics?is_active=is.true', { name: 'x' }],
  ['DELETE', () => `/graphics?id=eq.${id}`],
  ['POST', () => '/rpc/next_quote_number', {}],
];

describe('with a full disk', () => {
  it.each(writes)('%s %s fails, and says that the disk is full', async (method, path, body, headers) => {
    const sent = method === 'PUT' ? { ...body, id } : body;
    const failed = await staff.send(method, path(), sent, headers);
    expect([failed.status, failed.body]).toEqual([
      503,
      {
        code: '53100',
        message: 'The disk of the database is full, so nothing was written',
        details: null,
        hint: expect.stringContaining('reads still work'),
      },
    ]);
    expect(failed.headers.get('retry-after')).toBe('1');
  });

  it('rows are read, and /health is good', async () => {
    expect((await staff.get(`/graphics?id=eq.${id}`)).body).toHaveLength(1);
    expect((await service.fetch('/health')).status).toBe(200);
  });

  it('the log names the reason', async () => {
    const requestId = randomUUID();
    await staff.send('POST', '/graphics', aGraphic(), { 'x-request-id': requestId });
    const find = () => service.logs.find(line => line.includes(requestId)) ?? '{}';
    await expect
      .poll(() => JSON.parse(find()))
      .toMatchObject({ status: 503, code: '53100', reason: 'the disk of the database is full' });
  });
});
