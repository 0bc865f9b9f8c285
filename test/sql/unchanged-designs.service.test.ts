/** A write that leaves a design as it is does not store it anew, also as the first one of a session. */
import { randomBytes, randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { beforeAll, expect, it } from 'vitest';
import { useDatabase } from '../setup/database.ts';
import { aQuote } from '../setup/rows.ts';
import { claimsOf, insert } from './roles.ts';

const database = useDatabase();
const account = randomUUID();
/** A text that compresses to half of it at best. */
const large = (bytes: number) => randomBytes(bytes / 2).toString('hex');
const customer = { role: 'builder_customer', claims: claimsOf(account) };
const staff = { role: 'builder_staff', claims: { sub: randomUUID() } };

let id: string;
beforeAll(async () => {
  const texts = { customer_notes: large(9000), internal_notes: large(9000), tool_2d: large(9000) };
  const customization = { picture: large(500_000) };
  const colors = { primary: large(1900) };
  id = await insert(database.sql, 'quotes', aQuote(account, { ...texts, customization, colors }));
});

/** Returns the bytes of WAL of an update, its triggers before it included, in a session of its own. */
async function walOf({ role, claims }: typeof customer | typeof staff, change: string): Promise<number> {
  const sql = postgres(database.ownerUrl, { max: 1 });
  try {
    return await sql.begin(async own => {
      await own`
        select set_config('role', ${role}, true), set_config('request.jwt.claims', ${JSON.stringify(claims)}, true),
          set_config('request.rows', 'one', true), set_config('request.compared', 'updated_at,submitted_at,quoted_at', true)`;
      const [row] = await own.unsafe(
        `explain (analyze, wal, timing off, format json) update builder.quotes set ${change} where id = '${id}'`,
      );
      const [{ Plan: plan }] = row?.['QUERY PLAN'] ?? [{ Plan: {} }];
      const { 'WAL Bytes': bytes, 'WAL FPI': pages = 0 } = plan;
      // Whole pages are written after a checkpoint only.
      return bytes - 8192 * pages;
    });
  } finally {
    await sql.end();
  }
}

// In this order, a life. The row alone is counted: an offer has the design, so making one writes it once (sql/README.md).
it.each([
  ['a save of another field', customer, "company = 'Lions'"],
  ['a submission', customer, "status = 'submitted'"],
  ['a withdrawal', customer, "status = 'draft'"],
  ['a submission again', customer, "status = 'submitted'"],
  ['a correction by staff', staff, "event_date = '2026-12-01'"],
  ['an offer', staff, "status = 'quoted', unit_price = 4, total_price = 48"],
  ['another price', staff, 'total_price = 44'],
  ['another end', staff, "expires_at = now() + interval '1 day'"],
  ['a change of the contact', customer, "contact_name = 'Ann', contact_email = 'ann@lions.test'"],
  ['an approval', customer, "status = 'approved'"],
  ['an order', staff, "status = 'ordered'"],
  ['a step of the fulfillment', staff, "fulfillment_status = 'shipping'"],
  ['an amendment', staff, 'total_price = 40'],
  ['a return to quoted', staff, "status = 'quoted'"],
  ['a deletion', staff, 'deleted_at = now()'],
  ['a restoration', staff, 'deleted_at = null'],
])('%s writes the row with less WAL than any large column has', async (_, by, change) => {
  expect(await walOf(by, change)).toBeLessThan(9000);
});
