/** The ways in which connections to Postgres end, as faults of a link. */
import '../setup/with-resolvers.ts';
import type { TestDatabase } from '../setup/database.ts';
import type { Inspector, Link, Passage } from './link.ts';
import type { Fault } from './under-load.ts';

/** The target of a fault. */
export interface Place {
  link: Link;
  database: TestDatabase;
}

type Named = [how: string, fault: (place: Place) => Fault];

/** Milliseconds. */
const lasts = 100;

export const endsUnderWay: Named[] = [
  [
    'by pg_terminate_backend',
    ({ database }) => ({
      strike: () => database.sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and usename = 'builder_api'`,
    }),
  ],
  ['with FIN', ({ link }) => ({ strike: () => link.cut() })],
  ['with RST', ({ link }) => ({ strike: () => link.cut('RST') })],
  ['one way, while the other is still open', ({ link }) => ({ strike: () => link.cut('one way') })],
  ['in the middle of an answer', ({ link }) => ({ strike: () => cutInAnswer(link) })],
];

export const endsWhileMade: Named[] = [
  ['refused', ({ link }) => ({ strike: () => link.refuse(), lasts, mend: () => link.resume() })],
  ['at once', ({ link }) => ({ strike: () => link.turnAway(), lasts, mend: () => link.resume() })],
  endNew('at start-up', 'client', 1),
  endNew('while the password is asked for', 'server', 1),
  endNew('while the password is checked', 'client', 2),
  endNew('when the password was right', 'server', 3),
];

/** Existing connections are closed, and new ones at this chunk from one side, before it gets through. */
export function endNew(how: string, side: 'client' | 'server', chunks: number): Named {
  const end: Inspector = (from, chunk, passage) =>
    from === side && passage.chunks[side] === chunks ? 0 : chunk.length;
  const faultOf = ({ link }: Place): Fault => ({
    strike() {
      link.inspect(end);
      link.cut();
    },
    lasts,
    mend: () => link.inspect(),
  });
  return [how, faultOf];
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
function cutInAnswer(link: Link): Promise<void> {
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
