/** What prepared statements keep in a backend, when one caller has as many and as long ones prepared as it can. */

import { expect, it } from 'vitest';
import { preparedLimits } from '../../functions/database/prepared-statements.ts';
import { expectCheap } from './expect-cheap.ts';
import { query } from './quotes.ts';
import { useTarget } from './target.ts';

const target = useTarget();

const columns = ['sport', 'company', 'contact_name', 'contact_email', 'customer_notes', 'quote_number'];
const operators = ['eq', 'neq', 'like', 'ilike', 'lt', 'gt'];

/** A search that no other one has the shape of; about as long as a statement may be to be prepared. */
function search(n: number): string {
  const filters = Array.from({ length: 95 }, (_, at) => {
    const [column, operator] = [columns[(at + n) % 6], operators[Math.floor((at * (n + 1)) / 7) % 6]];
    return `${column}.${operator}.a${at}`;
  });
  return `/rest/v1/quotes?${query({ select: `id,c${n}:sport`, or: `(${filters})`, order: 'created_at' })}`;
}

it('is bounded: many long searches, each often enough to be planned for any values', {
  timeout: 120_000,
}, async () => {
  const shapes = 2 * preparedLimits.statements;
  const requests = Array.from({ length: shapes * 10 }, (_, n) => ({
    path: search(Math.floor(n / 10)),
    headers: target.callers.customer,
  }));
  const outcome = await target.attack(requests);
  expectCheap(outcome);
  expect(new Set(outcome.replies.map(({ status }) => status))).toEqual(new Set([200]));
});
