/**
 * Whose rows a caller meets in SQL by the claims of its token, whatever they are. What roles may do to rows and columns is in
 * matrix.service.test.ts and test/schema/agreement, and that the service refuses such tokens in test/caller/claims.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { anyText } from '../setup/any-text.ts';
import { useDatabase } from '../setup/database.ts';
import { rounds } from '../setup/full-size.ts';
import { aNotification, aQuote } from '../setup/rows.ts';
import { asCustomer, claimsOf, everyone, insert } from './roles.ts';

const database = useDatabase();
const account = randomUUID();
const stranger = randomUUID();

let own: string;
beforeAll(async () => {
  const { sql } = database;
  await insert(sql, 'quotes', aQuote(stranger));
  own = await insert(sql, 'quotes', aQuote(account, { internal_notes: 'margin 30%' }));
  await insert(sql, 'notifications', aNotification(everyone));
});

/** The ids of the quotes that a customer with these claims reads, or the code of the refusal. */
const quotesOf = (claims: string): Promise<string[] | string> =>
  database.sql
    .begin(async as => {
      await as`select set_config('role', 'builder_customer', true), set_config('request.jwt.claims', ${claims}, true)`;
      // A message to everyone can neither be dismissed for all nor deleted.
      await as`update builder.notifications set dismissed = true`;
      await as`delete from builder.notifications`;
      return (await as<{ id: string }[]>`select id from builder.quotes`).map(({ id }) => id);
    })
    .then(
      ids => ids as string[],
      ({ code }) => code,
    );

it.each<[claims: string, refusal?: string]>([
  [''],
  ['[]'],
  ['{"sub":null}'],
  [`{"sub":"${everyone}"}`],
  [`{"app_metadata":{"account_ids":["${everyone}"]}}`],
  [`{"user_metadata":{"account_ids":["${stranger}"]}}`],
  ['{"role":"service_role","app_metadata":{"role":"admin"}}'],
  ['no JSON', '22P02'],
  [`{"sub":"${stranger}' or true --"}`, '22P02'],
  [`{"app_metadata":{"account_ids":"${stranger}"}}`, '22023'],
])('the claims %j give no account', async (claims, refusal) => {
  expect(await quotesOf(claims)).toEqual(refusal ?? []);
  expect(await database.sql`select dismissed from builder.notifications`).toEqual([{ dismissed: false }]);
});

it('claims show no row of another account, whatever they are', async () => {
  const claim = fc.oneof(fc.constantFrom(account, everyone, 'builder_staff', ''), fc.uuid(), fc.jsonValue());
  const metadata = fc.record({ account_ids: fc.oneof(claim, fc.array(claim)), role: claim });
  const parts = { sub: claim, role: claim, app_metadata: fc.oneof(claim, metadata) };
  const claims = fc.oneof(
    anyText().filter(text => !text.includes('\0')),
    fc.oneof(fc.jsonValue(), fc.record(parts, { requiredKeys: [] })).map(value => JSON.stringify(value)),
  );
  await fc.assert(
    fc.asyncProperty(claims, async text => {
      const read = await quotesOf(text);
      if (typeof read === 'string') {
        // Malformed JSON, uuid or array.
        expect(read).toMatch(/^(22P02|22023|22P05|54001)$/);
      } else {
        expect(read).toEqual(read.length > 0 && text.includes(account) ? [own] : []);
      }
    }),
    { numRuns: rounds(100, 500) },
  );
});

it.each([
  'select quotes::text from builder.quotes',
  "select builder.planned_rows('select from builder.quotes where internal_notes is null')",
  'update builder.quotes set company = internal_notes',
])('internal_notes cannot be read by a customer: %s', async query => {
  await expect(asCustomer(database.sql, claimsOf(account), as => as.unsafe(query))).rejects.toMatchObject({
    code: '42501',
    message: expect.stringMatching(/^permission denied/),
  });
});
