/** What one socket, caller or network may use, each at its limit and one beyond. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { channelLimits } from '../../functions/live/channel.ts';
import { liveLimits } from '../../functions/live/live-limits.ts';
import { socketLimits } from '../../functions/live/live-socket.ts';
import { bindingLimits } from '../../functions/live/subscription.ts';

import { useService } from '../setup/service.ts';
import { all, allQuotes, useLive } from './wire.ts';

const limits = { ...liveLimits, ...socketLimits, ...channelLimits, ...bindingLimits };

const service = useService();
const live = useLive(service);

const tooMany = { code: 1008, reason: 'Too many messages in a short time' };
/** Headers of a network that no other test has, also not of a file before, which may have run on the same service. */
const aNetwork = () => ({ 'cf-connecting-ip': `192.0.2.${randomUUID()}` });
const list = (count: number) => Array.from({ length: count }, (_, n) => n);

describe('a socket is closed', () => {
  it('by a message that is too long', async () => {
    const wire = await live.listen();
    wire.socket.send('x'.repeat(limits.message));
    await wire.heartbeat();
    wire.socket.send(Buffer.alloc(limits.message + 1));
    const reason = `A message has at most ${limits.message} characters`;
    expect(await wire.ended()).toEqual({ code: 1009, reason });
  });

  it('by too many messages at once', async () => {
    const wire = await live.listen();
    for (const _ of list(limits.messages + limits.messagesOfChannel + 1)) {
      wire.socket.send('{}');
    }
    expect(await wire.ended()).toEqual(tooMany);
  });

  it('by too many messages, characters or refused tokens before it has joined a channel', async () => {
    const wires = await Promise.all(list(4).map(() => live.open()));
    const [messages, length, tokens, free] = wires as [(typeof wires)[0], ...typeof wires];
    for (const _ of list(limits.messagesBeforeJoin + 1)) {
      messages.send('phoenix', 'heartbeat', {});
    }
    length?.socket.send('x'.repeat(limits.charactersBeforeJoin + 1));
    for (const _ of list(limits.refusedJoins + 1)) {
      tokens?.send('realtime:x', 'phx_join', { config: {}, access_token: 'a.b.c' });
      free?.send('realtime:x', 'phx_join', { config: {} });
    }
    for (const wire of [messages, length, tokens]) {
      expect(await wire?.ended()).toEqual(tooMany);
    }
    expect(messages.messages).toHaveLength(limits.messagesBeforeJoin);
    expect(tokens?.messages).toHaveLength(limits.refusedJoins);
    expect(await free?.join('x', [all], live.token)).toMatchObject({ status: 'ok' });
  });

  it('when it has joined no channel in time', async () => {
    const [unjoined, joined] = [await live.open(), await live.listen()];
    const reason = `No channel was joined within ${limits.joinTimeout / 1000} s`;
    expect(await unjoined.ended()).toEqual({ code: 1008, reason });
    expect(joined.closed).toBeUndefined();
  });
});

it('sockets of a network that have joined no channel are limited, and each that joins or ends admits another', async () => {
  const headers = aNetwork();
  const wires = await Promise.all(list(limits.unjoinedOfNetwork).map(() => live.open({ headers })));
  const refused = () => expect(live.open({ headers })).rejects.toThrow('Unexpected server response: 429');
  await refused();
  expect(await wires[0]?.join('x', [all], live.token)).toMatchObject({ status: 'ok' });
  await live.open({ headers });
  await refused();
  wires[1]?.socket.close();
  await wires[1]?.ended();
  await live.open({ headers });
});

describe('a join is refused', () => {
  it('with more or longer bindings than a channel may have', async () => {
    const wire = await live.open();
    const bindings = list(limits.bindings).map(() => all);
    expect(await wire.join('x', bindings, live.token)).toMatchObject({ status: 'ok' });
    const more = await wire.join('y', [...bindings, all], live.token);
    expect(more.response.reason).toMatch(/^PGRST100: .*bindings of a channel/);
    const long = await wire.join('y', [{ ...all, comment: 'x'.repeat(limits.bindingsLength) }], live.token);
    expect(long.response.reason).toMatch(/^PGRST100: .*characters in the bindings of a channel/);
  });

  it('with a topic that is too long, or is of something else', async () => {
    const wire = await live.open();
    for (const topic of [`realtime:${'x'.repeat(limits.topic)}`, 'presence:x']) {
      const ref = wire.send(topic, 'phx_join', { config: {}, access_token: live.token });
      const reason = expect.stringMatching(/^22023: A join has a topic of at most/);
      expect(await wire.reply(ref)).toMatchObject({ status: 'error', response: { reason } });
    }
  });

  it('on a socket that has as many channels as it may have', async () => {
    const wire = await live.open();
    for (const n of list(limits.channels)) {
      expect(await wire.join(`x${n}`, [], live.token)).toMatchObject({ status: 'ok' });
    }
    const { response } = await wire.join('one more', [], live.token);
    expect(response.reason).toMatch(/^ChannelRateLimitReached: Too many channels/);
  });

  it('with more different filters or lists of columns than its caller may have on all sockets', async () => {
    const filtered = (n: number) => ({ ...allQuotes, filter: `roster_count=eq.${n}` });
    const wire = await live.open();
    for (let at = 0; at < limits.conditionsOfUser; at += limits.bindings) {
      const some = list(limits.bindings).map(n => filtered(at + n));
      expect(await wire.join(`x${at}`, some, live.token)).toMatchObject({ status: 'ok' });
    }
    const other = await live.open();
    expect(await other.join('same', [filtered(0)], live.token)).toMatchObject({ status: 'ok' });
    const more = await other.join('more', [filtered(1000)], live.token);
    expect(more.response.reason).toMatch(/^PGRST100: .*different filters of a user/);
    const columns = 'status sport company currency source tool_2d colors created_at id account_id'.split(' ');
    const selections = columns.map(name => ({ ...allQuotes, select: [name] }));
    const wide = await other.join('wide', [...selections, allQuotes], live.token);
    expect(wide.response.reason).toMatch(/^PGRST100: .*different lists of columns of a user/);
  });

  it('on more sockets than its caller may have', async () => {
    for (const _ of list(limits.socketsOfUser / 10)) {
      await Promise.all(list(10).map(() => live.listen()));
    }
    const wire = await live.open();
    const { response } = await wire.join('x', [all], live.token);
    expect(response.reason).toMatch(/^ConnectionRateLimitReached: .*sockets of a user/);
    const other = await service.token({ account: randomUUID() });
    expect(await wire.join('x', [all], other)).toMatchObject({ status: 'ok' });
  });
});
