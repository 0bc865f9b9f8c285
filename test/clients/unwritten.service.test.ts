/** Why a change wrote nothing, as supabase-js tells it, which shows no headers: the row has changed, is gone, or is not yours. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { everyone } from '../../schema/everyone.ts';
import { aNotification, aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { type Client, clientsOf } from './supabase.ts';

const account = randomUUID();
const service = useService();
let staff: Client;
let customer: Client;
beforeAll(async () => {
  ({ secret: staff, customer } = await clientsOf(service, account));
});

type Row = { id: string; updated_at: string };

async function newQuote(owner = account): Promise<Row> {
  const { data } = await staff.from('quotes').insert(aQuote(owner)).select('id, updated_at').single();
  return data as Row;
}

type Answer = { status: number; error: { code: string; hint: string } | null };

/** What supabase-js returns, and the word that the hint begins with. */
const told = ({ status, error }: Answer) => error && [status, error.code, error.hint.replace(/:.*/s, '')];

type Write = (row: Row) => PromiseLike<Answer>;
const update: Write = ({ id, updated_at }: Row) =>
  customer.from('quotes').update({ sport: 'golf' }).match({ id, updated_at }).select().single();
const remove: Write = ({ id, updated_at }: Row) =>
  customer.from('quotes').delete().match({ id, updated_at }).select().single();
const updateByTag: Write = ({ id }: Row) =>
  customer.from('quotes').update({ sport: 'golf' }).eq('id', id).setHeader('If-Match', '"1-a"');

describe.each([
  ['update().match({ id, updated_at })', update, [406, 'PGRST116']],
  ['delete().match({ id, updated_at })', remove, [406, 'PGRST116']],
  ['update() with If-Match', updateByTag, [412, 'PT412']],
] as const)('%s', (_, write, error) => {
  it('of a row that somebody has changed: changed', async () => {
    const quote = await newQuote();
    await staff.from('quotes').update({ sport: 'polo' }).eq('id', quote.id);
    expect(told(await write(quote))).toEqual([...error, 'changed']);
  });

  it('of a deleted row, another account’s and none: gone, all alike to the letter', async () => {
    const deleted = await newQuote();
    await customer.from('quotes').delete().eq('id', deleted.id);
    const foreign = await newQuote(randomUUID());
    const none = { ...foreign, id: randomUUID() };
    const answers = await Promise.all([deleted, foreign, none].map(write));
    expect(answers.map(told)).toEqual([deleted, foreign, none].map(() => [...error, 'gone']));
    expect(new Set(answers.map(answer => JSON.stringify(answer))).size).toBe(1);
  });
});

it('of a row that the caller may read and not write: not yours', async () => {
  const system = await staff.from('notifications').insert(aNotification(everyone)).select('id').single();
  const one = customer.from('notifications').delete().eq('id', system.data?.id);
  expect(told(await one.select().single())).toEqual([406, 'PGRST116', 'not yours']);
});

it('without a key there is no such reason, and without single() no error', async () => {
  const filtered = () => customer.from('quotes').update({ sport: 'golf' }).eq('sport', randomUUID()).select();
  expect((await filtered().single()).error?.hint).toBeNull();
  expect((await filtered()).error).toBeNull();
});
