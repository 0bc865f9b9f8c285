/** Each value that is refused is reported at its field, whoever refuses it: the plan, a check or a rule of the database. */
import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { describe, expect, it } from 'vitest';
import { findCheck } from '../../../schema/collection.ts';
import { collections } from '../../../schema/collections.ts';
import { everyone } from '../../../schema/everyone.ts';
import { isWritten } from '../../setup/collection-rows.ts';
import { aGraphic, aNotification, aQuote } from '../../setup/rows.ts';
import { useService } from '../../setup/service.ts';
import { type Reply, representation, useCallers } from '../../setup/wire.ts';

const account = randomUUID();
const service = useService();
const { staff, customer } = useCallers(service, account);

const pathsOf = ({ body }: Reply): string[] => (body.issues ?? []).map(({ path }: { path: string }) => path);

async function aSubmitted(): Promise<string> {
  const row = aQuote(account, { status: 'submitted' });
  return (await staff.send('POST', '/quotes?select=id', row, representation)).body[0].id;
}

/** The checks of a table, and the rules raised as one; a check of one column with its name. */
const checksOf = (sql: Sql, table: string) =>
  sql<{ name: string; column: string | null }[]>`
    select conname as name, case when cardinality(conkey) = 1 then attname end as column
    from pg_constraint left join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where contype = 'c' and conrelid = ${`builder.${table}`}::regclass
    union
    select match[1], null from pg_proc, regexp_matches(prosrc, ${`refuse_value\\(''?${table}''?, ''?(\\w+)''?\\)`}, 'g') match
    where pronamespace = 'builder'::regnamespace
    order by 1`;

it.each(
  collections.filter(isWritten),
)('each check of $name is reported at its columns: its own column where it has one', async collection => {
  const { name: table, checks, columns } = collection;
  const found = await checksOf(service.sql, table);
  expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(checks)));
  for (const { name, column } of found) {
    const check = findCheck(collection, name);
    expect([name, check?.columns]).toEqual([name, column === null ? expect.any(Array) : [column]]);
    expect(Object.keys(columns)).toEqual(expect.arrayContaining([...(check?.columns ?? [])]));
  }
});

it.each([
  '1.5',
  '1e1',
  '12345678901234567',
  '"1.5"',
  '[1.5]',
])('the issue of a value shows it as it was sent: %s', async value => {
  const { status, body } = await staff.send(
    'PATCH',
    `/quotes?id=eq.${account}`,
    `{"roster_count": ${value}}`,
  );
  const [{ received, message }] = body.issues;
  expect([status, received]).toEqual([400, value.startsWith('[') ? 'Array' : value]);
  expect(message).toMatch(`; it is ${received}.`);
});

