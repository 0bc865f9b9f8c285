/**
 * No sequence of what a customer and staff do ends with a quote approved at a price, currency, size or roster that its
 * approver had not read, and none is priced for what its pricer had not read. Who names nothing prices what its customer
 * submitted once and has not touched since: there the request says all of the price.
 */
import fc from 'fast-check';
import type { Sql } from 'postgres';
import { beforeAll, expect, it } from 'vitest';
import { useDatabase } from '../../setup/database.ts';
import { rounds } from '../../setup/full-size.ts';
import { type Action, type Addressing, action, type Naming, type Side } from './actions.ts';
import { World } from './world.ts';

const database = useDatabase();
let sql: Sql;
beforeAll(async () => {
  sql = database.sql;
});

const done: Record<string, number> = {};

/** Returns what was wrong in a sequence. */
async function play(actions: Action[]): Promise<string[]> {
  const world = await World.make(sql);
  try {
    for (const one of actions) {
      const { done: statuses, wrong } = await world.do(one);
      for (const status of statuses) {
        done[status] = (done[status] ?? 0) + 1;
      }
      if (wrong) {
        return [wrong];
      }
    }
    return [];
  } finally {
    await world.remove();
  }
}

const read = (side: Side): Action => ({ is: 'read', side, quote: 0 });
const write = (
  side: Side,
  values: Record<string, unknown>,
  naming: Naming = 'nothing',
  addressing: Addressing = 'id',
): Action => ({ is: 'write', side, quote: 0, naming, addressing, values });
const price = { unit_price: 1, total_price: 10 };
const priced = { status: 'quoted', ...price };
const submits = [read('customer'), write('customer', { status: 'submitted' })];

const quoted = [...submits, read('staff'), write('staff', priced), read('customer')];
/** Sequences begin at a draft, at a quoted quote that both have read, or at one whose price has changed since. */
const beginning = fc.constantFrom<Action[]>([], quoted, [
  ...quoted,
  read('staff'),
  write('staff', { total_price: 1000 }),
]);

/** What was possible before the rules were these. */
const known: Record<string, Action[]> = {
  'a draft that was changed and cancelled': [
    ...[read('staff'), read('customer'), write('customer', { roster_count: 500 })],
    ...[write('customer', { status: 'cancelled' }), write('staff', priced)],
  ],
  'a draft that was changed and expired': [
    ...[read('staff'), read('customer'), write('customer', { roster_count: 500 })],
    ...[{ is: 'sweep', quote: 0 } as const, write('staff', priced)],
  ],
  'prices of a draft that was edited and submitted': [
    ...[
      read('staff'),
      write('staff', price, 'version'),
      read('customer'),
      write('customer', { roster_count: 500 }),
    ],
    ...[write('customer', { status: 'submitted' }), write('staff', { status: 'quoted' })],
  ],
  'a quoted quote that its customer changed': [
    ...[...submits, read('staff'), write('staff', priced), read('staff')],
    ...[write('customer', { delivery_method: 'express' }), write('staff', { total_price: 1000 })],
  ],
  'another price than was read': [
    ...[...submits, read('staff'), write('staff', priced), read('customer')],
    ...[write('staff', { total_price: 1000 }), write('customer', { status: 'approved' })],
  ],
  'a currency that was not read': [
    ...[read('staff'), read('customer'), write('customer', { currency: 'VND' })],
    ...[write('customer', { status: 'submitted' }), write('staff', priced)],
  ],
  'a stranger’s quote with the same number': [
    ...[...submits, { is: 'read', side: 'customer', quote: 1 } as const],
    { ...write('customer', { status: 'submitted' }), quote: 1 } as Action,
    ...[read('staff'), write('staff', priced, 'nothing', 'number')],
  ],
  'a stranger’s quote, beside one that has the price already': [
    ...[...quoted, read('staff'), write('staff', { total_price: 1000 })],
    { is: 'read', side: 'customer', quote: 1 },
    { ...write('customer', { status: 'submitted' }), quote: 1 } as Action,
    write('staff', { total_price: 1000 }, 'nothing', 'number'),
  ],
  'a draft that is ordered at a price': [
    ...[read('staff'), read('customer'), write('customer', { roster_count: 500 })],
    write('staff', { status: 'ordered', ...price }),
  ],
};

it.each(Object.entries(known))('is so for %s', async (_, actions) => {
  expect(await play(actions)).toEqual([]);
});

const actions = fc.array(action, { minLength: 1, maxLength: 40, size: 'max' });

it('is so for any sequence', { timeout: 900_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(beginning, actions, async (first, then) => {
      expect(await play([...first, ...then])).toEqual([]);
    }),
    { numRuns: rounds(150, 5000) },
  );
  // The sequences get somewhere.
  expect(done['quoted']).toBeGreaterThan(20);
  expect(done['approved']).toBeGreaterThan(5);
});
