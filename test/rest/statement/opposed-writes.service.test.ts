/**
 * Requests that write the same rows in opposite order wait for each other instead of deadlocking, and what they return has the
 * order of their bodies.
 */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { everyone } from '../../../schema/everyone.ts';
import { aQuote } from '../../setup/rows.ts';
import { useService } from '../../setup/service.ts';
import { type Caller, representation, signIn, useCallers } from '../../setup/wire.ts';

const account = randomUUID();
const service = useService();
const { staff, customer } = useCallers(service, account);

const merge = { prefer: 'resolution=merge-duplicates' };
const ignore = { prefer: 'resolution=ignore-duplicates' };

interface Rows {
  path: string;
  /** The key of a row in this order. */
  keyOf(n: number): string | number;
  rowOf(key: string | number): object;
  change: object;
}

const upTo = (n: number): string => `${randomUUID().slice(0, 33)}${String(n).padStart(3, '0')}`;
const graphic = {
  name: 'Tiger',
  file_url: 'https://a.example/library/a.svg',
  file_format: 'svg',
  file_size: 1,
};
const collections: Record<string, Rows> = {
  quotes: { path: '/quotes', keyOf: upTo, rowOf: id => aQuote(account, { id }), change: { sport: 'golf' } },
  graphics: {
    path: '/graphics',
    keyOf: upTo,
    rowOf: id => ({ ...graphic, id, code: String(id).toUpperCase(), width: null, height: null }),
    change: { sort_order: 2 },
  },
  notifications: {
    path: '/notifications',
    keyOf: n => 1_000_000 + n,
    rowOf: id => ({ id, account_id: account, body: 'a', dismissed: false }),
    change: { dismissed: true },
  },
};

type Write = (by: Caller, rows: Rows, keys: (string | number)[]) => Promise<{ status: number; text: string }>;
const list = (keys: unknown[]) => `id=in.(${keys})`;
const writes: Record<string, Write> = {
  upserts: (by, { path, rowOf }, keys) => by.send('POST', path, keys.map(rowOf), merge),
  'upserts of other rows': (by, { path, rowOf }, keys) => by.send('POST', path, keys.map(rowOf), ignore),
  'upserts by code': (by, { path, rowOf }, keys) =>
    by.send('POST', `${path}?on_conflict=code`, keys.map(rowOf), merge),
  arrays: (by, { path, change }, keys) =>
    by.send(
      'PATCH',
      path,
      keys.map(id => ({ id, ...change })),
    ),
  'changes by filter': (by, { path, change }, keys) => by.send('PATCH', `${path}?${list(keys)}`, change),
  'changes by or': (by, { path, change }, keys) =>
    by.send('PATCH', `${path}?or=(${keys.map(id => `id.eq.${id}`)})`, change),
  deletes: (by, { path }, keys) => by.send('DELETE', `${path}?${list(keys)}`),
};

it.each<[string, string, string]>([
  ['quotes', 'upserts', 'upserts'],
  ['quotes', 'upserts', 'changes by or'],
  ['quotes', 'arrays', 'changes by filter'],
  ['quotes', 'deletes', 'arrays'],
  ['graphics', 'upserts by code', 'upserts of other rows'],
  ['notifications', 'deletes', 'upserts'],
])('of %s, %s and %s in opposite order have no 5xx', async (name, one, other) => {
  const rows = collections[name] as Rows;
  const keys = Array.from({ length: 60 }, (_, n) => rows.keyOf(n));
  await service.sql`truncate builder.notifications`;
  // In the table they are in opposite order too.
  const stored = await staff.send('POST', rows.path, keys.toSorted().reverse().map(rows.rowOf));
  expect(stored.status, stored.text).toBe(201);
  const by = name === 'quotes' ? customer : staff;
  const sent = Array.from({ length: 12 }, () => [
    writes[one]?.(by, rows, keys),
    writes[other]?.(staff, rows, keys.toReversed()),
  ]);
  const replies = await Promise.all(sent.flat());
  expect(replies.flatMap(reply => (reply && reply.status >= 500 ? [reply.text] : []))).toEqual([]);
  expect(replies.some(reply => reply && reply.status < 300)).toBe(true);
});