describe('a mistake of staff', () => {
  it.each([
    [{ status: 'quoted', unit_price: 1, total_price: null }, ['total_price']],
    [{ fulfillment_status: 'shipping' }, ['fulfillment_status']],
    [{ status: 'quoted', unit_price: 1, total_price: 5, expires_at: '2026-01-01' }, ['expires_at']],
    [{ event_date: '0026-05-01' }, ['event_date']],
  ])('is reported at its field, by each way of writing: %j', async (values, paths) => {
    const id = await aSubmitted();
    const row = aQuote(account, values);
    const inArray = paths.map(path => `1.${path}`);
    const good = aQuote(account, Object.fromEntries(Object.keys(values).map(name => [name, null])));
    const other = { ...good, ...('status' in values && { status: 'draft' }) };
    const replies: [Reply, string[]][] = [
      [await staff.send('PATCH', `/quotes?id=eq.${id}`, values), paths],
      [await staff.send('POST', '/quotes', row), paths],
      [await staff.send('POST', '/quotes', [other, row]), inArray],
      [await staff.send('PATCH', '/quotes', [{ id, ...values }]), paths.map(path => `0.${path}`)],
    ];
    for (const [reply, expected] of replies) {
      expect([reply.status, pathsOf(reply)]).toEqual([400, expected]);
      expect(reply.text).not.toMatch(/constraint|relation/);
      for (const issue of reply.body.issues) {
        expect(issue.message).toMatch(new RegExp(`^${issue.path.replace(/^\d+\./, '')} (must|is)`));
      }
    }
  });

  it('who remove one of two prices is reported at that price alone', async () => {
    const values = { status: 'quoted', unit_price: 1, total_price: 5 };
    const made = await staff.send('POST', '/quotes?select=id', aQuote(account, values), representation);
    const reply = await staff.send('PATCH', `/quotes?id=eq.${made.body[0].id}`, { unit_price: null });
    expect([reply.status, pathsOf(reply)]).toEqual([400, ['unit_price']]);
  });

  it('who give a quote to everyone is reported at the account, which a customer may not write', async () => {
    const [own, nil] = [aQuote(account), aQuote(everyone)];
    const id = await aSubmitted();
    const replies: [Reply, string][] = [
      [await staff.send('POST', '/quotes', [own, nil]), '1.account_id'],
      [await staff.send('PUT', `/quotes?id=eq.${id}`, { ...nil, id }), 'account_id'],
      [await staff.send('PATCH', `/quotes?id=eq.${id}`, { account_id: everyone }), 'account_id'],
    ];
    const message = expect.stringMatching(/^account_id must be the id of one account, as a quote is never/);
    for (const [reply, path] of replies) {
      expect([reply.status, reply.body.issues]).toMatchObject([400, [{ path, message }]]);
    }
    const refused = await customer.send('POST', '/quotes', nil);
    expect([refused.status, pathsOf(refused)]).toEqual([403, ['account_id']]);
  });

  it('who write an e-mail to everyone is reported at the channel', async () => {
    const reply = await staff.send('POST', '/notifications', aNotification(everyone, { channel: 'email' }));
    expect([reply.status, pathsOf(reply)]).toEqual([400, ['channel']]);
    expect(reply.body.message).toBe('channel must be in_app for a message to everyone');
    const system = await staff.send('POST', '/notifications', aNotification(everyone), representation);
    const path = `/notifications?id=eq.${system.body[0].id}`;
    expect(pathsOf(await staff.send('PATCH', path, { channel: 'email' }))).toEqual(['channel']);
  });
});

describe('a customer', () => {
  it('learns which field a rule closes', async () => {
    const id = await aSubmitted();
    const change = (values: object) => customer.send('PATCH', `/quotes?id=eq.${id}`, values);
    for (const values of [{ roster_count: 7 }, { account_id: randomUUID() }, { source: 'admin_created' }]) {
      const reply = await change(values);
      expect([reply.status, pathsOf(reply)]).toEqual([403, Object.keys(values)]);
    }
    const created = await customer.send('POST', '/quotes', aQuote(randomUUID()));
    expect([created.status, pathsOf(created)]).toEqual([403, ['account_id']]);
    const named = await customer.send('POST', '/quotes', [aQuote(account, { created_by: randomUUID() })]);
    expect([named.status, pathsOf(named)]).toEqual([403, ['0.created_by']]);
  });
});

