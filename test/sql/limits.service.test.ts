/** The limits that the database sets are those of functions/common/limits.ts, which sql/ can't import. */
import { expect, it } from 'vitest';
import { limits } from '../../functions/common/limits.ts';
import { useDatabase } from '../setup/database.ts';

const database = useDatabase();

/** What a function of the database has behind a text, once. */
async function numberIn(name: string, before: string): Promise<number> {
  const [row] = await database.sql<{ source: string }[]>`
    select prosrc as source from pg_proc where pronamespace = 'builder'::regnamespace and proname = ${name}`;
  const [, found, ...others] = row?.source.split(before) ?? [];
  expect([name, before, others]).toEqual([name, before, []]);
  return Number.parseInt(found ?? '', 10);
}

const { idempotency, quoteNumbers } = limits;

it.each([
  ['claim_key', 'most constant integer := ', idempotency.keysOfCustomer],
  ['keep_answer', 'newest constant integer := ', idempotency.bodiesOfCaller],
  ['keep_answer', 'octet_length(body) between 1 and ', idempotency.bodyBytes],
  ['next_quote_number', 'share constant integer := ', quoteNumbers.ofCustomer],
])('the database has in %s, behind “%s”, %i', async (name, before, limit) => {
  expect(await numberIn(name, before)).toBe(limit);
});
