/** Attacks by what is told of rows: conditions, large records, and many changes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { all, allQuotes } from '../wire.ts';
import type { AttackSocket } from './attack-socket.ts';
import { type Attack, type Customer, repeat, type Target } from './target.ts';

/** Sockets of the customer, each of which has asked for one of these lists of bindings. */
async function listen(target: Target, { token }: Customer, lists: object[][]): Promise<AttackSocket[]> {
  const sockets = await target.openAll(lists.length);
  for (const [index, socket] of sockets.entries()) {
    await socket.join('x', lists[index] ?? [], token);
  }
  return sockets;
}

const condition = (filter: string) => ({ ...allQuotes, filter });

/** A customer's conditions on notes of its own; `rows` quotes have such notes and are changed once. */
const slowConditions =
  (rows: number, notes: string, lists: string[][]): Attack =>
  async target => {
    const customer = await target.customer();
    await target.storeQuotes(customer.account, rows, { customer_notes: notes });
    return async () => {
      await listen(
        target,
        customer,
        lists.map(filters => filters.map(condition)),
      );
      await target.patch(customer, `account_id=eq.${customer.account}`, { sport: 'tennis' });
      await sleep(target.size(5, 10) * 1000);
    };
  };

/** Five times as many conditions as a channel may have, each of which looks for a long text. */
const longPatterns = Array.from({ length: 5 }, (_, list) =>
  Array.from({ length: 20 }, (_, n) => `customer_notes=ilike.*${'a'.repeat(600)}b${list} ${n}`),
);

/** Values that Postgres refuses, or that no text can hold. */
export const unfitFilters = [
  'customer_notes=match.((((',
  'customer_notes=fts.a & & b',
  'customer_notes=phfts(nowhere).a',
  'company=eq.\ud800',
  'id=eq.x',
  'roster_count=eq.99999999999',
  'roster_count=in.(1,many)',
  'event_date=eq.2026-02-30',
  'created_at=gt.tomorrow at noon',
  'rush_order=eq.perhaps',
  'status=is.true',
  'status=is.nothing',
  'unit_price=gt.1e999999',
  'quoted_by=neq.nobody',
  'customization=eq.{',
  'customization=cs.{"a":',
  'shipping_address=eq.nowhere',
  'size_breakdown=in.({,})',
];

const unfitConditions: Attack = async target => {
  const customer = await target.customer();
  return async () => {
    await listen(
      target,
      customer,
      unfitFilters.map(filter => [condition(filter)]),
    );
    await target.storeQuotes(customer.account, target.size(300, 3000));
    await sleep(target.size(5, 15) * 1000);
  };
};

/** Values for a column `customization` of about a megabyte each: alike, small ones, and such as nothing compresses. */
const large = [
  `jsonb_build_object('a', repeat('x', 1000000))`,
  `jsonb_build_object('a', (select jsonb_agg(i % 10) from generate_series(1, 240000) i))`,
  `jsonb_build_object('a', (select string_agg(md5(i::text || n), '') from generate_series(1, 31000) i))`,
];

const largeRecords: Attack = async target => {
  const customer = await target.customer();
  const rows = target.size(4, 18);
  for (const customization of large) {
    await target.storeQuotes(customer.account, rows, { customization });
  }
  return async () => {
    const columns = [
      ['id', 'customization'],
      ['customization', 'sport'],
      ['customization', 'colors'],
    ];
    await listen(target, customer, [[allQuotes], ...columns.map(select => [{ ...allQuotes, select }])]);
    for (let n = 0; n < target.size(1, 3); n++) {
      await target.patch(customer, `account_id=eq.${customer.account}`, { sport: `golf ${n}` });
    }
    await sleep(target.size(2, 5) * 1000);
  };
};

const manyRowsAtOnce: Attack = async target => {
  const customer = await target.customer();
  await target.storeQuotes(customer.account, target.size(4000, 20_000));
  return async () => {
    await listen(target, customer, [[allQuotes]]);
    for (let n = 0; n < 3; n++) {
      await target.patch(customer, `account_id=eq.${customer.account}`, { sport: `golf ${n}` });
    }
    await sleep(target.size(2, 5) * 1000);
  };
};

const manyWrites: Attack = async target => {
  const customer = await target.customer();
  await target.storeQuotes(customer.account, 100);
  return async () => {
    await listen(target, customer, [[allQuotes], [all]]);
    const write = (n: number) =>
      repeat(target.size(4, 12), 0, m =>
        target.patch(customer, `account_id=eq.${customer.account}`, { sport: `golf ${n} ${m}` }),
      );
    await Promise.all(Array.from({ length: 10 }, (_, n) => write(n)));
  };
};

/** Nobody attacks: the service's owner imports, while its staff have their pages open. */
const imports: Attack = async target => {
  const staff = await target.customer({ staff: true });
  const [one] = await target.customers(1);
  return async () => {
    await listen(target, staff, Array(3).fill([allQuotes]));
    for (let n = 0; n < target.size(1, 3); n++) {
      await target.storeQuotes(one?.account ?? '', target.size(4000, 20_000));
      await sleep(2000);
    }
  };
};

/** Each write is told on all channels that a customer may have. */
const manyChannels: Attack = async target => {
  const customer = await target.customer();
  await target.storeQuotes(customer.account, 10);
  return async () => {
    const sockets = await target.openAll(target.size(20, 150));
    const joins = sockets.flatMap(socket =>
      Array.from({ length: 20 }, (_, n) => socket.join(`x${n}`, [allQuotes], customer.token)),
    );
    await Promise.all(joins);
    await repeat(target.size(4, 10), 200, n =>
      target.patch(customer, `account_id=eq.${customer.account}`, { sport: `golf ${n}` }),
    );
  };
};

export const unfitAttack: Record<string, Attack> = {
  'conditions that Postgres refuses, and thousands of rows': unfitConditions,
};

export const rowAttacks: Record<string, Attack> = {
  'a condition that takes seconds for each of 8 rows': slowConditions(8, `repeat('ab', 4990) || 'x'`, [
    ['customer_notes=match.(.+)(.+)\\2\\1.*\\1\\2x$'],
  ]),
  'a hundred conditions with long patterns, and 50 rows': slowConditions(
    50,
    `repeat('a', 9990)`,
    longPatterns,
  ),
  'changes of 54 rows of a megabyte, with four lists of columns': largeRecords,
  'three changes of 20,000 rows': manyRowsAtOnce,
  'changes of a hundred rows as fast as ten connections can': manyWrites,
  '60,000 rows of others, and staff who listen': imports,
  'a customer that is told each change on 3,000 channels': manyChannels,
};
