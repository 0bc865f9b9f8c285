/** Why a change wrote nothing, as supabase-js tells it, which shows no headers: the row has changed, is gone, or is not yours. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { everyone } from '../../schema/everyone.ts';
import { aNotification, aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { use } from '../setup/use.ts';
import { clientsOf } from './supabase.ts';

const account = randomUUID();
const service = useService();
const as = use(() => clientsOf(service, account));

type Row = { id: string; updated_at: string };

async function newQuote(owner = account): Promise<Row> {
  const { data } = await as.secret.from('quotes').insert(aQuote(owner)).select('id, updated_at').single();
  return data as Row;
}

type Answer = { status: number; error: { code: string; hint: string } | null };

/** What supabase-js returns, and the word that the hint begins with. */
const told = ({ status, error }: Answer) => error && [status, error.code, error.hint.replace(/:.*/s, '')];

it.each([
  'update',
  'delete',
])('the error of %s().match({ id, updated_at }) says whether the row has changed, or is gone or another’s', async what => {
  const write = ({ id, updated_at }: Row): PromiseLike<Answer> => {
    const quotes = as.customer.from('quotes');
    const change = what === 'update' ? quotes.update({ sport: 'golf' }) : quotes.delete();
    return change.match({ id, updated_at }).select().single();
  };
  const changed = await newQuote();
  await as.secret.from('quotes').update({ sport: 'polo' }).eq('id', changed.id);
  expect(told(await write(changed))).toEqual([406, 'PGRST116', 'changed']);
  const deleted = await newQuote();
  await as.customer.from('quotes').delete().eq('id', deleted.id);
  const foreign = await newQuote(randomUUID());
  const answers = await Promise.all([deleted, foreign, { ...foreign, id: randomUUID() }].map(write));
  expect(answers.map(told)).toEqual(answers.map(() => [406, 'PGRST116', 'gone']));
  expect(new Set(answers.map(answer => JSON.stringify(answer))).size).toBe(1);
});

it('the error of a change to a row that the caller may only read says: not yours', async () => {
  const system = await as.secret.from('notifications').insert(aNotification(everyone)).select('id').single();
  const one = as.customer.from('notifications').delete().eq('id', system.data?.id);
  expect(told(await one.select().single())).toEqual([406, 'PGRST116', 'not yours']);
});

it('the error of a change without a key gives no such reason, and without single() there is no error', async () => {
  const filtered = () =>
    as.customer.from('quotes').update({ sport: 'golf' }).eq('sport', randomUUID()).select();
  expect((await filtered().single()).error?.hint).toBeNull();
  expect((await filtered()).error).toBeNull();
});
