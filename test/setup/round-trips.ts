/**
 * A link to Postgres that counts round trips: how often the client sends first, or again after data from the server, in
 * however many packets. Those of deliveries, and of a pooler that resets a session after a request, are left out, since no
 * request waits for them.
 */
import { type Passage, startLink } from '../faults/link.ts';

export type RoundTripCounter = Awaited<ReturnType<typeof startRoundTripCounter>>;

export async function startRoundTripCounter(targetPort: number) {
  const link = await startLink(targetPort);
  const states = new WeakMap<Passage, { isOfJobs: boolean; clientSpokeLast: boolean }>();
  let roundTrips = 0;
  let connections = 0;
  link.inspect((from, chunk, passage) => {
    let state = states.get(passage);
    if (state === undefined) {
      // The first message names the login.
      state = { isOfJobs: chunk.includes('builder_jobs'), clientSpokeLast: false };
      states.set(passage, state);
      connections += state.isOfJobs ? 0 : 1;
    }
    const isFirst = from === 'client' && !state.clientSpokeLast;
    const isLeftOut = state.isOfJobs ? !isOfSweep(chunk) : chunk.includes('RESET ALL');
    roundTrips += isFirst && !isLeftOut ? 1 : 0;
    state.clientSpokeLast = from === 'client';
    return chunk.length;
  });
  return {
    port: link.port,
    /** Those of all connections since the start or the last reset, including those of connection set-up. */
    roundTrips: () => roundTrips,
    /** Connections opened since then. */
    connections: () => connections,
    reset(): void {
      roundTrips = 0;
      connections = 0;
    },
    /** Closes every connection, as a database that shuts down does. */
    stop: link.stop,
  };
}

/** Whether a message of builder_jobs is one of the sweep: a query, and not of deliveries, which a pool prepares. */
const isOfSweep = (chunk: Buffer): boolean =>
  chunk[0] === 'Q'.charCodeAt(0) &&
  !/RESET ALL|execute s|builder\.(?:claim_|settle|delivery_)/.test(chunk.toString());
