/** The ids of notifications: generated, or supplied and never generated again. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { useDatabase } from '../setup/database.ts';
import { aNotification } from '../setup/rows.ts';
import { asStaff, insert } from './roles.ts';

const database = useDatabase();
beforeEach(() => database.sql`truncate builder.notifications restart identity`);

const add = (id?: string): Promise<string> =>
  asStaff(database.sql, {}, as =>
    insert(as, 'notifications', aNotification(randomUUID(), id === undefined ? {} : { id })),
  );
const addMany = async (count: number): Promise<bigint[]> =>
  (await Promise.all(Array.from({ length: count }, () => add()))).map(BigInt);

it('an id is generated when left out, and kept when supplied, and a lower one moves no sequence back', async () => {
  const ids = [await add(), await add(), await add('5000'), await add('3'), await add()];
  expect(ids).toEqual(['1', '2', '5000', '3', '5001']);
});

it.each([
  ['is not generated later', '4503599627370495', ['4503599627370496', '4503599627370497']],
  ['does not move the sequence when it is 2^52 or more', '4503599627370496', ['1', '2']],
  ['does not move the sequence when it is negative', '-9007199254740991', ['1', '2']],
])('a supplied id %s: %s', async (_, id, later) => {
  expect(await add(id)).toBe(id);
  expect((await addMany(2)).sort().map(String)).toEqual(later);
  await expect(add(id)).rejects.toMatchObject({ code: '23505' });
});

it('ids supplied in one insert, or in many at once, are never generated later', async () => {
  await database.sql`
    insert into builder.notifications (id, account_id, body, dismissed)
    select n, gen_random_uuid(), 'Ready', false from unnest('{3,2,1,2000,1500}'::bigint[]) n`;
  expect(await add()).toBe('2001');
  const supplied = Array.from({ length: 40 }, (_, index) => String(3000 + index * index * 37));
  await Promise.all(supplied.map(id => add(id)));
  expect((await addMany(20)).every(id => id > BigInt(supplied.at(-1) ?? 0))).toBe(true);
});
