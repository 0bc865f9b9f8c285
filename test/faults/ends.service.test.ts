/** However a connection ends that carries requests, its end is seen. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresPort } from '../setup/service.ts';
import { cutBetweenMessages, cutInAnswer, endNewAt } from './inspectors.ts';
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

const terminate = () => both.database.sql`
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and usename = 'builder_api'`;

describe('connections that carry requests may end', { timeout: 60_000 }, () => {
  it.each<[how: string, strike: () => unknown]>([
    ['by pg_terminate_backend', terminate],
    ['with FIN', () => link.cut()],
    ['with RST', () => link.cut('RST')],
    ['one way, while the other is still open', () => link.cut('one way')],
    ['in the middle of an answer', () => cutInAnswer(link)],
  ])('%s', async (_, strike) => {
    const met = await endureRounds(both.database, both.services, { strike });
    expect(met.read).toBeGreaterThan(rounds);
    expect(met.write).toBeGreaterThan(rounds);
  });

  it('between the answers to two messages, over the pool', async () => {
    const strike = () => cutBetweenMessages(link);
    const met = await endureRounds(both.database, both.services.slice(0, 1), { strike });
    expect(met.read + met.write).toBeGreaterThan(rounds);
  });
});

describe('connections may end while they are made', { timeout: 60_000 }, () => {
  /** Milliseconds. */
  const lasts = 200;

  it.each<[when: string, fault: () => Fault]>([
    ['refused', () => ({ strike: () => link.refuse(), mend: () => link.resume() })],
    ['at once', () => ({ strike: () => link.turnAway(), mend: () => link.resume() })],
    ['at start-up', () => endNew('client', 1)],
    ['while the password is asked for', () => endNew('server', 1)],
    ['while the password is checked', () => endNew('client', 2)],
    ['when the password was right', () => endNew('server', 3)],
  ])('%s', async (_, fault) => {
    const met = await endureRounds(both.database, both.services, { ...fault(), lasts });
    expect(met.read).toBeGreaterThan(rounds);
    expect(met.write).toBeGreaterThan(rounds);
  });

  const endNew = (...at: Parameters<typeof endNewAt>): Fault => ({
    strike() {
      link.inspect(endNewAt(...at));
      link.cut();
    },
    mend: () => link.inspect(),
  });
});
