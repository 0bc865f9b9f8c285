/** What `Accept: text/csv` returns can be sent back with `Content-Type: text/csv`, and the rows are equal. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Collection, Column } from '../../schema/collection.ts';
import { collections } from '../../schema/collections.ts';
import { anyText } from '../setup/any-text.ts';
import { isWritten } from '../setup/collection-rows.ts';
import { rounds } from '../setup/full-size.ts';
import { useService } from '../setup/service.ts';
import { useCallers } from '../setup/wire.ts';

const service = useService();
const { staff } = useCallers(service);
const csv = { 'content-type': 'text/csv' };

/** Texts that a reader of CSV, of records, of arrays or of JSON may take for something else. */
const special = fc.oneof(
  fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', '\\', ' ', '\t', '{', '}', '(', ';', "'", 'a') }),
  fc.constantFrom(
    'NULL',
    'null',
    '""',
    '\\\\server\\share',
    '\\',
    '\\N',
    '\\.',
    '=1+1',
    '[1]',
    '{}',
    '\u{feff}a',
  ),
  fc.constantFrom('Ünïcode ☂', '虎', 'نمر', '🦅', 'a\u00a0b', 'a\u2028b', '\u0085', '\u000b'),
);
const aText = fc.oneof(special, anyText({ maxLength: 20 })).filter(text => !text.includes('\0'));
const aDay = fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true });

/** Returns values of a column whose format is not a text of any kind. */
function valuesOf(name: string, { type }: Column): fc.Arbitrary<unknown> | undefined {
  if (type.values || type.pattern || name === 'account_id') {
    return undefined;
  }
  if (name === 'body') {
    return aText.map(text => `A${text}`);
  }
  switch (type.postgres) {
    case 'text':
    case 'character varying':
      return name === 'contact_email' || name.endsWith('_url') ? undefined : aText;
    case 'jsonb':
      return name === 'customization'
        ? fc.dictionary(
            aText,
            fc.oneof(aText, fc.integer(), fc.boolean(), fc.constant(null), fc.array(aText)),
          )
        : name === 'size_breakdown'
          ? fc.dictionary(aText, fc.nat({ max: 1000 }))
          : undefined;
    case 'text[]':
      return fc.array(fc.option(aText, { freq: 9 }), { maxLength: 4 });
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.nat({ max: 2 ** 31 - 1 });
    case 'date':
      return aDay.map(day => day.toISOString().slice(0, 10));
    case 'timestamp with time zone':
      return aDay.map(day => day.toISOString());
    default:
      return undefined;
  }
}

/** Values that rules of a quote's life decide. */
const ruled = ['deleted_at', 'expires_at', 'fulfillment_status', 'submitted_at', 'quoted_at', 'approved_at'];

/** Values of columns that the arbitrary ones leave out. */
const fixed: Record<string, object> = {
  quotes: {
    colors: { primary: 'red', accent: '"\\,\n', accent3: null },
    shipping_address: { street: 'a "b" \\ c, d', city: 'Zürich', state: null },
    contact_email: 'a@example.com',
    unit_price: 12.5,
    total_price: 1e20,
    quoted_by: randomUUID(),
    design_id: randomUUID(),
    delivery_method: 'pickup',
    preview_front_url: 'https://cdn.test/a,b"c\\d.png',
  },
  graphics: { category_id: randomUUID(), created_by: randomUUID() },
  notifications: { type: 'error', channel: 'email' },
};

function arbitraryRow(collection: Collection): fc.Arbitrary<Record<string, unknown>> {
  const values: Record<string, fc.Arbitrary<unknown>> = {};
  for (const [name, column] of Object.entries(collection.columns)) {
    const value = name === collection.primaryKey || ruled.includes(name) ? undefined : valuesOf(name, column);
    if (value !== undefined) {
      values[name] = column.nullable && !column.neverNull ? fc.option(value, { freq: 4 }) : value;
    }
  }
  const required = Object.entries(collection.columns).flatMap(([name, { example }]) =>
    example === undefined ? [] : [[name, example]],
  );
  return fc.record(values).map(row => ({
    ...Object.fromEntries(required),
    ...fixed[collection.name],
    ...row,
    ...('code' in collection.columns && { code: `CODE-${randomUUID().toUpperCase()}` }),
  }));
}

describe.each(
  collections.filter(isWritten).map(one => [one.name, one] as const),
)('CSV of %s', (name, one) => {
  it('comes back equal when it is sent back, in every column', { timeout: 120_000 }, async () => {
    const rows = fc.array(arbitraryRow(one), { minLength: 1, maxLength: 8 });
    const path = `/${name}?order=id`;
    await fc.assert(
      fc.asyncProperty(rows, async values => {
        await service.sql`truncate ${service.sql(`builder.${name}`)} cascade`;
        const inserted = await staff.send('POST', `/${name}`, values);
        expect(inserted.status, inserted.text).toBe(201);
        const before = await staff.get(path);
        const exported = await staff.get(path, { accept: 'text/csv' });
        await service.sql`truncate ${service.sql(`builder.${name}`)} cascade`;
        const imported = await staff.send('POST', `/${name}`, exported.text, csv);
        expect(imported.status, `${imported.text}\n${exported.text}`).toBe(201);
        expect((await staff.get(path)).text).toBe(before.text);
      }),
      { numRuns: rounds(25, 300) },
    );
  });
});
