/** Quotes that are exported from one service and imported into another, by the commands of sql/README.md, and used there. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Sql, TransactionSql } from 'postgres';
import { beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../setup/database.ts';
import { blocksOf } from '../setup/readmes.ts';
import { aQuote } from '../setup/rows.ts';
import { statuses } from './quotes.ts';
import { asCustomer, asStaff, claimsOf, insert, update } from './roles.ts';

const [exporting = '', importing = ''] = blocksOf('text', 'sql/README.md').map(block => block.text);
const [source, target] = [useDatabase(), useDatabase()];
const account = randomUUID();
const customer = claimsOf(account);
const year = new Date().getUTCFullYear();
/** What was exported, by the name of its file. */
const files = new Map<string, string>();

/** Runs a block as psql does: `\copy` is a COPY whose file is read or written here. */
const run = (sql: Sql, block: string): Promise<unknown> =>
  sql.begin(block.startsWith('begin isolation') ? 'isolation level repeatable read' : '', async own => {
    for (const line of block.trim().split('\n').slice(1, -1)) {
      await (line.startsWith('\\copy') ? copy(own, line) : own.unsafe(line));
    }
  });

async function copy(sql: TransactionSql, line: string): Promise<void> {
  const [, what, way, file = '', how] = /^\\copy (.+) (to|from) '(.+?)' (.+)$/.exec(line) ?? [];
  if (way === 'to') {
    files.set(file, await text(await sql.unsafe(`copy ${what} to stdout ${how}`).readable()));
  } else {
    const stream = await sql.unsafe(`copy ${what} from stdin ${how}`).writable();
    await pipeline(Readable.from([files.get(file)]), stream);
  }
}

/** Quotes in every state: one priced twice, one approved whose end has passed, one deleted, drafts of the customer and of staff. */
beforeAll(async () => {
  const { sql } = source;
  const price = { unit_price: 10, total_price: 120 };
  let number = 0;
  for (const status of statuses) {
    for (const ends of ['2099-01-01', null]) {
      number += 1;
      const quote_number = `QT-${year}-${String(number).padStart(5, '0')}`;
      const row = aQuote(account, { quote_number, contact_email: 'ann@customer.test' });
      const id = await asCustomer(sql, customer, own => insert(own, 'quotes', row));
      if (status !== 'draft') {
        await asCustomer(sql, customer, own => update(own, 'quotes', id, { status: 'submitted' }));
      }
      if (!['draft', 'submitted'].includes(status)) {
        for (const total_price of status === 'quoted' && ends ? [120, 140] : [120]) {
          const offer = { status: 'quoted', ...price, total_price, expires_at: ends };
          await asStaff(sql, {}, own => update(own, 'quotes', id, offer));
        }
        await update(sql, 'quotes', id, { status });
      }
    }
  }
  await sql`update builder.quotes set fulfillment_status = 'shipping' where status = 'ordered' and expires_at is null`;
  await sql`update builder.quotes set expires_at = now() where status = 'approved' and expires_at is not null`;
  await sql`update builder.quotes set deleted_at = now() where status = 'rejected' and expires_at is null`;
  const strange = 'tab\t, line\r\n, \\N, \\., "quotes\'", ñ, 日本, 😀, ;';
  const notes = { customer_notes: strange, customization: { [strange]: [1e30, 1.5, null] }, company: '' };
  await insert(sql, 'quotes', aQuote(account, { ...notes, quote_number: `QT-${year}-00100` }));
  await run(sql, exporting);
  await run(target.sql, importing);
});

const imported = async (status: string, place = 0): Promise<string> =>
  (
    await target.sql`
      select id from builder.quotes where status = ${status} and deleted_at is null order by expires_at offset ${place}`
  )[0]?.['id'];

describe('quotes in every state, exported and imported as sql/README.md says', () => {
  it.each(['quotes', 'quote_offers', 'quote_events'])('have all columns of builder.%s', async table => {
    const rows = (sql: Sql) => sql`select * from builder.${sql(table)} order by id`;
    const exported = await rows(source.sql);
    expect(exported.length).toBeGreaterThan(10);
    expect(await rows(target.sql)).toEqual(exported);
  });

  it('notify no one', async () => {
    expect(await target.sql`select from builder.notifications`).toHaveLength(0);
    expect(await target.sql`select from builder.deliveries`).toHaveLength(0);
  });

  it('can be moved, priced and approved, with a history that goes on', async () => {
    const { sql } = target;
    const [draft, submitted, repriced, quoted] = await Promise.all([
      imported('draft'),
      imported('submitted'),
      imported('quoted'),
      imported('quoted', 1),
    ]);
    const offer = { status: 'quoted', unit_price: 3, total_price: 36 };
    const move = (id: string, status: string) =>
      asCustomer(sql, customer, own => update(own, 'quotes', id, { status }));
    expect(await move(draft, 'submitted')).toBe(1);
    expect(await asStaff(sql, {}, own => update(own, 'quotes', submitted, offer))).toBe(1);
    // It had two offers, and its customer names none.
    await expect(move(repriced, 'approved')).rejects.toMatchObject({ code: 'PT409' });
    expect(await move(quoted, 'approved')).toBe(1);
    const events = await sql`select event from builder.quote_events where quote_id = ${quoted} order by id`;
    expect(events.map(({ event }) => event)).toEqual(['quote.submitted', 'quote.quoted', 'quote.approved']);
  });

  it('keep their numbers to themselves, drafts too', async () => {
    const next = async () =>
      (await asCustomer(target.sql, customer, own => own`select builder.next_quote_number() as number`))[0]?.[
        'number'
      ];
    const numbers = [await next(), await next()];
    const taken = statuses.length * 2;
    expect(numbers).toEqual([taken + 1, taken + 2].map(one => `QT-${year}-${String(one).padStart(5, '0')}`));
  });
});

it('a file of another program’s quotes is imported by the names of its columns, and each quote begins a history', async () => {
  const lines = [
    'quote_number,account_id,status,total_price,unit_price,expires_at,product_id,sport,customization',
    `QT-2020-00007,${account},approved,90,9,2020-03-01T00:00Z,${randomUUID()},golf,{}`,
  ];
  files.set('quotes.csv', `${lines.join('\n')}\n`);
  const [first = '', ...later] = importing
    .replace('\\copy imported from', `\\copy imported (${lines[0]}) from`)
    .split(/(?=^delete|^commit)/m);
  expect(later.at(-1)).toBe('commit;\n');
  await run(target.sql, first + later.at(-1));
  const found = await target.sql`
    select event, notified from builder.quote_events
    where quote_id = (select id from builder.quotes where quote_number = 'QT-2020-00007')`;
  expect(found).toMatchObject([{ event: 'quote.approved', notified: false }]);
});

it('an approved quote that has ended is refused to staff, who make a request', async () => {
  const row = aQuote(account, {
    status: 'approved',
    unit_price: 9,
    total_price: 90,
    expires_at: '2020-03-01',
  });
  await expect(asStaff(target.sql, {}, own => insert(own, 'quotes', row))).rejects.toMatchObject({
    code: 'PT409',
  });
});
