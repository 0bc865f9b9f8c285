/** Values of a body that have members named like JavaScript's methods. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { collections } from '../../../schema/collections.ts';
import { quotes } from '../../../schema/quotes.ts';
import { aQuote } from '../../setup/rows.ts';
import { useService } from '../../setup/service.ts';
import { useCallers } from '../../setup/wire.ts';
import { id, planOf, staff } from './plan-of.ts';

const account = randomUUID();
const service = useService();
const { customer } = useCallers(service, account);

const members = { toString: 1, valueOf: null, toJSON: 1, length: 1, constructor: 1 };
const caller = { kind: 'customer', audience: 'customer' } as const;

it.each(collections)('plans a write of $name with such a value in any column, or refuses it', of => {
  for (const name of Object.keys(of.columns)) {
    for (const value of [members, [members]]) {
      const row = { [of.primaryKey]: id, [name]: value };
      for (const body of [row, { [name]: value }, [row], [row, row]]) {
        for (const method of ['POST', 'PATCH', 'PUT'] as const) {
          const query = method === 'POST' ? '' : `${of.primaryKey}=eq.${id}`;
          expect(() => planOf({ as: staff, of, method, query, body })).not.toThrow();
          expect(() => planOf({ as: caller, of, method, query, body })).not.toThrow();
        }
      }
    }
  }
});

it('names the field when the database refuses such a value', async () => {
  // The spaces that Postgres writes make it longer than the body.
  const customization = { ...members, a: Array(240_000).fill(1), b: 'x'.repeat(400_000) };
  const { status, body } = await customer.send('POST', '/quotes', aQuote(account, { customization }));
  expect([status, body.code, body.issues?.[0]?.path], body.message).toEqual([400, '23514', 'customization']);
});

it('refuses such a price by a customer as a value that is no number', async () => {
  const quote = await customer.send('POST', '/quotes', aQuote(account), { prefer: 'return=representation' });
  const path = `/${quotes.name}?id=eq.${quote.body[0].id}`;
  const { status, text } = await customer.send('PATCH', path, { unit_price: { toString: 1 } });
  expect(status, text).toBe(400);
});
