/**
 * Connections between pages and the service that end, freeze or fall silent, and workerd that is killed.
 * @module-tag full
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, describe, it, vi } from 'vitest';
import { ExamplePages } from '../live/example-page.ts';
import { useService } from '../setup/service.ts';
import type { Link } from './link.ts';
import { expectInformed, startWriters } from './noted-rows.ts';

const service = useService();
const pages = new ExamplePages();
afterAll(() => pages.stop());

/** What happens to the links of pages. */
type Fault = (links: Link[]) => Promise<unknown>;

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

const onEach =
  (happen: (link: Link, index: number) => Promise<void>): Fault =>
  links =>
    Promise.all(links.map(happen));

const endAtRandom = onEach(async (link, index) => {
  const fault = fc.tuple(fc.constantFrom(...ends, frozen('both', short)), fc.nat(3000));
  for (const [happen, pause] of fc.sample(fault, { seed: index, numRuns: 8 })) {
    await happen(link);
    await sleep(pause);
  }
});

const freeze = onEach(async (link, index) => {
  for (const lasts of index % 2 === 0 ? [short, long] : [long, short]) {
    for (const direction of ['downstream', 'upstream', 'both'] as const) {
      await frozen(direction, lasts)(link);
      await sleep(500);
    }
  }
});

/** Milliseconds: a client closes a connection when two heartbeats are due, and gives up a join. */
const times = { joinTimeout: 2000, heartbeatInterval: 5000 };
/** Bytes of a message that carries a token, as a join does and a heartbeat does not. */
const joinLength = 200;

/** Ends the connection, and holds back all that the client is sent from its next join on. */
const holdNextAnswer = onEach(async link => {
  let isHeld = false;
  link.inspect((from, chunk, { chunks }) => {
    if (from === 'client' && chunks.client > 1 && chunk.length > joinLength) {
      link.inspect();
      link.stall('downstream');
      isHeld = true;
    }
    return chunk.length;
  });
  link.cut('RST');
  await vi.waitUntil(() => isHeld, { timeout: 60_000, interval: 10 });
  await sleep(3500);
  await link.resume();
});

/** Pages of a user, one of each kind of client, show everything after the fault during which rows are written. */
async function endure(fault: Fault): Promise<void> {
  const account = randomUUID();
  const { sql } = service;
  const opened = await pages.open(service, account, sql, undefined, fault === holdNextAnswer ? times : {});
  const writers = startWriters(sql, account);
  await sleep(1500);
  await fault(opened.map(({ link }) => link));
  await sleep(500);
  await writers.stop();
  await expectInformed(sql, account, opened);
  await Promise.all(opened.map(page => page.stop()));
}

describe('pages with clients of every kind show every change', { timeout: 240_000 }, () => {
  it.concurrent.each<[what: string, fault: Fault]>([
    ['their connections end at random times', endAtRandom],
    ['their networks freeze, in one direction or in both', freeze],
    ['their joins are answered after the client has given them up', holdNextAnswer],
  ])('when %s', (_, fault) => endure(fault));

  // A restart kills workerd with SIGKILL and starts a new one.
  it('when workerd is killed', () => endure(() => service.restart()));
});
