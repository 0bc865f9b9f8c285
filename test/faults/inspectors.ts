/** Close a connection at certain points of the protocol. */
import '../setup/with-resolvers.ts';
import type { Inspector, Link, Passage } from './link.ts';

/** Closes new connections at this chunk from one side, before it gets through. */
export const endNewAt =
  (side: 'client' | 'server', chunks: number): Inspector =>
  (from, chunk, passage) =>
    from === side && passage.chunks[side] === chunks ? 0 : chunk.length;

/** See "Message Formats" in Postgres's documentation. */
const query = 'Q'.charCodeAt(0);
const readyForQuery = Buffer.from([...Buffer.from('Z'), 0, 0, 0, 5]);
const lengthOfReady = readyForQuery.length + 1;

/** Closes a connection between the replies to two messages; resolves when it has. */
export function cutBetweenMessages(link: Link): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const waiting = new WeakMap<Passage, number>();
  link.inspect((from, chunk, passage) => {
    const before = waiting.get(passage) ?? 0;
    if (from === 'client') {
      waiting.set(passage, before + countQueries(chunk));
      return chunk.length;
    }
    const ready = chunk.indexOf(readyForQuery);
    if (ready < 0) {
      return chunk.length;
    }
    waiting.set(passage, Math.max(0, before - 1));
    if (before < 2) {
      return chunk.length;
    }
    link.inspect();
    resolve();
    // If the second reply has arrived as well, all but its last byte gets through.
    return Math.min(ready + lengthOfReady, chunk.length - 1);
  });
  return promise;
}

/** The next connection that carries a message goes silent: the message gets through, and no answer; resolves then. */
export function silenceNext(link: Link): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  link.inspect((from, chunk, { client, server }) => {
    if (from === 'client' && chunk[0] === query) {
      link.inspect();
      client.pause();
      server.pause();
      resolve();
    }
    return chunk.length;
  });
  return promise;
}

/** Closes a connection in the middle of a reply; resolves when it has. */
export function cutInAnswer(link: Link): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const asked = new WeakSet<Passage>();
  link.inspect((from, chunk, passage) => {
    if (from === 'client') {
      if (chunk[0] === query) {
        asked.add(passage);
      }
      return chunk.length;
    }
    if (!asked.has(passage)) {
      return chunk.length;
    }
    link.inspect();
    resolve();
    return Math.floor(chunk.length / 2);
  });
  return promise;
}

/** A chunk contains whole messages, as the worker writes them. */
function countQueries(chunk: Buffer): number {
  let count = 0;
  for (let at = 0; chunk[at] === query; at += 1 + chunk.readUInt32BE(at + 1)) {
    count += 1;
  }
  return count;
}