/** Texts of JSON values, by the column they are for, which Postgres refuses or stores: never without a field. */
const numbers = ['1e3', '-1', '1e-30', '2147483648', '1.5e1'];
const texts = [String.raw`"a\u0000b"`, String.raw`"\ud800"`, String.raw`"\ud83d\ude00"`];
const times = [
  ...['"2026-02-30"', '"0000-01-01"', '"2026-01-01T24:30:00Z"', '"2026-01-01T10:00:00+16:00"'],
  ...['"2026-01-01T10:00:00.1234567890123Z"', '"9999-12-31T23:59:59-10:00"', '"0001-01-01T00:00:00+10:00"'],
];
const arrays = [
  '"{a,b}"',
  '"{a,}"',
  '"{a}}"',
  '"{{a},{b,c}}"',
  String.raw`["a\u0000"]`,
  '[1e400]',
  '[null, true]',
];
it.each<[column: string, values: string[]]>([
  ['quotes.roster_count', numbers],
  ['quotes.unit_price', [...numbers, '1e400', '1e-400', '123456789012345678901234567890123']],
  ['quotes.rush_order', ['1', '1.0', '"yes "', '"2"']],
  ['quotes.customer_notes', [...texts, '1e3', 'true']],
  ['quotes.customization', [...texts.map(text => `{${text}: [${text}]}`), '{"a": 1e400}', '{"a": 1e-20000}']],
  ['quotes.size_breakdown', ['{"M": 1e3}', '{"M": 1e-400}', '{"M": 1e30}']],
  ['quotes.event_date', times],
  ['quotes.estimated_delivery_at', times],
  ['quotes.design_id', ['"{11111111-1111-4111-8111-111111111111"']],
  ['graphics.tags', arrays],
  ['notifications.id', ['9007199254740991.4', '"1e3"', '-9007199254740993']],
])('a value that cannot be stored is reported at its column: %s', async (named, values) => {
  const [collection = '', column = ''] = named.split('.');
  const row = { quotes: aQuote(account), graphics: aGraphic(), notifications: aNotification(account) }[
    collection
  ];
  const { [column]: _, ...rest } = row as Record<string, unknown>;
  const key = `\\u00${column.charCodeAt(0).toString(16)}${column.slice(1)}`;
  for (const value of values) {
    const body = `[{${JSON.stringify(rest).slice(1, -1)},"${key}":${value}}]`;
    const reply = await staff.send('POST', `/${collection}`, body);
    const isStored = reply.status === 201 || reply.body.code === '23505';
    // A number of a thousand digits is too much for any request, before its field is known.
    if (!isStored && !/^PT4|^PGRST/.test(reply.body.code)) {
      const path = `0.${column}`;
      const paths = pathsOf(reply).map(each => (each.startsWith(`${path}.`) ? path : each));
      expect([value, reply.status, paths]).toEqual([value, 400, [path]]);
    }
  }
});

const send = (id: string) => {
  const row = `{"id":${id},"account_id":"${account}","body":"x","dismissed":false}`;
  return staff.send('POST', '/notifications?select=id', row, representation);
};

it('the id of a notification is at most 2^53 - 1, and a large one does not make later ids inexact', async () => {
  expect((await send('9007199254740991')).body).toEqual([{ id: Number.MAX_SAFE_INTEGER }]);
  for (const id of ['9007199254740992', '9007199254740993', '"9007199254740993"']) {
    const reply = await send(id);
    expect([id, reply.status, pathsOf(reply)]).toEqual([id, 400, ['id']]);
  }
  const next = await staff.send('POST', '/notifications?select=id', aNotification(account), representation);
  expect(next.body[0].id).toBeLessThan(2 ** 52);
});

it('an id that is taken is reported at its field', async () => {
  const row = { ...aNotification(account), id: 4242 };
  expect(await staff.send('POST', '/notifications', row)).toMatchObject({ status: 201 });
  expect(await staff.send('POST', '/notifications', row)).toMatchObject({
    status: 409,
    body: { code: '23505', issues: [{ path: 'id', expected: 'a value that no other row has' }] },
  });
  expect(pathsOf(await staff.send('POST', '/notifications', [row, row]))).toEqual(['1.id']);
});

it('a code that is taken has its path, also in a change, and with its row in an array where that is known', async () => {
  const [taken, other] = [aGraphic(), aGraphic()];
  await staff.send('POST', '/graphics', [taken, other]);
  const message = `code must be a value that no other row has; it is ${taken.code}.`;
  const inserted = await staff.send('POST', '/graphics', taken);
  expect(inserted).toMatchObject({
    status: 409,
    body: { code: '23505', issues: [{ path: 'code', message }] },
  });
  const changed = await staff.send('PATCH', `/graphics?code=eq.${other.code}`, { code: taken.code });
  expect(changed.body.issues).toMatchObject([{ path: 'code', message }]);
  const free = aGraphic();
  expect(pathsOf(await staff.send('POST', '/graphics', [aGraphic(), free, free]))).toEqual(['2.code']);
  expect(pathsOf(await staff.send('POST', '/graphics', [aGraphic(), taken]))).toEqual(['code']);
});
