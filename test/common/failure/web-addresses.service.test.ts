/** Columns that applications show as links and images take only http and https, whoever writes them and in whatever way. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { aGraphic, aNotification, aQuote } from '../../setup/rows.ts';
import { useService } from '../../setup/service.ts';
import { changes, inserts, replacements, type Write } from '../../setup/ways.ts';
import { representation, useCallers } from '../../setup/wire.ts';

const account = randomUUID();
const service = useService();
const { staff, customer } = useCallers(service, account);

const script = 'javascript:alert(1)';
const rowOf = {
  quotes: (more: object) => aQuote(account, more),
  graphics: aGraphic,
  notifications: (more: object) => aNotification(account, more),
};
/** A column with a value that it takes, one that another kind of column takes (test/schema has the rest), and its constraint. */
type Place = [table: keyof typeof rowOf, column: string, good: string, bad: string, constraint: string];
const urlOf = (table: Place[0], column: string): Place => {
  return [table, column, 'https://cdn.test/a.png', '/a.png', `${column}_is_an_http_url`];
};
const textOf = (column: string): Place => {
  return ['quotes', column, 'Pack 7: sleeves', script, `${column}_is_no_script`];
};
const places: Place[] = [
  urlOf('quotes', 'preview_front_url'),
  urlOf('quotes', 'preview_back_url'),
  urlOf('quotes', 'avatar_preview'),
  urlOf('graphics', 'file_url'),
  textOf('techpack_file'),
  textOf('tool_2d'),
  ['notifications', 'link', '/quotes/42', '//a.test', 'link_is_a_path_or_an_http_url'],
];

describe.each(places)('%s.%s', (table, column, good, bad, constraint) => {
  const path = `/${table}`;
  let id: string | number;
  beforeAll(async () => {
    const made = await staff.send('POST', `${path}?select=id`, rowOf[table]({}), representation);
    id = made.body[0].id;
  });
  const writeOf = (value: string): Write => {
    const values = { [column]: value };
    return { path, values, row: rowOf[table](values), id, other: rowOf[table]({ [column]: good }) };
  };

  it.each([
    ...inserts,
    ...replacements,
    ...changes,
  ])('is checked in a %s: the answer names the field and says what to send', async (_, prefix, send) => {
    const taken = await send(staff, writeOf(good));
    expect(taken.status, taken.text).toBeLessThan(300);
    const { status, body } = await send(staff, writeOf(bad));
    expect([status, body]).toMatchObject([
      400,
      {
        code: '23514',
        issues: [{ path: `${prefix}${column}`, expected: expect.stringMatching(/https:|javascript:/) }],
      },
    ]);
  });

  it('is checked by a constraint, for imports and psql', async () => {
    const { sql } = service;
    const change = sql`update builder.${sql(table)} set ${sql(column)} = ${bad} where id = ${id}`;
    await expect(change).rejects.toMatchObject({ code: '23514', constraint_name: constraint });
  });
});

it('a customer cannot store a script where staff look', async () => {
  for (const [, column] of places.filter(([table]) => table === 'quotes')) {
    const reply = await customer.send('POST', '/quotes', aQuote(account, { [column]: script }));
    expect([column, reply.status, reply.body.issues[0].path]).toEqual([column, 400, column]);
  }
});

it('a message of an event cannot have a link that its notification could not have', async () => {
  const change = (text: string) =>
    service.sql`update builder.event_messages set link = ${text} where event = 'quote.quoted'`;
  await expect(change(script)).rejects.toMatchObject({ constraint_name: 'link_is_a_path_or_an_http_url' });
  await expect(change('quotes/{quote_id}')).rejects.toMatchObject({ code: '23514' });
  await change('https://app.test/quotes/{quote_number}?until={expires_at}');
  const sent = aQuote(account, { status: 'submitted' });
  const { body } = await staff.send('POST', '/quotes?select=id', sent, representation);
  const offer = { status: 'quoted', unit_price: 1, total_price: 2, expires_at: '2999-12-31T23:59:00Z' };
  await staff.send('PATCH', `/quotes?id=eq.${body[0].id}`, offer);
  const { body: messages } = await customer.get('/notifications?link=like.*until*&select=link');
  expect(messages).toEqual([
    { link: 'https://app.test/quotes/QT-2026-00001?until=December%2031,%202999,%2023:59%20(UTC)' },
  ]);
});
