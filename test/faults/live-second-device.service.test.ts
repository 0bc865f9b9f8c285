/**
 * Two devices of one user with the same topic and bindings, which the service can tell apart only by the references of
 * their messages: what one has missed, the other's place in the feed must not hide.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { all, Wire } from '../live/wire.ts';
import { type Service, startService } from '../setup/service.ts';
import { write } from './noted-rows.ts';

let service: Service;
const wires: Wire[] = [];
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  for (const wire of wires) {
    wire.cut();
  }
  await service.stop();
});

interface User {
  account: string;
  token: string;
}

async function newUser(): Promise<User> {
  const account = randomUUID();
  return { account, token: await service.token({ account }) };
}

/** A device whose first message has the reference behind this one, joined. */
async function connect({ token }: User, ref: number): Promise<Wire> {
  const wire = await Wire.open(service, { ref });
  wires.push(wire);
  expect(await wire.join('x', [all], token)).toMatchObject({ status: 'ok' });
  return wire;
}

/** All that was told to it has arrived, and the service knows. */
async function prove(wire: Wire): Promise<void> {
  await wire.heartbeat();
  await wire.heartbeat();
}

const lost = Array.from({ length: 6 }, (_, number) => `lost ${number}`);
const writeLost = ({ account }: User) => write(service.sql, account, ...lost);

const isToldToRead = ({ messages }: Wire): boolean =>
  messages.some(({ event, payload }) => event === 'system' && payload.status === 'error');

/** It is told of what it missed, in any order and perhaps twice, or that it must read again. */
async function expectInformed(wire: Wire): Promise<void> {
  const lacking = () => {
    const bodies = wire.changes().map(({ data }) => data.record?.['body']);
    return isToldToRead(wire) ? [] : lost.filter(body => !bodies.includes(body));
  };
  await vi.waitFor(() => expect(lacking()).toEqual([]), { timeout: 10_000, interval: 20 });
}

type Lose = (wire: Wire) => void;

/** How the first device lost its connection: seen by the service, or not, so that its socket still counts as open. */
const losses: [how: string, lose: Lose][] = [
  ['whose connection ended', wire => wire.cut()],
  ['that fell silent', wire => wire.socket.pause()],
];

/** The last reference of the first device is 20, and it comes back with 40. */
const references: [which: string, ref: number][] = [
  ['far lower', 3],
  ['lower', 15],
  ['equal', 17],
  ['higher', 22],
  ['far higher', 32],
  ['higher than those it comes back with', 60],
];

const cases = losses.flatMap(([how, lose]) =>
  references.map(([which, ref]) => [how, which, { lose, ref }] as const),
);

/** The second device has what the first one has lost. */
async function loseFirst(user: User, lose: Lose, ref: number): Promise<Wire> {
  const first = await connect(user, 17);
  const second = await connect(user, ref);
  await prove(first);
  lose(first);
  await writeLost(user);
  await second.told(lost.length);
  await prove(second);
  return second;
}

const backRef = 39;

describe('is told of what it missed', () => {
  it.concurrent.each(
    cases,
  )('a device %s, while another that has all goes on with references that are %s', async (_how, _which, {
    lose,
    ref,
  }) => {
    const user = await newUser();
    await loseFirst(user, lose, ref);
    await expectInformed(await connect(user, backRef));
  });

  it.concurrent.each(
    cases,
  )('a device %s, when another that had all is gone, whose references were %s', async (_how, _which, {
    lose,
    ref,
  }) => {
    const user = await newUser();
    const second = await loseFirst(user, lose, ref);
    second.cut();
    await second.ended();
    await expectInformed(await connect(user, backRef));
  });

  it.concurrent.each(
    cases,
  )('a device %s, when another came back before it, whose references were %s', async (_how, _which, {
    lose,
    ref,
  }) => {
    const user = await newUser();
    const first = await connect(user, 17);
    const second = await connect(user, ref);
    await Promise.all([prove(first), prove(second)]);
    lose(first);
    second.cut();
    await second.ended();
    await writeLost(user);
    const secondBack = await connect(user, second.ref + 3);
    await expectInformed(secondBack);
    await prove(secondBack);
    await expectInformed(await connect(user, backRef));
  });

  it.concurrent.each([
    ['with the same references', 20],
    ['with references far from each other', 200],
  ])('each of two tabs that sleep and return together, %s', async (_how, ref) => {
    const user = await newUser();
    const tabs = await Promise.all([connect(user, 20), connect(user, ref)]);
    await Promise.all(tabs.map(prove));
    for (const tab of tabs) {
      tab.socket.pause();
    }
    await writeLost(user);
    const back = await Promise.all(tabs.map(tab => connect(user, tab.ref + 3)));
    await Promise.all(back.map(expectInformed));
  });
});
