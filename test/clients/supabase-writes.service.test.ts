/** What supabase-js writes in a form of its own, and what is stored afterwards. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { aGraphic } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { clientOf, expectData, namesOf, type Result } from './supabase.ts';

const service = useService();
const staff = () => clientOf(service, service.secretKey);

type Graphic = { id: string; code: string; name: string };
/** Before each write `a` and `b` are stored, under names of one letter, and `c` and `d` are not. */
type Made = Record<'a' | 'b' | 'c' | 'd', Graphic>;
const one = (name: string): Graphic => ({ ...aGraphic({ name }), id: randomUUID(), name });
const written = () => staff().from('graphics');
const codesOf = (...some: Graphic[]) => some.map(({ code }) => code);
const missing = () => written().update({ name: 'C' }, { count: 'exact' }).eq('id', randomUUID());

const upsert = ({ a, c }: Made, options: { onConflict?: string; ignoreDuplicates?: boolean }) => {
  const upserted = written().upsert([{ ...a, name: 'A2' }, c], options);
  return upserted.select('name').order('name');
};

/** Data, or the status and the code of an error; a count; the names of the four that are stored afterwards. */
type Write = [call: string, write: (made: Made) => PromiseLike<Result>, data: unknown, names?: string];
const writes: Write[] = [
  ['insert() of one row', ({ c }) => written().insert(c), null, 'A B C'],
  [
    'insert() of several, with their count, in order',
    ({ c, d }) => written().insert([d, c], { count: 'exact' }).select('n:name').order('name'),
    [[{ n: 'C' }, { n: 'D' }], 2],
    'A B C D',
  ],
  [
    'insert() with defaultToNull: false, which stores defaults',
    ({ c, d }) =>
      written()
        .insert([{ ...c, sort_order: 3 }, d], { defaultToNull: false })
        .select('sort_order'),
    [{ sort_order: 3 }, { sort_order: 0 }],
    'A B C D',
  ],
  ['insert() of no rows', () => written().insert([]).select(), []],
  [
    'upsert() by the column that onConflict names',
    made => upsert(made, { onConflict: 'code' }),
    [{ name: 'A2' }, { name: 'C' }],
    'A2 B C',
  ],
  [
    'upsert() that ignores duplicates',
    made => upsert(made, { ignoreDuplicates: true }),
    [{ name: 'C' }],
    'A B C',
  ],
  ['upsert() of a row twice', ({ c }) => written().upsert([c, c], { onConflict: 'code' }), '400 21000'],
  [
    'update(), with the changed rows and their count',
    ({ a, b }) =>
      written().update({ width: 9 }, { count: 'exact' }).in('code', codesOf(a, b)).select('width'),
    [[{ width: 9 }, { width: 9 }], 2],
  ],
  ['update() of no rows, counted', missing, [null, 0]],
  ['update() of no rows, with maybeSingle()', () => missing().select().maybeSingle(), [null, 0]],
  ['update() of no rows, with single()', () => missing().select().single(), '406 PGRST116'],
  ['update() without a filter', () => written().update({ name: 'C' }), '400 21000'],
  ['update() of nothing', ({ a }) => written().update({}).eq('code', a.code).select(), []],
  [
    'delete(), with the deleted rows',
    ({ a, b }) => written().delete().in('code', codesOf(a, b)).select('name').order('name'),
    [{ name: 'A' }, { name: 'B' }],
    '',
  ],
  ['delete() without a filter', () => written().delete(), '400 21000'],
  ['rollback()', ({ c }) => written().upsert(c).select('name').rollback(), [{ name: 'C' }]],
];

it.each(writes)('supabase-js writes what it is asked to: %s', async (_, write, expected, names = 'A B') => {
  const made: Made = { a: one('A'), b: one('B'), c: one('C'), d: one('D') };
  const { a, b, c, d } = made;
  expectData(await written().insert([a, b]), null, 201);
  const { data, error, status, count } = await write(made);
  const found = error === null ? data : `${status} ${error.code}`;
  expect(count === null ? found : [found, count]).toEqual(expected);
  expect((await namesOf(staff(), codesOf(a, b, c, d))).join(' ')).toBe(names);
});
