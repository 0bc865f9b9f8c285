/** The engine over the invented schema, in this process. */
import { scheduler } from 'node:timers/promises';
import { beforeAll, vi } from 'vitest';
import type { Env } from '../../../functions/common/env.ts';
import { fail, ok } from '../../../functions/common/failure/result.ts';
import { Connection } from '../../../functions/database/connection.ts';
import { failureOf } from '../../../functions/database/failure-of.ts';
import { createAccessToken } from '../../../functions/local/access-token.ts';
import type { Completion } from '../../../functions/rest/endpoint.ts';
import { createRest } from '../../../functions/rest/rest.ts';
import { useDatabase } from '../../setup/database.ts';
import { type Caller, callerOf } from '../../setup/wire.ts';
import { collections, functions, tables } from './club.ts';
import '../../setup/with-resolvers.ts';

/** What workerd has and Node lacks: a read that fills its buffer, a timer, and the cache of a location, which is empty here. */
Object.assign(ReadableStreamBYOBReader.prototype, {
  readAtLeast(this: ReadableStreamBYOBReader, _: number, buffer: Uint8Array) {
    return this.read(buffer);
  },
});
const cache = { match: async () => undefined, put: async () => {} };
Object.assign(globalThis, { scheduler, caches: { default: cache } });

export const club = 'c0000000-0000-4000-8000-000000000001';
const keys = {
  PUBLISHABLE_KEY: 'sb_publishable_of_the_club',
  SECRET_KEY: 'sb_secret_of_the_club',
  JWT_SECRET: 'a secret of the club, of 32 bytes or more',
};

/** What the worker adds to a bet, unless the club has no cash. */
const bet: Completion = {
  prepare: ({ DELIVER }) =>
    DELIVER === 'off' ? fail({ is: 'function turned off', name: 'bet', variable: 'DELIVER' }) : ok(undefined),
  complete: async (object, { caller }) => ({ ...object, ticket: `of a ${caller.audience}` }),
};

/** Serves the invented schema in a database of its own; `env` may get further variables. */
export function useClub() {
  const database = useDatabase();
  const callers = {} as Record<'anon' | 'customer' | 'stranger' | 'staff', Caller>;
  const env: Env & Record<string, unknown> = { ...keys };
  beforeAll(async () => {
    vi.spyOn(console, 'log').mockImplementation(() => {}); // the lines of the log
    await database.sql.unsafe(tables);
    const api = new Connection(database.apiUrl);
    const app = createRest({
      collections,
      described: { collections, functions },
      completions: { bet },
      hooks: {
        async execute(message, _, { caller }) {
          const reply = await api.send(message.text);
          return reply.ok ? ok(reply.rows) : fail(failureOf(reply.error, caller));
        },
        afterWrite: () => [],
      },
    });
    const context = { waitUntil() {}, passThroughOnException() {}, props: {} } as unknown as ExecutionContext;
    const fetch = async (path: string, init?: RequestInit) =>
      app.fetch(new Request(`http://club.test${path}`, init), env, context);
    const signedIn = async (account: string) =>
      callerOf({ fetch }, keys.PUBLISHABLE_KEY, await createAccessToken(keys.JWT_SECRET, { account }));
    Object.assign(callers, {
      anon: callerOf({ fetch }, keys.PUBLISHABLE_KEY),
      customer: await signedIn(club),
      stranger: await signedIn('c0000000-0000-4000-8000-000000000002'),
      staff: callerOf({ fetch }, keys.SECRET_KEY),
    });
    await fill(callers.staff);
    return () => api.abandon();
  });
  return { callers, env };
}

/** Writes the rows that the tests begin with. */
async function fill(staff: Caller): Promise<void> {
  const rows = [
    { handle: 'Anna', club, rating: 2000, biography: 'x'.repeat(65_536) },
    { handle: 'anna', club, rating: 1800, coach: 'Anna' },
    { handle: 'a,"b" é', club, rating: 1500, coach: 'Anna' },
  ];
  for (const row of rows) {
    await staff.send('POST', '/players', row);
  }
  for (const [white, black] of [
    ['Anna', 'anna'],
    ['anna', 'Anna'],
  ]) {
    await staff.send('POST', '/matches', { club, white, black });
  }
  await staff.send('POST', '/bulletins', { slug: 'open-day', headline: 'Open day' });
}
