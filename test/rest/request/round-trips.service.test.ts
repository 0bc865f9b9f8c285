/** What the service returns can be sent back, and is read again as it was: rows as CSV, and times. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import type { Collection } from '../../../schema/collection.ts';
import { collections } from '../../../schema/collections.ts';
import { anyText } from '../../setup/any-text.ts';
import { isWritten, newRow, type Row, textColumnsOf } from '../../setup/collection-rows.ts';
import { rounds } from '../../setup/full-size.ts';
import { aGraphic } from '../../setup/rows.ts';
import { useService } from '../../setup/service.ts';
import { representation, useCallers } from '../../setup/wire.ts';

const service = useService();
const { staff } = useCallers(service);

/** Texts that a reader of CSV, of records, of arrays or of JSON may take for something else. */
const special = fc.oneof(
  fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', '\\', ' ', '\t', '{', '}', '(', ';', "'", 'a') }),
  fc.constantFrom('NULL', 'null', '""', '\\\\server\\share', '\\N', '\\.', '=1+1', '[1]', '{}', '\u{feff}a'),
  fc.constantFrom('Ünïcode ☂', '虎', 'نمر', '🦅', 'a\u00a0b', 'a\u2028b', '\u0085', '\u000b'),
);
const aText = fc.oneof(special, anyText({ maxLength: 20 })).filter(text => !text.includes('\0'));

/** Values of the columns that do not take any text. */
const others: Record<string, (text: string) => Row> = {
  quotes: text => ({
    customization: { [text]: [text, 1.5, null] },
    size_breakdown: { [text]: 7 },
    colors: { primary: text, accent: '"\\,\n', accent3: null },
    shipping_address: { street: 'a "b" \\ c, d', state: null },
    unit_price: 12.5,
    total_price: 1e20,
    roster_count: 2 ** 31 - 1,
    rush_order: true,
    event_date: '1900-01-01',
    estimated_delivery_at: null,
    quoted_by: randomUUID(),
  }),
  graphics: text => ({ tags: [text, null, 'a"b'], is_active: false, width: null, file_size: 7 }),
  notifications: () => ({ type: 'error', channel: 'email' }),
};

function rowOf(collection: Collection, texts: string[]): Row {
  const ofTexts = textColumnsOf(collection).map((name, index) => {
    const [text, format] = [texts[index % texts.length] ?? '', collection.columns[name]?.type.format];
    // Some columns refuse a blank text.
    return [name, format && v.is(format, text) ? text : `A${text}`];
  });
  const more = { ...Object.fromEntries(ofTexts), ...others[collection.name]?.(texts[0] ?? '') };
  return newRow(collection, randomUUID(), more);
}

it.each(
  collections.filter(isWritten),
)('CSV of $name is equal when it is sent back, in every column', async collection => {
  const { name, primaryKey } = collection;
  const rows = fc.array(fc.array(aText, { minLength: 1, maxLength: 7 }), { minLength: 1, maxLength: 8 });
  const path = `/${name}?order=${primaryKey}`;
  const empty = () => service.sql`truncate ${service.sql(`builder.${name}`)} cascade`;
  await fc.assert(
    fc.asyncProperty(rows, async all => {
      await empty();
      const inserted = await staff.send(
        'POST',
        `/${name}`,
        all.map(texts => rowOf(collection, texts)),
      );
      expect(inserted.status, inserted.text).toBe(201);
      const before = await staff.get(path);
      const exported = await staff.get(path, { accept: 'text/csv' });
      await empty();
      const imported = await staff.send('POST', `/${name}`, exported.text, { 'content-type': 'text/csv' });
      expect(imported.status, `${imported.text}\n${exported.text}`).toBe(201);
      expect((await staff.get(path)).text).toBe(before.text);
    }),
    { numRuns: rounds(15, 25) },
  );
});

/** Texts of times about both ends of the years 1 to 9999, and in between. */
const timeTexts = fc
  .record({
    day: fc.constantFrom('0000-12-31', '0001-01-01', '0001-01-02', '2024-02-29', '9999-12-30', '9999-12-31'),
    clock: fc.constantFrom(...'00:00 04:59:59.999999 23:59:59.9999994 23:59:59.9999996 24:00:00'.split(' ')),
    zone: fc.constantFrom('Z', '+00', '-05:00', '+05:00', '+0530', '-15:59', '+15:59:59', ''),
  })
  .map(({ day, clock, zone }) => `${day}T${clock}${zone}`);
const zones = fc.constantFrom('UTC', 'America/Anchorage', 'Pacific/Kiritimati');

it('a time is refused at its field, or read back within the years 1 to 9999 and accepted again', async () => {
  const { id } = (await staff.send('POST', '/graphics', aGraphic(), representation)).body[0];
  const path = `/graphics?id=eq.${id}&select=created_at`;
  await fc.assert(
    fc.asyncProperty(timeTexts, zones, async (created_at, zone) => {
      const prefer = `return=representation, timezone=${zone}`;
      const { status, body } = await staff.send('PATCH', path, { created_at }, { prefer });
      if (status === 400) {
        expect([body.code, body.issues]).toMatchObject(['22008', [{ path: 'created_at' }]]);
        return;
      }
      const read = (await staff.get(path)).body[0].created_at;
      expect(read).toMatch(/^\d{4}-/);
      expect(new Date(read).getTime()).not.toBeNaN();
      expect((await staff.send('PATCH', path, { created_at: read })).status).toBe(204);
      expect((await staff.get(path)).body[0].created_at).toBe(read);
    }),
    { numRuns: 60 },
  );
});
