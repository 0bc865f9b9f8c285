/** Phoenix's channels as Supabase speaks them: joins, refusals, heartbeats, tokens, leaving, and the limits. */
import { randomUUID } from 'node:crypto';
import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../functions/common/limits.ts';
import { createAccessToken } from '../../functions/local/access-token.ts';
import { aNotification } from '../setup/rows.ts';
import { type Service, startService } from '../setup/service.ts';
import { all, allQuotes, Wire, type WireOptions } from './wire.ts';

let service: Service;
/** Sockets that are there from the beginning, since it takes long until one is closed that joins nothing. */
let unjoined: Wire;
let joined: Wire;
let heartbeats: NodeJS.Timeout;
beforeAll(async () => {
  service = await startService();
  [unjoined, joined] = [await Wire.open(service), await Wire.open(service)];
  await joined.join('x', [all], await service.token({ account: randomUUID() }));
  heartbeats = setInterval(() => joined.send('phoenix', 'heartbeat', {}), 20_000);
});
afterAll(() => {
  clearInterval(heartbeats);
  return service.stop();
});

let account: string;
let token: string;
const wires: Wire[] = [];
beforeEach(async () => {
  account = randomUUID();
  token = await service.token({ account });
  for (const wire of wires.splice(0)) {
    wire.close();
  }
});

async function open(options: WireOptions = {}): Promise<Wire> {
  const wire = await Wire.open(service, options);
  wires.push(wire);
  return wire;
}

/** The body of the response to a request for a socket, which is refused. */
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

const write = async (owner = account, more: object = {}) => {
  const { sql } = service;
  await sql`insert into builder.notifications ${sql(aNotification(owner, more))}`;
};

const seconds = (): number => Math.floor(Date.now() / 1000);
/** Clocks may differ by 30 s, so this one is accepted, and ends soon. */
const expiring = (): Promise<string> =>
  service.token({
    account,
    claims: { iat: seconds() - 60, exp: seconds() - limits.token.clockTolerance + 3 },
  });

describe.each(['1.0.0', '2.0.0'] as const)('in protocol %s', version => {
  it('a join is answered with its bindings as they came and their ids, and then confirmed', async () => {
    const wire = await open({ version });
    const filtered = { ...all, filter: 'dismissed=is.false' };
    expect(await wire.join('room', [all, filtered], token)).toEqual({
      status: 'ok',
      response: {
        postgres_changes: [
          { ...all, id: 1 },
          { ...filtered, id: 2 },
        ],
      },
    });
    const system = await wire.until(({ event }) => event === 'system');
    expect(system).toMatchObject({
      topic: 'realtime:room',
      ref: null,
      payload: {
        extension: 'postgres_changes',
        status: 'ok',
        message: 'Subscribed to PostgreSQL',
        channel: 'room',
      },
    });
    expect(Array.isArray(JSON.parse(wire.frames[0] ?? ''))).toBe(version === '2.0.0');
    expect(wire.messages[0]).toMatchObject({
      joinRef: '1',
      ref: '1',
      topic: 'realtime:room',
      event: 'phx_reply',
    });
  });

  it('a heartbeat is answered', async () => {
    const wire = await open({ version });
    const ref = wire.send('phoenix', 'heartbeat', {});
    expect(await wire.reply(ref)).toEqual({ status: 'ok', response: {} });
  });

  it('a channel that is left is told nothing more, while another of the socket is', async () => {
    const wire = await open({ version });
    await wire.join('left', [all], token);
    await wire.join('kept', [all], token);
    const ref = wire.send('realtime:left', 'phx_leave', {}, '1');
    expect(await wire.reply(ref)).toEqual({ status: 'ok', response: {} });
    await wire.until(({ event, topic }) => event === 'phx_close' && topic === 'realtime:left');
    await write();
    await wire.told(1);
    expect(wire.changes('realtime:left')).toEqual([]);
    expect(wire.changes('realtime:kept')).toHaveLength(1);
  });

  it('what is no message is ignored', async () => {
    const wire = await open({ version });
    for (const text of ['', '{', '[]', 'null', '7', '{"topic":1}', '[null,null,"phoenix"]', '"heartbeat"']) {
      wire.socket.send(text);
    }
    wire.socket.send(Buffer.from([3, 0, 1, 2]));
    await wire.heartbeat();
    expect(wire.frames).toHaveLength(1);
  });
});

