/** A failure is known by the fields of Postgres's error, so that a server that speaks another language gets the same answers. */
import { describe, expect, it } from 'vitest';
import type { Caller } from '../../functions/caller/caller.ts';
import type { DatabaseError } from '../../functions/database/database.ts';
import { failureOf } from '../../functions/database/failure-of.ts';
import { renderFailure } from '../../functions/failure/render.ts';
import { withFields } from '../../functions/plan/refused-fields.ts';
import { graphics } from '../../schema/graphics.ts';
import { quotes } from '../../schema/quotes.ts';
import { planOf, staff } from '../plan/plan-of.ts';
import { aGraphic, aQuote } from '../setup/rows.ts';

type Refused = Omit<Extract<DatabaseError, { is: 'refused' }>, 'is' | 'message'>;

const customer: Caller = { kind: 'customer', audience: 'customer' } as Caller;
const upsert = { prefer: 'resolution=merge-duplicates' };
const insert = (of: typeof graphics | typeof quotes, body: object, headers = {}, as = staff) =>
  planOf({ as, of, method: 'POST', body, headers });

const graphic = insert(graphics, aGraphic({ code: 'TAKEN' }));
const quote = insert(
  quotes,
  aQuote('c0000000-0000-4000-8000-000000000001', { status: 'quoted', unit_price: 1 }),
);
const hidden = insert(quotes, aQuote('c0000000-0000-4000-8000-000000000001'), upsert, customer);

const cases: [what: string, planned: typeof graphic, error: Refused, expected: object][] = [
  [
    'a value that is taken',
    graphic,
    { sqlstate: '23505', constraint: 'graphics_code_key' },
    { status: 409, code: '23505', paths: ['code'] },
  ],
  [
    'a check',
    quote,
    { sqlstate: '23514', constraint: 'a_quoted_quote_has_its_prices' },
    { status: 400, code: '23514', paths: ['total_price'] },
  ],
  ['a null', quote, { sqlstate: '23502', column: 'sport' }, { status: 400, code: '23502', paths: ['sport'] }],
  [
    'a column that a rule closes',
    quote,
    { sqlstate: '42501', column: 'source' },
    { status: 403, code: '42501', paths: ['source'] },
  ],
  ['an upsert of a hidden row', hidden, { sqlstate: '42501' }, { status: 409, code: '23505', paths: [] }],
  [
    'an insert that the policies refuse',
    graphic,
    { sqlstate: '42501' },
    { status: 403, code: '42501', paths: [] },
  ],
  [
    'a connection that the server ended',
    graphic,
    { sqlstate: '57P01' },
    { status: 503, code: 'PGRST001', paths: [] },
  ],
];

describe.each([
  'ERROR: in English (USING expression)',
  'FEHLER: doppelter Schlüsselwert',
  '错误',
])('a server that says %s', message => {
  it.each(cases)('is understood: %s', (_, planned, error, expected) => {
    if (!planned.ok) {
      throw new Error(JSON.stringify(planned.failure));
    }
    const { caller } = planned.value;
    const failure = withFields(failureOf({ is: 'refused', message, ...error }, caller), planned.value);
    const { status, body } = renderFailure(failure);
    expect({ status, code: body.code, paths: (body.issues ?? []).map(({ path }) => path) }).toEqual(expected);
  });
});
