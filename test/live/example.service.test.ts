/** The example of the README as it is printed, while rows change as it reads and its connection breaks. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@supabase/supabase-js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { differences } from '../faults/noted-rows.ts';
import { useService } from '../setup/service.ts';
import { ExamplePage, loadExample, type Rows, readRows } from './example-page.ts';
import { type RealtimeVersion, reconnectingVersions } from './realtime-clients.ts';
import { useLive } from './wire.ts';

const service = useService();
const live = useLive(service);

let page: ExamplePage;
/** What a read goes through once the rows are known. */
let afterRead: () => Promise<void>;
beforeEach(() => {
  afterRead = async () => {};
});
afterEach(() => page?.stop());

/** Runs the example with the newest client. */
async function run(): Promise<void> {
  const { account } = live;
  const [client] = reconnectingVersions as [RealtimeVersion];
  const read = async () => {
    const rows = await readRows(service.sql, account);
    await afterRead();
    return rows;
  };
  page = await ExamplePage.start({ service, account, client, read });
}

/** Holds back the answers of reads until they are released, in the order in which they were read. */
function holdReads(): (() => void)[] {
  const held: (() => void)[] = [];
  afterRead = () => new Promise(resolve => held.push(resolve));
  return held;
}

const insert = (body: string) => live.insert({ body });
const update = (id: number, body: string) =>
  service.sql`update builder.notifications set body = ${body} where id = ${id}`;
const remove = (id: number) => service.sql`delete from builder.notifications where id = ${id}`;

/** The map has exactly the rows of the database, and continues to. */
async function expectToBeRight(rows: () => Rows = () => page.rows): Promise<void> {
  const stored = await readRows(service.sql, live.account);
  await expect.poll(() => differences(rows(), stored)).toEqual([]);
  await sleep(300);
  expect(differences(rows(), stored)).toEqual([]);
}

const until = (isSo: () => boolean) => expect.poll(isSo).toBe(true);

describe('the example of live updates', () => {
  it('joins at its first attempt with supabase-js, and shows what was there and what comes', async () => {
    await insert('there');
    const token = await service.token({ account: live.account });
    const states: string[] = [];
    const supabase = createClient(service.url, service.publishableKey, {
      accessToken: () => sleep(50, token),
      realtime: { transport: WebSocket as never, logger: (_, message: string) => states.push(message) },
    });
    const rows = await (await loadExample())(supabase);
    await until(() => rows.size === 1);
    await insert('new');
    await expectToBeRight(() => rows);
    expect(states.filter(message => message.includes('"status":"error"'))).toEqual([]);
    await supabase.removeAllChannels();
  });

  it.each([
    ['in their order', [0, 1]],
    ['the later one first', [1, 0]],
  ])('shows what is written while two reads run that return %s', async (_, order) => {
    const [changed, deleted] = [await insert('old'), await insert('deleted')];
    const held = holdReads();
    await run();
    await until(() => held.length === 1);
    await update(changed, 'newer');
    await until(() => page.changes === 1);
    page.link.cut();
    await until(() => held.length === 2);
    const before = page.changes;
    await update(changed, 'newest');
    await remove(deleted);
    await until(() => page.changes >= before + 2);
    for (const at of order) {
      held[at]?.();
      await sleep(100);
    }
    await expectToBeRight();
  });

  it('reads again after a read that failed', async () => {
    let reads = 0;
    afterRead = async () => {
      reads += 1;
      if (reads === 1) {
        throw new Error('failed');
      }
    };
    await insert('there');
    await run();
    await until(() => page.rows.size === 1);
  });
});
