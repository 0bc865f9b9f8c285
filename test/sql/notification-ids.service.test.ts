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

it('an id is generated when left out, and kept when supplied', async () => {
  expect([await add(), await add(), await add('7'), await add('5')]).toEqual(['1', '2', '7', '5']);
});

it.each(['1', '10', '1001', '4503599627370495'])('the supplied id %s is never generated later', async id => {
  expect(await add(id)).toBe(id);
  const later = await addMany(5);
  expect(new Set(later).size).toBe(5);
  expect(later.every(generated => generated > BigInt(id))).toBe(true);
});

it.each([
  ...['9007199254740991', '4503599627370496', '0', '-9007199254740991'],
])('the supplied id %s does not move the sequence', async id => {
  expect(await add(id)).toBe(id);
  expect((await addMany(3)).sort()).toEqual([1n, 2n, 3n]);
  await expect(add(id)).rejects.toMatchObject({ code: '23505' });
});

it('an id below the generated ones does not move the sequence back', async () => {
  for (const id of ['5000', '3']) {
    await add(id);
  }
  expect(await add()).toBe('5001');
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
