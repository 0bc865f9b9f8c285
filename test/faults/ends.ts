/** The ways in which connections to Postgres end, as faults of a link. */
import '../setup/with-resolvers.ts';
import type { TestDatabase } from '../setup/database.ts';
import type { Inspector, Link, Passage } from './link.ts';
import type { Fault } from './under-load.ts';

/** Milliseconds. */
const lasts = 100;

/** Faults by how connections end that carry requests. */
export const endsUnderWay: [how: string, faultOf: (link: Link, database: TestDatabase) => Fault][] = [
  [
    'by pg_terminate_backend',
    (_, { sql }) => ({
      strike: () => sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and usename = 'builder_api'`,
    }),
  ],
  ['with RST', link => ({ strike: () => link.cut('RST') })],
  ['one way, while the other is still open', link => ({ strike: () => link.cut('one way') })],
  ['in the middle of an answer', link => ({ strike: () => cutInAnswer(link) })],
];

/** Faults by how connections end while they are made. */
export const endsWhileMade: typeof endsUnderWay = [
  ['refused', link => ({ strike: () => link.refuse(), lasts, mend: () => link.resume() })],
  ['at once', link => ({ strike: () => link.turnAway(), lasts, mend: () => link.resume() })],
  ['at start-up', link => endNew(link, 'client', 1)],
  ['when the password was right', link => endNew(link, 'server', 3)],
];

/** Existing connections are closed, and new ones at this chunk from one side, before it gets through. */
export function endNew(link: Link, side: 'client' | 'server', chunks: number): Fault {
  const end: Inspector = (from, chunk, passage) =>
    from === side && passage.chunks[side] === chunks ? 0 : chunk.length;
  return {
    strike() {
      link.inspect(end);
      link.cut();
    },
    lasts,
    mend: () => link.inspect(),
  };
}

/** See "Message Formats" in Postgres's documentation. */
const query = 'Q'.charCodeAt(0);

/** Whether the chunk begins the message of a request, and not one of the deliveries, for which nobody waits. */
const isOfRequest = (chunk: Buffer): boolean => chunk[0] === query && chunk.includes('request_id=');

/** The next connection that carries a request goes silent after it; resolves then. */
export function silenceNext(link: Link): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  link.inspect((from, chunk, { client, server }) => {
    if (from === 'client' && isOfRequest(chunk)) {
      link.inspect();
      client.pause();
      server.pause();
      resolve();
    }
    return chunk.length;
  });
  return promise;
}

/** Closes a connection in the middle of the reply to a request; resolves when it has. */
export function cutInAnswer(link: Link): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const asked = new WeakSet<Passage>();
  link.inspect((from, chunk, passage) => {
    if (from === 'client' && isOfRequest(chunk)) {
      asked.add(passage);
    }
    if (from === 'client' || !asked.has(passage)) {
      return chunk.length;
    }
    link.inspect();
    resolve();
    return Math.floor(chunk.length / 2);
  });
  return promise;
}
