/** The example of the README as it is printed, while rows change as it reads, reads fail, and its connection breaks. */
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { type Link, startLink } from '../faults/link.ts';
import { createDatabase } from '../setup/database.ts';
import { rounds } from '../setup/full-size.ts';
import { blocksOf } from '../setup/readmes.ts';
import { aNotification } from '../setup/rows.ts';
import { type Service, startService } from '../setup/service.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../setup/temporary-directory.ts';

type Rows = Map<number, { body: string }>;

let service: Service;
let link: Link;
let directory: TemporaryDirectory;
let runExample: (supabase: SupabaseClient) => Promise<Rows>;
beforeAll(async () => {
  service = await startService({ database: await createDatabase() });
  link = await startLink(Number(new URL(service.url).port));
  directory = await makeTemporaryDirectory();
  const file = join(directory.path, 'example.ts');
  const blocks = blocksOf('ts', 'functions/live/README.md').map(({ text }) => text);
  await writeFile(file, `export async function run(supabase) {\n${blocks.join('')}return rows;\n}\n`);
  ({ run: runExample } = await import(file));
});
afterAll(async () => {
  await link.stop();
  await service.stop();
  await directory.remove();
});

let account: string;
let client: SupabaseClient;
/** The joins that were accepted, the changes that were told, and the errors: of a join, or that changes were missed. */
let joined: number;
let told: number;
let errors: string[];
/** What a read goes through before and after the service has answered it. */
let beforeRead: (headers: Headers) => Promise<void>;
let afterRead: () => Promise<void>;
/** Reads that the service has answered. */
let answered: number;

beforeEach(() => {
  account = randomUUID();
  [joined, told, answered, errors] = [0, 0, 0, []];
  [beforeRead, afterRead] = [async () => {}, async () => {}];
});
afterEach(() => client.removeAllChannels());

class Recorded extends WebSocket {
  constructor(url: string | URL) {
    super(url);
    this.on('message', data => {
      const text = String(data);
      joined += text.includes('"response":{"postgres_changes"') ? 1 : 0;
      told += text.includes('"postgres_changes",{"ids"') ? 1 : 0;
      errors.push(...(/"status":"error".*/.exec(text) ?? []));
    });
  }
}

/** Runs the example as soon as its client is made. */
async function run(): Promise<Rows> {
  const token = await service.token({ account });
  client = createClient(`http://127.0.0.1:${link.port}`, service.publishableKey, {
    accessToken: async () => {
      await sleep(50);
      return token;
    },
    realtime: { transport: Recorded as never, heartbeatIntervalMs: 1000, reconnectAfterMs: () => 200 },
    global: { fetch: readThrough },
  });
  return runExample(client);
}

async function readThrough(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const headers = new Headers(init?.headers);
  await beforeRead(headers);
  const response = await fetch(String(input).replace(`:${link.port}`, `:${new URL(service.url).port}`), {
    ...init,
    headers,
  });
  const body = await response.text();
  answered += 1;
  await afterRead();
  return new Response(body, response);
}

/** Reads whose answers are held back until they are released, in the order in which they were answered. */
function holdReads(): (() => void)[] {
  const held: (() => void)[] = [];
  afterRead = () => new Promise(resolve => held.push(resolve));
  return held;
}

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
    expect(errors).toEqual([]);
    expect(answered).toBe(1);
  });

  it('shows what is written while it reads', async () => {
    const [changed, deleted] = [await insert('old'), await insert('deleted')];
    const held = holdReads();
    const rows = await run();
    await until(() => held.length === 1);
    await update(changed, 'new');
    await remove(deleted);
    await insert('added');
    await until(() => told === 3);
    held[0]?.();
    await expectToBeRight(rows);
  });

  it.each([
    ['in their order', [0, 1]],
    ['the later one first', [1, 0]],
  ])('shows what is written while two reads run that return %s', async (_, order) => {
    const [changed, deleted] = [await insert('old'), await insert('deleted')];
    const held = holdReads();
    const rows = await run();
    await until(() => held.length === 1);
    await update(changed, 'newer');
    await until(() => told === 1);
    link.cut();
    await until(() => held.length === 2);
    await update(changed, 'newest');
    await remove(deleted);
    await until(() => told >= 3);
    for (const read of order) {
      held[read]?.();
      await sleep(100);
    }
    await expectToBeRight(rows);
  });

  it('reads again when a read fails', async () => {
    await insert('there');
    beforeRead = async headers => headers.set('authorization', 'Bearer expired');
    const rows = await run();
    await until(() => client.getChannels()[0]?.state === 'joined');
    const added = await insert('added');
    await until(() => told === 1 && answered > 0);
    beforeRead = async () => {};
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
    await reach('-1 seconds');
    await link.resume();
    await until(() => errors.some(message => message.includes('changes were missed')));
    await reach('55 minutes');
    await expectToBeRight(rows);
    await until(() => answered === joined + errors.length);
  });

  it('shows in the end what is stored, whatever is written, cut off and read slowly at random', async () => {
    afterRead = () => sleep(Math.random() * 800);
    const ids = [await insert('first')];
    const rows = await run();
    for (let count = 0; count < rounds(150, 800); count++) {
      const id = ids[Math.floor(Math.random() * ids.length)] ?? 0;
      const chance = Math.random();
      if (chance < 0.4) {
        ids.push(await insert(`inserted ${count}`));
      } else if (chance < 0.8) {
        await update(id, `updated ${count}`);
      } else {
        await remove(id);
      }
      if (chance > 0.93) {
        link.cut();
      }
      await sleep(Math.random() * 40);
    }
    await expectToBeRight(rows);
  });
});

/** How far back the feed can be read. */
async function reach(text: string): Promise<void> {
  const [row] = await service.sql`
    select pg_get_functiondef('builder.changes_since(text,text,integer)'::regprocedure) as text`;
  await service.sql.unsafe(String(row?.['text']).replace(/interval := '[^']*'/, `interval := '${text}'`));
}
