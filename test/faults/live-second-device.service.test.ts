/**
 * Two devices of one user with the same topic and bindings, which the service can tell apart only by the references of
 * their messages: what one has missed, the other's place in the feed must not hide.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { all, Wire } from '../live/wire.ts';
import { type Service, startService } from '../setup/service.ts';
import { write } from './noted-rows.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

let account: string;
let token: string;
const wires: Wire[] = [];
beforeEach(async () => {
  account = randomUUID();
  token = await service.token({ account });
});
afterEach(() => {
  for (const wire of wires.splice(0)) {
    wire.cut();
  }
});

/** A device whose next message has the reference behind this one, joined. */
async function connect(ref: number): Promise<Wire> {
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
const writeLost = () => write(service.sql, account, ...lost);

/** It is told of what it missed, in any order and perhaps twice, or that it must read again; then of what is new. */
async function expectInformed(wire: Wire): Promise<void> {
  await write(service.sql, account, 'new');
  const bodies = () => new Set(wire.changes().map(({ data }) => String(data.record?.['body'])));
  await expect
    .poll(() => bodies().has('new') || isToldToRead(wire), { timeout: 20_000, message: 'told of anything' })
    .toBe(true);
  if (!isToldToRead(wire)) {
    // What was missed comes before the next heartbeat is answered, or is not told at all.
    await prove(wire);
    expect(isToldToRead(wire) ? lost : lost.filter(body => bodies().has(body))).toEqual(lost);
  }
}

const isToldToRead = ({ messages }: Wire): boolean =>
  messages.some(({ event, payload }) => event === 'system' && payload.status === 'error');

/** How the first device lost its connection: seen by the service, or not, so that its socket still counts as open. */
const losses: [how: string, lose: (wire: Wire) => void][] = [
  ['whose connection ended', wire => wire.cut()],
  ['that fell silent', wire => wire.socket.pause()],
];

/** The last reference of the first device is 20, and it comes back with 40. */
const others: [which: string, ref: number][] = [
  ['far lower', 3],
  ['lower', 15],
  ['equal', 17],
  ['higher', 22],
  ['far higher', 32],
  ['higher than those it comes back with', 60],
];

describe.each(losses)('a device %s is told of what it missed', (_how, lose) => {
  it.each(others)('while another that has all goes on with references that are %s', async (_which, ref) => {
    const first = await connect(17);
    const second = await connect(ref);
    await prove(first);
    lose(first);
    await writeLost();
    await second.told(lost.length);
    await prove(second);
    const back = await connect(39);
    await expectInformed(back);
  });

  it.each(others)('after another that had all is gone, whose references were %s', async (_which, ref) => {
    const first = await connect(17);
    const second = await connect(ref);
    await prove(first);
    lose(first);
    await writeLost();
    await second.told(lost.length);
    await prove(second);
    second.cut();
    await second.ended();
    const back = await connect(39);
    await expectInformed(back);
  });

  it.each(others)('after another came back first, whose references were %s', async (_which, ref) => {
    const first = await connect(17);
    const second = await connect(ref);
    await prove(first);
    await prove(second);
    lose(first);
    second.cut();
    await second.ended();
    await writeLost();
    const secondBack = await connect(Math.max(ref, 20) + 3);
    await expectInformed(secondBack);
    await prove(secondBack);
    const back = await connect(39);
    await expectInformed(back);
  });
});

describe('two tabs that sleep and return together', () => {
  it.each([
    ['with the same references', 20, 20],
    ['with references far from each other', 20, 200],
  ])('are both told of what they missed, %s', async (_how, one, other) => {
    const tabs = await Promise.all([connect(one), connect(other)]);
    await Promise.all(tabs.map(prove));
    for (const tab of tabs) {
      tab.socket.pause();
    }
    await writeLost();
    const back = await Promise.all(tabs.map(tab => connect(tab.ref + 3)));
    await Promise.all(back.map(expectInformed));
  });
});
