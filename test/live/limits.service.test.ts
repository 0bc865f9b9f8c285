/** What one socket, caller or network may use, each at its limit and one beyond. */
import { randomUUID } from 'node:crypto';
import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { liveLimits } from '../../functions/live/limits.ts';
import { useService } from '../setup/service.ts';
import { all, allQuotes, useWires, Wire } from './wire.ts';

const service = useService();
const { open, listen } = useWires(service);
const live = liveLimits;

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
    const wire = await listen(token);
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

  it('when its network has no more places for sockets that have joined none, and another one waits for its place', {
    timeout: 60_000,
  }, async () => {
    const headers = { 'cf-connecting-ip': '203.0.113.1' };
    const openMany = (count: number) => Promise.all(Array.from({ length: count }, () => open({ headers })));
    const [first, member] = [await open({ headers }), await open()];
    expect(await member.join('x', [all], token)).toMatchObject({ status: 'ok' });
    await openMany(live.unjoinedOfNetwork - 1);
    const next = await open({ headers });
    expect(await first.ended()).toEqual({ code: 1008, reason: 'Too many sockets have joined no channel' });
    expect(await next.join('x', [all], token)).toMatchObject({ status: 'ok' });
    expect(member.closed).toBeUndefined();
  });
});

describe('a request for a socket is refused', () => {
  it('when the places of its network are taken by sockets that do not end', async () => {
    const headers = { 'cf-connecting-ip': '203.0.113.2' };
    for (let opened = 0; opened < live.unjoinedOfNetwork; opened++) {
      const { socket } = await open({ headers });
      socket.pause();
    }
    expect(await refusalOf(headers)).toContain('sockets of a network that have joined nothing');
    await open({ headers: { 'cf-connecting-ip': '203.0.113.3' } });
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
});
