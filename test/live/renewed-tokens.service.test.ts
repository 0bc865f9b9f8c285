/**
 * A new access token of a channel: by a message, or by another join on its topic.
 * @module-tag live
 */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { limits } from '../../functions/common/limits.ts';
import { useService } from '../setup/service.ts';
import { all, allQuotes, useLive, type Wire } from './wire.ts';

const service = useService();
const live = useLive(service);
const readAgain = expect.stringContaining('read again');

const renew = (wire: Wire, access_token: unknown) =>
  wire.send('realtime:x', 'access_token', { access_token }, '1');
const tokenOf = (more: object = {}) => service.token({ account: live.account, ...more });

it('a new access token keeps the channel beyond the end of the first one, which ends another', async () => {
  const now = Math.floor(Date.now() / 1000);
  // Clocks may differ by 30 s, so this token is accepted, and expires soon.
  const claims = { iat: now - 60, exp: now - limits.token.clockTolerance + 3 };
  const expiring = await tokenOf({ claims });
  const wire = await live.listen({}, expiring);
  await wire.join('short', [all], expiring);
  renew(wire, live.token);
  await wire.until(({ event, topic }) => event === 'phx_error' && topic === 'realtime:short');
  await live.insert();
  await wire.received(1);
  expect([wire.changes('realtime:x').length, wire.changes('realtime:short').length]).toEqual([1, 0]);
  expect(wire.errors).toEqual(['the access token has expired']);
  expect(await wire.join('short', [all], live.token)).toMatchObject({ status: 'ok' });
});

it('a new access token that is refused ends the channel', async () => {
  const wire = await live.listen();
  renew(wire, 'a.b.c');
  await wire.until(({ event }) => event === 'phx_error');
  await live.insert();
  await wire.join('y', [all], live.token);
  await live.insert();
  await wire.received(1);
  expect(wire.changes('realtime:x')).toEqual([]);
});

/** Tokens of a user, from the one by which it sees less to the one by which it sees more. */
const growths: [what: string, less: object, more: object][] = [
  ['an account', {}, { also: [randomUUID()] }],
  ['all accounts, as staff', {}, { staff: true }],
];

describe('a page whose token is renewed', () => {
  it.each(
    growths.flatMap(growth => ['a message', 'another join'].map(way => [way, ...growth] as const)),
  )('is told once to read again when %s brings a token that adds %s', async (way, _, less, more) => {
    const wire = await live.listen({}, await tokenOf(less));
    if (way === 'a message') {
      renew(wire, await tokenOf(more));
      await wire.until(({ event }) => event === 'phx_error');
    }
    // Joined again, it is sent what it sees now.
    expect(await wire.join('x', [all], await tokenOf(more))).toMatchObject({ status: 'ok' });
    await live.insert({ body: 'new' }, (more as { also?: string[] }).also?.[0] ?? randomUUID());
    await wire.received(1);
    await expect.poll(() => wire.errors).toEqual([readAgain]);
  });

  it('is sent nothing of an account that the new one lacks, and all else', async () => {
    const team = randomUUID();
    const wire = await live.listen({}, await tokenOf({ also: [team] }));
    renew(wire, live.token);
    await wire.heartbeat();
    await live.insert({ body: 'the team’s' }, team);
    await live.insert({ body: 'mine' });
    await wire.received(1);
    expect([wire.bodies, wire.errors]).toEqual([['mine'], []]);
  });

  it('is sent nothing that only staff see once its user is none', async () => {
    const wire = await live.listen({ bindings: [all, allQuotes] }, await tokenOf({ staff: true }));
    renew(wire, live.token);
    await wire.heartbeat();
    await live.insert({ body: 'of others' }, randomUUID());
    await live.insertQuote({ internal_notes: 'hidden' });
    await wire.received(1);
    expect(wire.errors).toEqual([]);
    expect(wire.changes().map(({ data }) => data.table)).toEqual(['quotes']);
    expect(wire.changes()[0]?.data.record).not.toHaveProperty('internal_notes');
  });
});
