/**
 * No sequence of what a customer, staff and programs do, also from pages that are still open, ends with a quote approved at terms
 * that its approver had read otherwise, and none is priced for a design that its pricer had read otherwise. Each request is accepted
 * or refused as the ten rules say, and the history has what they say.
 */
import fc from 'fast-check';
import type { Sql } from 'postgres';
import { beforeAll, expect, it } from 'vitest';
import { useDatabase } from '../../setup/database.ts';
import { rounds } from '../../setup/full-size.ts';
import { type Action, action, type Side, type Write } from './actions.ts';
import { World } from './world.ts';

const database = useDatabase();
let sql: Sql;
beforeAll(async () => {
  sql = database.sql;
});

const done: Record<string, number> = {};

/** Returns what was wrong in a sequence. */
async function play(status: string, actions: Action[]): Promise<string[]> {
  const world = await World.make(sql, status);
  try {
    for (const one of actions) {
      const { status, wrong } = await world.do(one);
      if (status) {
        done[status] = (done[status] ?? 0) + 1;
      }
      if (wrong) {
        return [wrong];
      }
    }
    return [await world.compareHistory()].filter(wrong => wrong !== undefined);
  } finally {
    await world.remove();
  }
}

const read = (side: Side): Action => ({ is: 'read', side });
const write = (side: Side, values: Record<string, unknown>): Write => ({
  is: 'write',
  side,
  names: [],
  where: 'body',
  isStale: false,
  rows: 'one',
  values,
  shows: 'nothing',
});
const quoted = [
  read('customer'),
  write('customer', { status: 'submitted' }),
  read('staff'),
  write('staff', { status: 'quoted', unit_price: 1, total_price: 10 }),
  read('customer'),
];
/** Sequences begin at a draft, a quoted quote that both have read, one whose price or design has changed since, or an order in fulfillment. */
const beginning = fc.constantFrom<Action[]>(
  [],
  quoted,
  [...quoted, read('staff'), write('staff', { total_price: 1000 })],
  // Staff have read one design, and are shown only the version after another one was submitted.
  [
    read('customer'),
    write('customer', { status: 'submitted', roster_count: 5 }),
    read('staff'),
    read('customer'),
    write('customer', { status: 'draft', roster_count: 500 }),
    write('customer', { status: 'submitted' }),
    { ...write('staff', { internal_notes: 'called' }), shows: 'updated_at' },
  ],
  [
    ...quoted,
    write('customer', { status: 'approved' }),
    write('staff', { status: 'ordered' }),
    write('staff', { fulfillment_status: 'preparing' }),
  ],
);

const made = fc.constantFrom('draft', 'submitted');
const actions = fc.array(action, { minLength: 1, maxLength: 40, size: 'max' });

it('nothing is priced or approved at terms that were not read, and each rule holds, in any sequence of actions', {
  timeout: 1_800_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(made, beginning, actions, async (status, first, then) => {
      expect(await play(status, [...first, ...then])).toEqual([]);
    }),
    { numRuns: rounds(150, 250) },
  );
  // The sequences get somewhere.
  expect(done['draft']).toBeGreaterThan(20);
  expect(done['quoted']).toBeGreaterThan(20);
  expect(done['approved']).toBeGreaterThan(5);
});
