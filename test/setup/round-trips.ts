/**
 * A link to Postgres that counts round trips: how often the client sends first, or again after data from the server, in
 * however many packets. Those of deliveries, and of a pooler that resets a session after a request, are left out, since no
 * request waits for them.
 */
import { type Passage, startLink } from '../faults/link.ts';

export interface RoundTripCounter {
  port: number;
  /** Those of all connections since the start or the last reset, including those of connection set-up. */
  roundTrips(): number;
  /** Connections opened since then. */
  connections(): number;
  reset(): void;
  /** Closes every connection, as a database that shuts down does. */
  stop(): Promise<void>;
}

export async function startRoundTripCounter(targetPort: number): Promise<RoundTripCounter> {
  const link = await startLink(targetPort);
  const states = new WeakMap<Passage, { isCounted: boolean; clientSpokeLast: boolean }>();
  let roundTrips = 0;
  let connections = 0;
  link.inspect((from, chunk, passage) => {
    let state = states.get(passage);
    if (state === undefined) {
      // The first message names the login.
      state = { isCounted: !chunk.includes('builder_deliverer'), clientSpokeLast: false };
      states.set(passage, state);
      connections += state.isCounted ? 1 : 0;
    }
    const isFirst = from === 'client' && !state.clientSpokeLast;
    roundTrips += isFirst && state.isCounted && !chunk.includes('RESET ALL') ? 1 : 0;
    state.clientSpokeLast = from === 'client';
    return chunk.length;
  });
  return {
    port: link.port,
    roundTrips: () => roundTrips,
    connections: () => connections,
    reset() {
      roundTrips = 0;
      connections = 0;
    },
    stop: link.stop,
  };
}