it.each<[string, string]>([
  ['arrays', 'arrays'],
  ['arrays', 'changes by filter'],
  ['changes by or', 'deletes'],
])('of notifications, %s and %s of customers in opposite order have no 5xx', async (one, other) => {
  const { keyOf, rowOf, ...rows } = collections['notifications'] as Rows;
  // Some are to everyone: then what is written are dismissals.
  const keys = Array.from({ length: 60 }, (_, n) => keyOf(n));
  const stored = keys.map((id, n) => ({ ...rowOf(id), ...(n % 3 === 0 && { account_id: everyone }) }));
  for (let round = 0; round < 4; round++) {
    await service.sql`truncate builder.notifications, builder.dismissals`;
    expect((await staff.send('POST', rows.path, round % 2 ? stored : stored.toReversed())).status).toBe(201);
    const colleague = await signIn(service, { account });
    const sent = Array.from({ length: 6 }, (_, n) => [
      writes[one]?.(n % 2 ? customer : colleague, { ...rows, keyOf, rowOf }, keys),
      writes[other]?.(customer, { ...rows, keyOf, rowOf }, keys.toReversed()),
      // Staff delete what is dismissed meanwhile.
      n === 3
        ? writes['deletes']?.(staff, { ...rows, keyOf, rowOf }, keys.slice(0, 20).toReversed())
        : undefined,
    ]);
    const replies = await Promise.all(sent.flat());
    expect(replies.flatMap(reply => (reply && reply.status >= 500 ? [reply.text] : []))).toEqual([]);
    expect(replies.some(reply => reply && reply.status < 300)).toBe(true);
  }
});

describe('an upsert returns its rows in the order of its body', () => {
  const { rowOf, keyOf } = collections['quotes'] as Rows;
  const descending = () =>
    Array.from({ length: 9 }, (_, n) => String(keyOf(n)))
      .toSorted()
      .reverse();
  const prefer = (also: string) => ({ prefer: `${representation.prefer},${also}` });
  const idsOf = ({ body, text }: { body: { id: string }[]; text: string }) =>
    body.map?.(({ id }) => id) ?? text;

  it.each([
    ['all columns', '/quotes?select=id', 'resolution=merge-duplicates,missing=default'],
    ['some columns', `/quotes?columns=${Object.keys(aQuote(account))},id`, 'resolution=merge-duplicates'],
    ['new rows only', '/quotes?select=id', 'resolution=ignore-duplicates'],
  ])('of %s, and again when some exist', async (_, path, preferences) => {
    const ids = descending();
    const [, second, ...others] = ids;
    const ignores = preferences.includes('ignore');
    await staff.send('POST', '/quotes', rowOf(second as string));
    const sent = await staff.send('POST', path, ids.map(rowOf), prefer(preferences));
    expect(idsOf(sent)).toEqual(ignores ? [ids[0], ...others] : ids);
    const again = await staff.send('POST', path, ids.map(rowOf), prefer(preferences));
    expect(idsOf(again)).toEqual(ignores ? [] : ids);
  });

  it('of a request with an order, in that order', async () => {
    const ids = descending();
    const path = '/quotes?select=id&order=id.asc';
    const sent = await staff.send('POST', path, ids.map(rowOf), prefer(merge.prefer));
    expect(idsOf(sent)).toEqual(ids.toSorted());
  });

  it('when a row is there twice and duplicates are ignored', async () => {
    const [first, second] = descending() as [string, string];
    const body = [first, second, first].map(rowOf);
    expect(idsOf(await staff.send('POST', '/quotes', body, prefer(ignore.prefer)))).toEqual([first, second]);
  });

  it('by code, where the rows have other ids in the table', async () => {
    const codes = ['D', 'A', 'C', 'B'].map(letter => `${letter}-${randomUUID().slice(0, 8).toUpperCase()}`);
    const body = codes.map(code => ({ ...graphic, code, width: null, height: null }));
    const path = '/graphics?on_conflict=code&select=code';
    for (const _ of [1, 2]) {
      const reply = await staff.send('POST', path, body, prefer(merge.prefer));
      expect(reply.body).toEqual(codes.map(code => ({ code })));
    }
  });
});
