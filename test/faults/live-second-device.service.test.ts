/**
 * Two devices of one user with the same topic and bindings, which the service can tell apart only by the references of
 * their messages: what one has missed, the other's place in the feed must not hide.
 */
import { afterAll, describe, it } from 'vitest';
import type { Wire } from '../live/wire.ts';
import { useService } from '../setup/service.ts';
import { expectToldOfLost, lost, prove, User } from './device.ts';

const service = useService();
const users: User[] = [];
afterAll(async () => {
  for (const user of users) {
    user.leave();
  }
});

function newUser(): User {
  const user = new User(service);
  users.push(user);
  return user;
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
  const first = await user.connect(17);
  const second = await user.connect(ref);
  await prove(first);
  lose(first);
  await user.writeLost();
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
    const user = newUser();
    await loseFirst(user, lose, ref);
    await expectToldOfLost(await user.connect(backRef));
  });

  it.concurrent.each(
    cases,
  )('a device %s, when another that had all is gone, whose references were %s', async (_how, _which, {
    lose,
    ref,
  }) => {
    const user = newUser();
    const second = await loseFirst(user, lose, ref);
    second.cut();
    await second.ended();
    await expectToldOfLost(await user.connect(backRef));
  });

  it.concurrent.each(
    cases,
  )('a device %s, when another came back before it, whose references were %s', async (_how, _which, {
    lose,
    ref,
  }) => {
    const user = newUser();
    const first = await user.connect(17);
    const second = await user.connect(ref);
    await Promise.all([prove(first), prove(second)]);
    lose(first);
    second.cut();
    await second.ended();
    await user.writeLost();
    const secondBack = await user.connect(second.ref + 3);
    await expectToldOfLost(secondBack);
    await prove(secondBack);
    await expectToldOfLost(await user.connect(backRef));
  });

  it.concurrent.each([
    ['with the same references', 20],
    ['with references far from each other', 200],
  ])('each of two tabs that sleep and return together, %s', async (_how, ref) => {
    const user = newUser();
    const tabs = await Promise.all([user.connect(20), user.connect(ref)]);
    await Promise.all(tabs.map(prove));
    for (const tab of tabs) {
      tab.socket.pause();
    }
    await user.writeLost();
    const back = await Promise.all(tabs.map(tab => user.connect(tab.ref + 3)));
    await Promise.all(back.map(expectToldOfLost));
  });
});
