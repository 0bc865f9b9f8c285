/** What the feed of changes costs the database: each write with it and without, in turn, and reading it. */
import postgres, { type Sql } from 'postgres';
import { loginUrl } from '../../functions/local/database.ts';
import { feedMessage } from '../../functions/statement/live.ts';
import { cpuMicroseconds } from './cpu.ts';
import { account, insert, type JobRequest, update } from './jobs.ts';
import { messageFor, percentiles } from './limit.ts';
import type { Database } from './place.ts';

/** Microseconds of CPU of the one backend. */
export interface FeedResult {
  /** `feed` is what it adds: the median of what each two neighbouring chunks differ by. */
  writes: { write: string; without: number; feed: number }[];
  /** A reading that finds nothing, while the feed has so many lines. */
  emptyRound: { time: number; lines: number };
}

/** Chunks with the feed, and as many without: short ones, since other programs on the machine come and go. */
const chunks = 100;
const writesInChunk = 20;
/** The first writes of a chunk plan their statements anew. */
const unmeasured = 5;
const readings = 500;

const headers = { 'content-type': 'application/json' };
const notification: JobRequest = {
  as: { kind: 'service', audience: 'staff' },
  method: 'POST',
  path: '/notifications',
  headers,
  body: JSON.stringify({ account_id: account, body: 'Your quote is ready.', dismissed: false }),
};
const dismissal = (id: string): JobRequest => ({
  method: 'PATCH',
  path: `/notifications?id=eq.${id}`,
  headers,
  body: '{"dismissed":true}',
});

export async function measureFeed(database: Database): Promise<FeedResult> {
  const login = loginUrl(database.ownerUrl, 'builder_api', database.loginPassword);
  const api = postgres(login, { max: 1, fetch_types: false, onnotice: () => {} });
  const added = await database.sql<{ id: string }[]>`
    insert into builder.notifications (account_id, body, dismissed)
    select ${account}, 'Your quote is ready.', false from generate_series(1, ${writesInChunk + unmeasured})
    returning id`;
  const writes = [
    await compare('insert a notification', [messageFor(notification)], api, database.sql),
    await compare(
      'dismiss one',
      added.map(({ id }) => messageFor(dismissal(id))),
      api,
      database.sql,
    ),
    await compare('insert a quote', [messageFor(insert)], api, database.sql),
    await compare('update a quote', update.map(messageFor), api, database.sql),
  ];
  const emptyRound = await readNothing(api);
  const [feed] = await database.sql<
    { lines: number }[]
  >`select count(*)::integer as lines from builder.changes`;
  await api.end();
  await database.sql`truncate builder.notifications`;
  await database.clean();
  return { writes, emptyRound: { time: emptyRound, lines: feed?.lines ?? 0 } };
}

async function compare(
  write: string,
  messages: string[],
  api: Sql,
  owner: Sql,
): Promise<FeedResult['writes'][0]> {
  const without: number[] = [];
  const withFeed: number[] = [];
  for (let chunk = 0; chunk < chunks; chunk++) {
    await switchFeed(owner, 'disable');
    without.push(await cpuOf(api, messages));
    await switchFeed(owner, 'enable');
    withFeed.push(await cpuOf(api, messages));
  }
  const added = withFeed.map((time, chunk) => time - (without[chunk] ?? Number.NaN));
  return { write, without: percentiles(without).p50, feed: percentiles(added).p50 };
}

async function switchFeed(owner: Sql, to: 'enable' | 'disable'): Promise<void> {
  const statements = ['notifications', 'quotes'].flatMap(table =>
    ['record_inserts', 'record_updates', 'record_deletes'].map(
      trigger => `alter table builder.${table} ${to} trigger ${trigger};`,
    ),
  );
  await owner.unsafe(statements.join('\n')).simple();
}

/** Of one write, on average. */
async function cpuOf(api: Sql, messages: string[]): Promise<number> {
  const send = async (from: number, to: number) => {
    for (let index = from; index < to; index++) {
      await api.unsafe(messages[index % messages.length] ?? '').simple();
    }
  };
  await send(0, unmeasured);
  return (await measured(api, () => send(unmeasured, unmeasured + writesInChunk))) / writesInChunk;
}

async function readNothing(api: Sql): Promise<number> {
  const read = async (cursor: string | null): Promise<string> => {
    const results = (await api.unsafe(feedMessage(cursor, null).text).simple()) as unknown as {
      next?: string;
    }[][];
    return results.flat().find(({ next }) => next !== undefined)?.next ?? '';
  };
  let cursor = await read(null);
  const total = await measured(api, async () => {
    for (let index = 0; index < readings; index++) {
      cursor = await read(cursor);
    }
  });
  return total / readings;
}

/** The CPU of the connection's backend while this runs. */
async function measured(api: Sql, run: () => Promise<void>): Promise<number> {
  const [backend] = await api`select pg_backend_pid() as pid`;
  const pid = Number(backend?.['pid']);
  const before = await cpuMicroseconds(pid);
  await run();
  return (await cpuMicroseconds(pid)) - before;
}