describe('a channel', () => {
  it('may listen to nothing, and is told so', async () => {
    const wire = await open();
    expect(await wire.join('x', [], token)).toEqual({ status: 'ok', response: { postgres_changes: [] } });
    await wire.until(({ payload }) => /no broadcast and no presence/.test(payload.message));
  });

  it.each(['broadcast', 'presence'])('that is sent a %s answers that there is none', async event => {
    const wire = await open();
    await wire.join('x', [all], token);
    const reply = await wire.reply(wire.send('realtime:x', event, { type: event, event: 'track' }, '1'));
    expect(reply).toEqual({
      status: 'error',
      response: { reason: `this service has postgres_changes alone, no ${event}` },
    });
    await wire.until(({ payload }) => payload.message === reply.response.reason);
  });

  it('that is private is refused', async () => {
    const wire = await open();
    const payload = { config: { private: true, postgres_changes: [all] }, access_token: token };
    const reply = await wire.reply(wire.send('realtime:x', 'phx_join', payload));
    expect(reply.response.reason).toMatch(/^22023: Private channels are not part of this service/);
  });

  it('that is joined again takes the place of the one before', async () => {
    const wire = await open();
    await wire.join('x', [all], token);
    await wire.join('x', [{ ...all, event: 'INSERT' }], token);
    await write();
    const changes = await wire.told(1);
    await wire.heartbeat();
    expect(changes).toHaveLength(1);
    expect(wire.messages.findLast(({ event }) => event === 'postgres_changes')?.joinRef).toBe('2');
  });

  it('of the next user on the same socket is told what is that user’s', async () => {
    const other = randomUUID();
    const wire = await open();
    await wire.join('mine', [all], token);
    await wire.join('yours', [all], await service.token({ account: other }));
    await write(other);
    await wire.told(1);
    expect(wire.changes('realtime:mine')).toEqual([]);
  });
});

describe('a join is refused', () => {
  const refusal = async (bindings: object[], given: string | undefined = token): Promise<unknown> => {
    const wire = await open();
    const { status, response } = await wire.join('x', bindings, given);
    expect(status).toBe('error');
    return response.reason;
  };

  it('without a token, or with a key for one: nobody is signed in', async () => {
    const reason = 'PGRST302: The request has no access token of a signed-in user';
    const wire = await open();
    for (const given of [undefined, '', service.publishableKey]) {
      expect((await wire.join('x', [all], given)).response).toEqual({ reason });
    }
  });

  it.each([
    ['is none', async () => 'a.b.c', /^PGRST301: /],
    ['was signed by others', () => createAccessToken('x'.repeat(32), { account }), /^PGRST301: /],
    [
      'has expired',
      () => service.token({ account, claims: { exp: seconds() - 60 } }),
      /^PGRST303: JWT expired$/,
    ],
  ])('with a token that %s', async (_, make, reason) => {
    expect(await refusal([all], await make())).toEqual(
      typeof reason === 'string' ? reason : expect.stringMatching(reason),
    );
  });

  it.each<[what: string, binding: object, reason: RegExp]>([
    [
      'a collection without live updates',
      { ...all, table: 'graphics' },
      /^22023: There are no live updates of graphics, but of/,
    ],
    ['another schema', { ...all, schema: 'auth' }, /^PGRST106: /],
    ['another event', { ...all, event: 'TRUNCATE' }, /^22023: postgres_changes\.0\.event /],
    ['a filter without an operator', { ...all, filter: 'dismissed' }, /^22023: /],
    ['an unknown operator', { ...all, filter: 'dismissed=is_not.true' }, /^PGRST100: /],
    ['an unknown column', { ...all, filter: 'colour=eq.red' }, /^42703: .*colour/],
    ['a column that the caller may not read', { ...allQuotes, filter: 'internal_notes=eq.x' }, /^42501: /],
    ['a selection of such a column', { ...allQuotes, select: ['id', 'internal_notes'] }, /^42501: /],
    [
      'a value that Postgres refuses',
      { ...allQuotes, filter: 'id=eq.nobody' },
      /^22023: .* compares id with what is not a uuid/,
    ],
    [
      'an operator that does not compare',
      { ...allQuotes, filter: 'company=match.a' },
      /^22023: .* has the operator match, but only eq, gte, gt, lte, lt, neq, isdistinct, in and is are there/,
    ],
  ])('for %s', async (_, binding, reason) => {
    expect(await refusal([binding])).toMatch(reason);
  });

  it('and to a client of 1.0.0 an error follows, after which it joins again', async () => {
    const wire = await open({ version: '1.0.0' });
    await wire.join('x', [all]);
    expect(await wire.until(({ event }) => event === 'phx_error')).toMatchObject({
      topic: 'realtime:x',
      ref: '1',
    });
  });

  it('and the socket may join once it has a token', async () => {
    const wire = await open();
    expect(await wire.join('x', [all])).toMatchObject({ status: 'error' });
    expect(await wire.join('x', [all], token)).toMatchObject({ status: 'ok' });
  });
});

