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

/** Whether the chunk begins the message of a request: deliveries look for what is due, too, and nobody waits for them. */
const isOfRequest = (chunk: Buffer): boolean => chunk[0] === query && chunk.includes('request_id=');

/** The next connection that carries the message of a request goes silent: the message gets through, and no answer; resolves then. */
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
    if (from === 'client') {
      if (isOfRequest(chunk)) {
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
