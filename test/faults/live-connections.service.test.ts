/** Connections between pages and the service that end, freeze or fall silent, and workerd that is killed. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, describe, it, vi } from 'vitest';
import { ExamplePages } from '../live/example-page.ts';
import { type RealtimeVersion, reconnectingVersions } from '../live/realtime-clients.ts';
import { rounds, sample } from '../setup/full-size.ts';
import { useService } from '../setup/service.ts';
import type { Link } from './link.ts';
import { expectInformed, startWriters } from './noted-rows.ts';

const service = useService();
const pages = new ExamplePages();
afterAll(() => pages.stop());

/** What happens to the links of two pages. */
type Faults = (links: Link[]) => Promise<unknown>;

/** Milliseconds: fewer than the client's heartbeats need to notice, and more. */
const [short, long] = [800, 4500];

const frozen = (direction: 'upstream' | 'downstream' | 'both', lasts: number) => async (link: Link) => {
  link.stall(direction);
  await sleep(lasts);
  await link.resume();
};
const ends = [
  async (link: Link) => link.cut('FIN'),
  async (link: Link) => link.cut('RST'),
  async (link: Link) => link.silence(),
];
const freezes = (['upstream', 'downstream', 'both'] as const).flatMap(direction => [
  frozen(direction, short),
  frozen(direction, long),
]);

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
const each = <T>(few: number, cases: [name: string, what: T][]) =>
  sample(few, reconnectingVersions).flatMap(client =>
    cases.map(([name, what]) => [name, client.version, { client, what }] as const),
  );

interface Endured {
  client: RealtimeVersion;
  count?: number;
  faults: Faults;
  times?: { joinTimeout: number; heartbeatInterval: number };
}

/** Pages of a user, each with a connection of its own, show everything after the faults during which rows are written. */
async function endure({ client, count = 2, faults, times = undefined }: Endured): Promise<void> {
  const account = randomUUID();
  const { sql } = service;
  const opened = await pages.open(service, account, sql, Array(count).fill(client), times);
  const writers = startWriters(sql, account);
  await sleep(1500);
  await faults(opened.map(({ link }) => link));
  await sleep(500);
  await writers.stop();
  await expectInformed(sql, account, opened, 60_000);
  await Promise.all(opened.map(page => page.stop()));
}

const timeout = 240_000;

describe('pages show every change', () => {
  it.concurrent.each(each(1, scenarios))(
    'when %s (realtime-js %s)',
    { timeout },
    (_name, _version, { client, what }) => endure({ client, faults: what }),
  );
});

/** Milliseconds: a client closes a connection when two heartbeats are due. */
const times = { joinTimeout: 2000, heartbeatInterval: 5000 };
/** Bytes of a message that carries a token, as a join does and a heartbeat does not. */
const joinLength = 200;

/** Ends the connection, and holds back all that the client is sent from its next join on for so long. */
const holdNextAnswer =
  (lasts: number): Faults =>
  async ([link]) => {
    let isHeld = false;
    link?.inspect((from, chunk, { chunks }) => {
      if (from === 'client' && chunks.client > 1 && chunk.length > joinLength) {
        link.inspect();
        link.stall('downstream');
        isHeld = true;
      }
      return chunk.length;
    });
    link?.cut('RST');
    await vi.waitUntil(() => isHeld, { timeout: 30_000, interval: 10 });
    await sleep(lasts);
    await link?.resume();
  };

const lateAnswers: [what: string, faults: Faults][] = [
  ['while it joins for the second time', holdNextAnswer(3500)],
  ['long after', holdNextAnswer(7000)],
];

describe('a page shows every change when its join is answered after the client has given it up', () => {
  it.concurrent.each(each(2, lateAnswers))(
    '%s (realtime-js %s)',
    { timeout },
    (_name, _version, { client, what }) => endure({ client, count: 1, faults: what, times }),
  );
});

/** A restart kills workerd with SIGKILL and starts a new one. */
const kills: [what: string, faults: Faults][] = [
  ['killed', () => service.restart()],
  [
    'killed twice within a second',
    async () => {
      await service.restart();
      await sleep(500);
      await service.restart();
    },
  ],
];

describe('pages show every change when workerd is', () => {
  it.each(each(1, kills))('%s (realtime-js %s)', { timeout }, (_name, _version, { client, what }) =>
    endure({ client, faults: what }),
  );
});
