/** However a connection ends that carries requests, its end is seen. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { postgresPort } from '../setup/service.ts';
import { type Link, startLink } from './link.ts';
import { endureRounds, type Fault, rounds } from './rounds.ts';
import { type BothWays, startBothWays } from './under-load.ts';

let link: Link;
let both: BothWays;
beforeAll(async () => {
  link = await startLink(postgresPort());
  both = await startBothWays({ databasePort: link.port });
});
afterAll(async () => {
  await both.stop();
  await link.stop();
});

const ends: [how: string, fault: () => Fault][] = [
  [
    'by pg_terminate_backend',
    () => ({
      strike: () => both.database.sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and usename = 'builder_api'`,
    }),
  ],
  ['by FIN', () => ({ strike: link.cut })],
];

it.each(ends)('%s, each time', { timeout: 60_000 }, async (_, fault) => {
  const met = await endureRounds(both.database, both.services, fault());
  expect(met.read).toBeGreaterThan(rounds);
  expect(met.write).toBeGreaterThan(rounds);
});
