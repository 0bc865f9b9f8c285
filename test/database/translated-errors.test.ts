/** A failure is known by the fields of Postgres's error, so that a server that speaks another language gets the same answers. */
import { expect, it } from 'vitest';
import type { Caller } from '../../functions/caller/caller.ts';
import { renderFailure } from '../../functions/common/failure/render-failure.ts';
import type { DatabaseError } from '../../functions/database/database.ts';
import { failureOf } from '../../functions/database/failure-of.ts';
import { addFields } from '../../functions/rest/response/refused-fields.ts';
import { graphics } from '../../schema/graphics.ts';
import { quotes } from '../../schema/quotes.ts';
import { id, planned, staff } from '../rest/plan/plan-of.ts';
import { aGraphic, aQuote } from '../setup/rows.ts';

type Refused = Omit<Extract<DatabaseError, { is: 'refused' }>, 'is' | 'message'>;

const customer: Caller = { kind: 'customer', audience: 'customer' } as Caller;
const upsert = { prefer: 'resolution=merge-duplicates' };
const insert = (of: typeof graphics | typeof quotes, body: object, headers = {}, as = staff) =>
  planned({ as, of, method: 'POST', body, headers });

const account = 'c0000000-0000-4000-8000-000000000001';
const graphic = insert(graphics, aGraphic({ code: 'TAKEN' }));
const quote = insert(quotes, aQuote(account, { status: 'quoted', unit_price: 1 }));
const hidden = insert(quotes, aQuote(account), upsert, customer);
const missingPrice = { sqlstate: '23514', constraint: 'a_quoted_quote_has_both_prices' };

it.each<[what: string, plan: typeof graphic, error: Refused, response: string, path?: string]>([
  ['a taken value', graphic, { sqlstate: '23505', constraint: 'graphics_code_key' }, '409 23505', 'code'],
  ['a check', quote, missingPrice, '400 23514', 'total_price'],
  [
    'a price that is taken away',
    planned({ as: staff, of: quotes, method: 'PATCH', query: `id=eq.${id}`, body: { total_price: null } }),
    missingPrice,
    '400 23514',
    'total_price',
  ],
  ['a column that a rule closes', quote, { sqlstate: '42501', column: 'source' }, '403 42501', 'source'],
  ['an upsert of a hidden row', hidden, { sqlstate: '42501' }, '409 23505'],
  ['a connection that the server ended', graphic, { sqlstate: '57P01' }, '503 PGRST001'],
])('a failure is understood whatever language the server speaks: %s', (_, plan, error, response, path) => {
  for (const message of ['ERROR: in English (USING expression)', 'FEHLER: doppelter Schlüsselwert']) {
    const failure = failureOf({ is: 'refused', message, ...error }, plan.caller);
    const { body, status } = renderFailure(addFields(failure, plan));
    expect(`${status} ${body.code}`).toBe(response);
    expect((body.issues ?? []).map(issue => issue.path)).toEqual(path ? [path] : []);
  }
});