describe('a new access token', () => {
  it('keeps the channel beyond the end of the first one', async () => {
    const wire = await open();
    await wire.join('short', [all], await expiring());
    await wire.join('long', [all], await expiring());
    wire.send('realtime:long', 'access_token', { access_token: token }, '2');
    await wire.until(({ event, topic }) => event === 'phx_error' && topic === 'realtime:short');
    await write();
    await wire.told(1);
    expect(wire.changes('realtime:long')).toHaveLength(1);
    expect(wire.changes('realtime:short')).toEqual([]);
    expect(wire.messages).toContainEqual(
      expect.objectContaining({
        topic: 'realtime:short',
        event: 'system',
        payload: expect.objectContaining({ status: 'error', message: 'the access token has expired' }),
      }),
    );
  });

  it('changes what the channel is told', async () => {
    const team = randomUUID();
    const wire = await open();
    await wire.join('x', [all], token);
    const member = await service.token({ account, also: [team] });
    wire.send('realtime:x', 'access_token', { access_token: member }, '1');
    await wire.heartbeat();
    await write(team);
    await wire.told(1);
    wire.send('realtime:x', 'access_token', { access_token: token }, '1');
    await wire.heartbeat();
    await write(team);
    await write(account, { body: 'mine' });
    const changes = await wire.told(2);
    expect(changes[1]?.data.record).toMatchObject({ body: 'mine' });
  });

  it('that is refused ends the channel', async () => {
    const wire = await open();
    await wire.join('x', [all], token);
    wire.send('realtime:x', 'access_token', { access_token: 'a.b.c' }, '1');
    await wire.until(({ event }) => event === 'phx_error');
    await write();
    await wire.join('y', [all], token);
    await write(account, { body: 'mine' });
    await wire.told(1);
    expect(wire.changes('realtime:x')).toEqual([]);
  });
});

describe('a request for a socket', () => {
  const path = '/realtime/v1/websocket';
  const statusOf = (options: WireOptions): Promise<string> =>
    Wire.open(service, options).then(
      () => 'open',
      error => error.message,
    );

  it('with a wrong key, or none, is refused before there is a socket', async () => {
    expect(await statusOf({ key: 'sb_publishable_wrong' })).toBe('Unexpected server response: 401');
    expect(await statusOf({ key: token })).toBe('Unexpected server response: 401');
    const response = await service.fetch(path);
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: 'PGRST302' });
  });

  it('that is no WebSocket’s is told so', async () => {
    const response = await service.fetch(`${path}?apikey=${service.publishableKey}`);
    expect(response.status).toBe(426);
    expect(await response.json()).toMatchObject({ code: 'PT426', message: 'This address is for WebSockets' });
  });

  it('is no other caller’s for a header by which the worker tells its object whose key it has', async () => {
    const wire = await open({ headers: { 'x-live-key': 'service' } });
    expect(await wire.join('x', [all])).toMatchObject({ status: 'error' });
    const ofServer = await open({ key: service.secretKey, headers: { 'x-live-key': 'anon' } });
    expect(await ofServer.join('x', [all])).toMatchObject({ status: 'ok' });
  });

  it('with the secret key is refused to a browser, and so is a token of its rights', async () => {
    const browser = { origin: 'https://shop.example', 'user-agent': 'Mozilla/5.0' };
    expect(await statusOf({ key: service.secretKey, headers: browser })).toBe(
      'Unexpected server response: 401',
    );
    const wire = await open({ headers: browser });
    const serviceRole = await service.token({ account, claims: { role: 'service_role' } });
    expect((await wire.join('x', [all], serviceRole)).response.reason).toMatch(/^PT401: /);
    expect((await wire.join('x', [all], service.secretKey)).response.reason).toMatch(/^PT401: /);
  });
});

