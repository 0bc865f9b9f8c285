/** Connections of listeners that end, freeze or fall silent, at any time and in either direction: nothing is lost in silence. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, describe, it } from 'vitest';
import { type RealtimeVersion, returningVersions } from '../live/realtime-clients.ts';
import { rounds, sample } from '../setup/full-size.ts';
import { useService } from '../setup/service.ts';
import { CountingListener } from './counting-listener.ts';
import type { Link } from './link.ts';
import { expectInformed, readRows, startWriters } from './noted-rows.ts';

const service = useService();
const listeners: CountingListener[] = [];
afterAll(async () => {
  await Promise.all(listeners.map(listener => listener.stop()));
});

async function listen(account: string, client: RealtimeVersion): Promise<CountingListener> {
  const read = () => readRows(service.sql, account);
  const listener = await CountingListener.open({ service, account, client, read });
  listeners.push(listener);
  return listener;
}

/** Milliseconds: less than the client's heartbeats need to notice, and more. */
const [short, long] = [800, 4500];

type Fault = (link: Link) => Promise<void>;
const frozen =
  (direction: 'upstream' | 'downstream' | 'both', lasts: number): Fault =>
  async link => {
    link.stall(direction);
    await sleep(lasts);
    await link.resume();
  };

const ends: Fault[] = [
  async link => link.cut('FIN'),
  async link => link.cut('RST'),
  async link => link.silence(),
];
const freezes: Fault[] = (['upstream', 'downstream', 'both'] as const).flatMap(direction => [
  frozen(direction, short),
  frozen(direction, long),
]);

/** What happens to the links of two pages. */
type Faults = (links: Link[]) => Promise<unknown>;

const endAtRandom =
  (seed: number): Faults =>
  links =>
    Promise.all(
      links.map(async (link, index) => {
        const fault = fc.tuple(fc.constantFrom(...ends, frozen('both', short)), fc.nat(3000));
        for (const [happen, pause] of fc.sample(fault, { seed: 2 * seed + index, numRuns: rounds(3, 8) })) {
          await happen(link);
          await sleep(pause);
        }
      }),
    );

const freeze: Faults = links =>
  Promise.all(
    links.map(async (link, index) => {
      for (const happen of sample(2, index === 0 ? freezes : freezes.toReversed())) {
        await happen(link);
        await sleep(500);
      }
    }),
  );

const sleepTogether: Faults = async links => {
  for (const link of links) {
    link.silence();
  }
  await sleep(long);
};

const scenarios: [name: string, faults: Faults][] = [
  ...Array.from({ length: rounds(1, 5) }, (_, seed): [string, Faults] => [
    `their connections end at random times (seed ${seed})`,
    endAtRandom(seed),
  ]),
  ['their networks freeze, in one direction or in both', freeze],
  ['they sleep and return together', sleepTogether],
];

const cases = sample(1, returningVersions).flatMap(client =>
  scenarios.map(([name, faults]) => [name, client.version, { client, faults }] as const),
);

/** Two pages of a user with their own connections, while rows are written. */
async function endure(client: RealtimeVersion, faults: Faults): Promise<void> {
  const account = randomUUID();
  const pages = await Promise.all([listen(account, client), listen(account, client)]);
  const writers = startWriters(service.sql, account);
  await sleep(1500);
  await faults(pages.map(({ link }) => link));
  await sleep(500);
  await writers.stop();
  await expectInformed(service.sql, account, pages, 60_000);
}

describe('pages are told of everything', () => {
  it.concurrent.each(cases)(
    'when %s (realtime-js %s)',
    { timeout: 240_000 },
    (_name, _version, { client, faults }) => endure(client, faults),
  );
});
