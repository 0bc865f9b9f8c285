/** The example of the README as it is printed, while rows change as it reads, reads fail, and its connection breaks. */
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Link, startLink } from '../faults/link.ts';
import { createDatabase } from '../setup/database.ts';
import { rounds } from '../setup/full-size.ts';
import { aNotification } from '../setup/rows.ts';
import { type Service, startService } from '../setup/service.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import { use } from '../setup/use.ts';
import { type Example, ExamplePage, loadExample, type Rows } from './example-page.ts';
import { setReach, usualReach } from './reach.ts';

let service: Service;
let link: Link;
const directory = use(makeTemporaryDirectory, 'remove');
let example: Example;
beforeAll(async () => {
  service = await startService({ database: await createDatabase() });
  link = await startLink(Number(new URL(service.url).port));
  example = await loadExample(directory.path);
});
afterAll(async () => {
  await link.stop();
  await service.stop();
});

let account: string;
let page: ExamplePage;
beforeEach(() => {
  account = randomUUID();
  page = new ExamplePage(service, link);
});
afterEach(() => page.close());

const run = async (): Promise<Rows> => page.run(example, await service.token({ account }));

async function insert(body: string): Promise<number> {
  const { sql } = service;
  const [row] = await sql`
    insert into builder.notifications ${sql(aNotification(account, { body }))} returning id`;
  return Number(row?.['id']);
}
const update = (id: number, body: string) =>
  service.sql`update builder.notifications set body = ${body} where id = ${id}`;
const remove = (id: number) => service.sql`delete from builder.notifications where id = ${id}`;

async function stored(): Promise<[id: number, body: string][]> {
  const rows = await service.sql<{ id: string; body: string }[]>`
    select id, body from builder.notifications where account_id = ${account} order by id`;
  return rows.map(({ id, body }) => [Number(id), body]);
}

const shown = (rows: Rows): [id: number, body: string][] =>
  [...rows].map(([id, { body }]): [number, string] => [id, body]).toSorted(([a], [b]) => a - b);

/** The map has exactly the rows of the database, and continues to. */
async function expectToBeRight(rows: Rows): Promise<void> {
  const expected = await stored();
  await expect.poll(() => shown(rows), { timeout: 20_000 }).toEqual(expected);
  await sleep(300);
  expect(shown(rows)).toEqual(expected);
}

const until = (isSo: () => boolean) => expect.poll(isSo, { timeout: 20_000 }).toBe(true);

describe('the example of live updates', { timeout: 60_000 }, () => {
  it('joins at its first attempt, and shows what was there and what comes', async () => {
    await insert('there');
    const rows = await run();
    await until(() => rows.size === 1);
    await insert('new');
    await expectToBeRight(rows);
    expect(page.errors).toEqual([]);
    expect(page.answered).toBe(1);
  });

  it('shows what is written while it reads', async () => {
    const [changed, deleted] = [await insert('old'), await insert('deleted')];
    const held = page.holdReads();
    const rows = await run();
    await until(() => held.length === 1);
    await update(changed, 'new');
    await remove(deleted);
    await insert('added');
    await until(() => page.told === 3);
    held[0]?.();
    await expectToBeRight(rows);
  });

  it.each([
    ['in their order', [0, 1]],
    ['the later one first', [1, 0]],
  ])('shows what is written while two reads run that return %s', async (_, order) => {
    const [changed, deleted] = [await insert('old'), await insert('deleted')];
    const held = page.holdReads();
    const rows = await run();
    await until(() => held.length === 1);
    await update(changed, 'newer');
    await until(() => page.told === 1);
    link.cut();
    await until(() => held.length === 2);
    await update(changed, 'newest');
    await remove(deleted);
    await until(() => page.told >= 3);
    for (const read of order) {
      held[read]?.();
      await sleep(100);
    }
    await expectToBeRight(rows);
  });

  it('reads again when a read fails', async () => {
    await insert('there');
    page.beforeRead = async headers => headers.set('authorization', 'Bearer expired');
    const rows = await run();
    await until(() => page.joined === 1);
    const added = await insert('added');
    await until(() => page.told === 1 && page.answered > 0);
    page.beforeRead = async () => {};
    await expectToBeRight(rows);
    await update(added, 'changed');
    await expectToBeRight(rows);
  });

  it('forgets rows that were deleted while it was away for so long that nobody can tell it', async () => {
    const [kept, deleted] = [await insert('kept'), await insert('deleted')];
    const rows = await run();
    await until(() => rows.size === 2);
    await link.refuse();
    await remove(deleted);
    await update(kept, 'changed');
    await setReach(service.sql, '-1 seconds');
    await link.resume();
    await until(() => page.errors.some(message => message.includes('changes were missed')));
    await setReach(service.sql, usualReach);
    await expectToBeRight(rows);
    await until(() => page.answered === page.joined + page.errors.length);
  });

  it('shows in the end what is stored, whatever is written, cut off and read slowly at random', async () => {
    const seed = randomInt(2 ** 31);
    console.log(`seed ${seed}`);
    const delays = fc.sample(fc.nat(800), { seed, numRuns: 100 });
    page.afterRead = () => sleep(delays.pop() ?? 0);
    const step = fc.record({
      what: fc.constantFrom(...Array(4).fill('insert'), ...Array(4).fill('update'), 'remove', 'remove'),
      which: fc.nat(),
      pause: fc.nat(40),
      cutsOff: fc.integer({ min: 1, max: 14 }).map(n => n === 1),
    });
    const ids = [await insert('first')];
    const rows = await run();
    for (const [count, { what, which, pause, cutsOff }] of fc
      .sample(step, { seed, numRuns: rounds(150, 800) })
      .entries()) {
      const id = ids[which % ids.length] ?? 0;
      if (what === 'insert') {
        ids.push(await insert(`inserted ${count}`));
      } else {
        await (what === 'update' ? update(id, `updated ${count}`) : remove(id));
      }
      if (cutsOff) {
        link.cut();
      }
      await sleep(pause);
    }
    await expectToBeRight(rows);
  });
});