describe('the limits', () => {
  const { live } = limits;

  it('of a message: a longer one closes the socket', async () => {
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

  it('of a binary message alike, although it is ignored', async () => {
    const wire = await open();
    wire.socket.send(Buffer.alloc(live.message));
    await wire.heartbeat();
    wire.socket.send(Buffer.alloc(live.message + 1));
    expect(await wire.ended()).toMatchObject({ code: 1009 });
  });

  it.each(['{}', Buffer.alloc(1)])('of messages: too many at once close the socket: %j', async message => {
    const wire = await open();
    for (let sent = 0; sent <= live.messages; sent++) {
      wire.socket.send(message);
    }
    expect(await wire.ended()).toEqual({ code: 1008, reason: 'Too many messages in a short time' });
  });

  it('of the bindings of a channel', async () => {
    const wire = await open();
    const bindings = Array.from({ length: live.bindings }, () => all);
    expect(await wire.join('x', bindings, token)).toMatchObject({ status: 'ok' });
    expect((await wire.join('y', [...bindings, all], token)).response.reason).toMatch(
      /^PGRST100: .*bindings of a channel/,
    );
  });

  it('of what the bindings of a channel say', async () => {
    const wire = await open();
    const long = { ...all, comment: 'x'.repeat(live.bindingsLength) };
    expect((await wire.join('x', [long], token)).response.reason).toMatch(
      /^PGRST100: .*characters in the bindings of a channel/,
    );
  });

  it('of the channels that a user left and may come back to', { timeout: 120_000 }, async () => {
    const first = await open({ ref: 10 });
    await first.join('first', [all], token);
    first.cut();
    for (let left = 0; left < live.endedOfUser; left += live.channels) {
      const later = await open({ ref: 10 });
      for (let at = 0; at < live.channels; at++) {
        await later.join(`later ${at}`, [{ ...all, note: left }], token);
      }
      later.cut();
      await later.ended();
    }
    await write(account, { body: 'meanwhile' });
    const [forgotten, kept] = [await open({ ref: 1000 }), await open({ ref: 1000 })];
    await kept.join('later 0', [{ ...all, note: 0 }], token);
    await kept.told(1);
    await expect
      .poll(async () => {
        await forgotten.join('first', [all], token);
        return forgotten.messages.some(
          ({ payload }) => payload.message === 'changes were missed: read again',
        );
      })
      .toBe(true);
    await write(account, { body: 'now' });
    expect((await forgotten.told(1)).map(({ data }) => data.record?.['body'])).toEqual(['now']);
  });

  it('of what comes before a channel is joined: messages, their length, and tokens that are refused', async () => {
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

  it('of the time until a channel is joined', { timeout: 60_000 }, async () => {
    expect(await unjoined.ended()).toEqual({
      code: 1008,
      reason: `No channel was joined within ${live.joinTimeout / 1000} s`,
    });
    expect(joined.closed).toBeUndefined();
    joined.close();
  });

  it('of sockets that join nothing: the oldest gives way', { timeout: 60_000 }, async () => {
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

  it('of sockets of a network that join nothing: the oldest gives way when it has had time to join', {
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

  it('of the channels of a socket', async () => {
    const wire = await open();
    for (let joined = 0; joined < live.channels; joined++) {
      expect(await wire.join(`x${joined}`, [], token)).toMatchObject({ status: 'ok' });
    }
    expect((await wire.join('one more', [], token)).response.reason).toMatch(
      /^ChannelRateLimitReached: Too many channels/,
    );
  });

  it('of the filters and selections of a caller, over all its sockets', async () => {
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

  it('of the sockets of a caller', { timeout: 60_000 }, async () => {
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

  it('of the sockets of a network', { timeout: 120_000 }, async () => {
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
