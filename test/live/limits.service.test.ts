/** What one socket, caller or network may use, each at its limit and one beyond. */
import { randomUUID } from 'node:crypto';
import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../functions/common/limits.ts';
import { useService } from '../setup/service.ts';
import { all, allQuotes, useWires, Wire } from './wire.ts';

const service = useService();
const { open } = useWires(service);
const { live } = limits;

/** Sockets of the file's beginning, since the service takes long to close one that joins nothing. */
let unjoined: Wire;
let joined: Wire;
let heartbeats: NodeJS.Timeout;
beforeAll(async () => {
  [unjoined, joined] = [await Wire.open(service), await Wire.open(service)];
  await joined.join('x', [all], await service.token({ account: randomUUID() }));
  heartbeats = setInterval(() => joined.send('phoenix', 'heartbeat', {}), 20_000);
});
afterAll(() => clearInterval(heartbeats));

let account: string;
let token: string;
beforeEach(async () => {
  account = randomUUID();
  token = await service.token({ account });
});

/** Returns the body of the response to a request for a socket that is refused. */
function refusalOf(headers: Record<string, string>): Promise<string> {
  const url = new URL('/realtime/v1/websocket', service.url);
  url.searchParams.set('apikey', service.publishableKey);
  const upgrade = {
    ...{ connection: 'Upgrade', upgrade: 'websocket' },
    ...{ 'sec-websocket-version': '13', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' },
  };
  return new Promise((resolve, reject) => {
    get(url, { headers: { ...upgrade, ...headers } }, response => resolve(text(response)))
      .on('upgrade', () => reject(new Error('It was opened.')))
      .on('error', reject);
  });
}

describe('a socket is closed', () => {
  it('by a message that is too long', async () => {
    const wire = await open();
    await wire.join('x', [all], token);
    wire.socket.send('x'.repeat(live.message));
    await wire.heartbeat();
    wire.socket.send('x'.repeat(live.message + 1));
    expect(await wire.ended()).toEqual({
      code: 1009,
      reason: `A message has at most ${live.message} characters`,
    });
  });

  it('by a binary message that is too long', async () => {
    const wire = await open();
    wire.socket.send(Buffer.alloc(live.message));
    await wire.heartbeat();
    wire.socket.send(Buffer.alloc(live.message + 1));
    expect(await wire.ended()).toMatchObject({ code: 1009 });
  });

  it.each(['{}', Buffer.alloc(1)])('by too many messages at once: %j', async message => {
    const wire = await open();
    for (let sent = 0; sent <= live.messages; sent++) {
      wire.socket.send(message);
    }
    expect(await wire.ended()).toEqual({ code: 1008, reason: 'Too many messages in a short time' });
  });

  it('by too many messages, characters or refused tokens before it has joined a channel', async () => {
    const tooMany = { code: 1008, reason: 'Too many messages in a short time' };
    const [messages, length, tokens, free] = [await open(), await open(), await open(), await open()];
    for (let sent = 0; sent <= live.messagesBeforeJoin; sent++) {
      messages.send('phoenix', 'heartbeat', {});
    }
    length.socket.send('x'.repeat(live.charactersBeforeJoin + 1));
    for (let sent = 0; sent <= live.refusedJoins; sent++) {
      tokens.send('realtime:x', 'phx_join', { config: {}, access_token: 'a.b.c' });
      free.send('realtime:x', 'phx_join', { config: {} });
    }
    expect(await Promise.all([messages, length, tokens].map(wire => wire.ended()))).toEqual(
      Array(3).fill(tooMany),
    );
    expect(messages.messages).toHaveLength(live.messagesBeforeJoin);
    expect(tokens.messages).toHaveLength(live.refusedJoins);
    expect(await free.join('x', [all], token)).toMatchObject({ status: 'ok' });
  });

  it('when it has joined no channel in time', { timeout: 60_000 }, async () => {
    expect(await unjoined.ended()).toEqual({
      code: 1008,
      reason: `No channel was joined within ${live.joinTimeout / 1000} s`,
    });
    expect(joined.closed).toBeUndefined();
    joined.close();
  });

  it('when too many have joined no channel and it is the oldest of them', { timeout: 60_000 }, async () => {
    const oldest = await open();
    const waiting = await open();
    expect(await waiting.join('x', [all], token)).toMatchObject({ status: 'ok' });
    for (let opened = 0; opened < live.unjoined; opened += 20) {
      const headers = { 'cf-connecting-ip': `198.51.100.${opened / 20}` };
      await Promise.all(Array.from({ length: 20 }, () => open({ headers })));
    }
    expect(await oldest.ended()).toEqual({ code: 1008, reason: 'Too many sockets have joined no channel' });
    expect(waiting.closed).toBeUndefined();
  });

  it('when too many of its network have joined no channel, and it has had time to join', {
    timeout: 60_000,
  }, async () => {
    const headers = { 'cf-connecting-ip': '203.0.113.1' };
    const openMany = (count: number) => Promise.all(Array.from({ length: count }, () => open({ headers })));
    const [oldest, other] = [await open({ headers }), await open()];
    const others = await openMany(live.unjoinedOfNetwork - 1);
    expect(await refusalOf(headers)).toContain(
      `at most ${live.unjoinedOfNetwork} sockets of a network that have joined nothing`,
    );
    await sleep(live.undisturbed);
    oldest.send('phoenix', 'heartbeat', {});
    await open({ headers });
    expect(await oldest.ended()).toMatchObject({ code: 1008 });
    // Those that are closed and read no more do not end, and are as many as may be.
    for (const wire of others) {
      wire.socket.pause();
    }
    await openMany(live.closingUnjoinedOfNetwork);
    expect(await refusalOf(headers)).toContain('sockets of a network that do not end');
    expect(other.closed).toBeUndefined();
  });
});

describe('a join is refused', () => {
  it('with more bindings than a channel may have', async () => {
    const wire = await open();
    const bindings = Array.from({ length: live.bindings }, () => all);
    expect(await wire.join('x', bindings, token)).toMatchObject({ status: 'ok' });
    expect((await wire.join('y', [...bindings, all], token)).response.reason).toMatch(
      /^PGRST100: .*bindings of a channel/,
    );
  });

  it('with longer bindings than a channel may have', async () => {
    const wire = await open();
    const long = { ...all, comment: 'x'.repeat(live.bindingsLength) };
    expect((await wire.join('x', [long], token)).response.reason).toMatch(
      /^PGRST100: .*characters in the bindings of a channel/,
    );
  });

  it('on a socket that has as many channels as it may have', async () => {
    const wire = await open();
    for (let joined = 0; joined < live.channels; joined++) {
      expect(await wire.join(`x${joined}`, [], token)).toMatchObject({ status: 'ok' });
    }
    expect((await wire.join('one more', [], token)).response.reason).toMatch(
      /^ChannelRateLimitReached: Too many channels/,
    );
  });

  it('with more different filters or lists of columns than its caller may have on all sockets', async () => {
    const filters = Array.from({ length: live.conditionsOfCaller }, (_, index) => ({
      ...allQuotes,
      filter: `roster_count=eq.${index}`,
    }));
    const wire = await open();
    for (let at = 0; at < filters.length; at += live.bindings) {
      const some = filters.slice(at, at + live.bindings);
      expect(await wire.join(`x${at}`, some, token)).toMatchObject({ status: 'ok' });
    }
    const other = await open();
    const same = await other.join('same', [{ ...allQuotes, filter: 'roster_count=eq.0' }], token);
    expect(same).toMatchObject({ status: 'ok' });
    const more = await other.join('more', [{ ...allQuotes, filter: 'roster_count=eq.1000' }], token);
    expect(more.response.reason).toMatch(/^PGRST100: .*different filters of a caller/);
    const columns = [
      'status',
      'sport',
      'company',
      'currency',
      'source',
      'tool_2d',
      'colors',
      'created_at',
      'id',
      'account_id',
    ];
    const selections = columns.map(name => ({ ...allQuotes, select: [name] }));
    const wide = await other.join('wide', [...selections, allQuotes], token);
    expect(wide.response.reason).toMatch(/^PGRST100: .*different lists of columns of a caller/);
  });

  it('on more sockets than its caller may have', { timeout: 60_000 }, async () => {
    for (let opened = 0; opened < live.socketsOfCaller; opened += 10) {
      const some = await Promise.all(Array.from({ length: 10 }, () => open()));
      const replies = await Promise.all(some.map(wire => wire.join('x', [all], token)));
      expect(replies.map(({ status }) => status)).toEqual(some.map(() => 'ok'));
    }
    const wire = await open();
    expect((await wire.join('x', [all], token)).response.reason).toMatch(
      /^ConnectionRateLimitReached: .*sockets of a caller/,
    );
    expect(await wire.join('x', [all], await service.token({ account: randomUUID() }))).toMatchObject({
      status: 'ok',
    });
  });

  it('cannot be tried on more sockets than a network may have', { timeout: 120_000 }, async () => {
    const from = (address: string) => ({ headers: { 'cf-connecting-ip': address } });
    for (let opened = 0; opened < live.socketsOfNetwork; opened += 25) {
      const user = await service.token({ account: randomUUID() });
      await Promise.all(
        Array.from({ length: 25 }, async () => (await open(from('192.0.2.7'))).join('x', [all], user)),
      );
    }
    await expect(open(from('192.0.2.7'))).rejects.toThrow('429');
    await open(from('198.51.100.1'));
  });
});
