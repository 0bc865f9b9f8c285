/**
 * Phoenix's channels as Supabase speaks them: joins, heartbeats, leaving, new tokens, and requests for sockets.
 * @module-tag live
 */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createAccessToken } from '../../functions/local/access-token.ts';
import { useService } from '../setup/service.ts';
import { all, allQuotes, useLive, type Version, type WireOptions } from './wire.ts';

const service = useService();
const live = useLive(service);

describe.each<Version>(['1.0.0', '2.0.0'])('in protocol %s', version => {
  it('a join is answered with its bindings as they came and their ids, and then confirmed', async () => {
    const wire = await live.open({ version });
    const filtered = { ...all, filter: 'dismissed=is.false' };
    const postgres_changes = [
      { ...all, id: 1 },
      { ...filtered, id: 2 },
    ];
    const reply = await wire.join('room', [all, filtered], live.token);
    expect(reply).toEqual({ status: 'ok', response: { postgres_changes } });
    const topic = 'realtime:room';
    expect(wire.messages[0]).toMatchObject({ joinRef: '1', ref: '1', topic, event: 'phx_reply' });
    const message = 'Subscribed to PostgreSQL';
    const payload = { extension: 'postgres_changes', status: 'ok', message, channel: 'room' };
    expect(await wire.until(({ event }) => event === 'system')).toMatchObject({ topic, ref: null, payload });
    expect(Array.isArray(JSON.parse(wire.frames[0] ?? ''))).toBe(version === '2.0.0');
  });

  it('a join and a heartbeat whose ref is a number are answered with it', async () => {
    const wire = await live.open({ version });
    const answer = (ref: number, topic: string, event: string, payload: object) => {
      const message = { topic, event, payload, ref, join_ref: ref };
      wire.socket.send(JSON.stringify(version === '1.0.0' ? message : [ref, ref, topic, event, payload]));
      return wire.until(reply => reply.event === 'phx_reply' && String(reply.ref) === String(ref));
    };
    const config = { postgres_changes: [all] };
    const joined = await answer(4, 'realtime:x', 'phx_join', { config, access_token: live.token });
    expect(joined.payload).toMatchObject({ status: 'ok', response: config });
    expect((await answer(5, 'phoenix', 'heartbeat', {})).payload).toEqual({ status: 'ok', response: {} });
    await live.insert();
    expect(await wire.received(1)).toHaveLength(1);
  });

  it('a channel that was left is sent nothing more, while another of the socket is', async () => {
    const wire = await live.open({ version });
    await wire.join('left', [all], live.token);
    await wire.join('kept', [all], live.token);
    const ref = wire.send('realtime:left', 'phx_leave', {}, '1');
    expect(await wire.reply(ref)).toEqual({ status: 'ok', response: {} });
    await wire.until(({ event, topic }) => event === 'phx_close' && topic === 'realtime:left');
    await live.insert();
    await wire.received(1);
    expect([wire.changes('realtime:left').length, wire.changes('realtime:kept').length]).toEqual([0, 1]);
  });

  it('what is no message is ignored, and messages are not compressed', async () => {
    const wire = await live.open({ version });
    expect(wire.socket.extensions).toBe('');
    for (const text of ['', '{', '[]', 'null', '7', '{"topic":1}', '[null,null,"phoenix"]', '"heartbeat"']) {
      wire.socket.send(text);
    }
    wire.socket.send(Buffer.from([3, 0, 1, 2]));
    await wire.heartbeat();
    expect(wire.frames).toHaveLength(1);
  });
});

describe('a channel', () => {
  it('may listen to nothing, and is sent why nothing will come', async () => {
    const wire = await live.listen({ bindings: [] });
    await wire.until(({ event, payload }) => event === 'system' && /broadcast/.test(payload.message));
  });

  it.each(['broadcast', 'presence'])('that is sent a %s answers that there is none', async event => {
    const wire = await live.listen();
    const reply = await wire.reply(wire.send('realtime:x', event, { type: event, event: 'track' }, '1'));
    expect(reply).toMatchObject({ status: 'error', response: { reason: expect.stringContaining(event) } });
    await wire.until(({ payload }) => payload.message === reply.response.reason);
  });

  it('that is joined again replaces the one before', async () => {
    const wire = await live.listen();
    await wire.join('x', [{ ...all, event: 'INSERT' }], live.token);
    await live.insert();
    await wire.received(1);
    await wire.heartbeat();
    const changes = wire.messages.filter(({ event }) => event === 'postgres_changes');
    expect(changes).toMatchObject([{ joinRef: '2' }]);
  });

  it('of the next user on the same socket is sent that user’s changes', async () => {
    const other = randomUUID();
    const wire = await live.listen({ topic: 'mine' });
    await wire.join('yours', [all], await service.token({ account: other }));
    await live.insert({}, other);
    await wire.received(1);
    expect(wire.changes('realtime:mine')).toEqual([]);
  });
});

const refusal = async (bindings: object[], token = live.token): Promise<string> => {
  const { status, response } = await (await live.open()).join('x', bindings, token);
  expect(status).toBe('error');
  return response.reason;
};

describe('a join is refused', () => {
  it('without a token, or with a key for one, and is accepted on the same socket with one', async () => {
    const wire = await live.open();
    for (const given of [undefined, '', service.publishableKey]) {
      const { response } = await wire.join('x', [all], given);
      expect(response).toEqual({
        reason: expect.stringMatching(
          /^PGRST302: .*`await supabase\.realtime\.setAuth\(\)` before subscribe/,
        ),
      });
    }
    expect(await wire.join('x', [all], live.token)).toMatchObject({ status: 'ok' });
  });

  it('with a token that is malformed, was signed by others, or has expired', async () => {
    const { account } = live;
    for (const token of ['a.b.c', await createAccessToken('x'.repeat(32), { account })]) {
      expect(await refusal([all], token), token).toMatch(/^PGRST301: /);
    }
    const expired = await service.token({ account, claims: { exp: Math.floor(Date.now() / 1000) - 60 } });
    expect(await refusal([all], expired)).toMatch(/^PGRST303: JWT expired$/);
  });

  it('for a private channel', async () => {
    const wire = await live.open();
    const config = { private: true, postgres_changes: [all] };
    const ref = wire.send('realtime:x', 'phx_join', { config, access_token: live.token });
    const reason = expect.stringMatching(/^22023: Private/);
    expect(await wire.reply(ref)).toMatchObject({ status: 'error', response: { reason } });
  });

  it.each<[what: string, binding: object, reason: RegExp]>([
    ['a collection without live updates', { ...all, table: 'graphics' }, /^22023: .*graphics.*quotes/],
    ['another schema', { ...all, schema: 'auth' }, /^PGRST106: /],
    ['an unknown operator', { ...all, filter: 'dismissed=is_not.true' }, /^PGRST100: /],
    ['a selection of columns it may not read', { ...allQuotes, select: ['internal_notes'] }, /^42501: /],
    ['a value that never matches', { ...all, filter: 'type=eq.new' }, /^22023: .*type.*warning/],
  ])('for %s', async (_, binding, reason) => {
    expect(await refusal([binding])).toMatch(reason);
  });

  it('and a client of 1.0.0 is sent an error after it, upon which it joins again', async () => {
    const wire = await live.open({ version: '1.0.0' });
    await wire.join('x', [all]);
    const error = await wire.until(({ event }) => event === 'phx_error');
    expect(error).toMatchObject({ topic: 'realtime:x', ref: '1' });
  });
});

describe('a request for a socket', () => {
  const path = '/realtime/v1/websocket';
  const refused = (options: WireOptions) =>
    expect(live.open(options)).rejects.toThrow('Unexpected server response: 401');

  it('with a wrong key, or none, is refused before there is a socket', async () => {
    await refused({ key: 'sb_publishable_wrong' });
    await refused({ key: live.token });
    const response = await service.fetch(path);
    expect([response.status, await response.json()]).toMatchObject([401, { code: 'PGRST302' }]);
  });

  it('that does not upgrade is refused', async () => {
    const response = await service.fetch(`${path}?apikey=${service.publishableKey}`);
    expect([response.status, await response.json()]).toMatchObject([426, { code: 'PT426' }]);
  });

  it('gets no rights by the header in which the worker passes the kind of its key', async () => {
    const wire = await live.open({ headers: { 'x-live-key': 'service' } });
    expect(await wire.join('x', [all])).toMatchObject({ status: 'error' });
    const ofServer = await live.open({ key: service.secretKey, headers: { 'x-live-key': 'anon' } });
    expect(await ofServer.join('x', [all])).toMatchObject({ status: 'ok' });
  });

  it('with the secret key is refused to a browser, and so is a token of its rights', async () => {
    const headers = { origin: 'https://shop.example', 'user-agent': 'Mozilla/5.0' };
    await refused({ key: service.secretKey, headers });
    const wire = await live.open({ headers });
    const serviceRole = await service.token({ account: live.account, claims: { role: 'service_role' } });
    for (const token of [serviceRole, service.secretKey]) {
      expect((await wire.join('x', [all], token)).response.reason).toMatch(/^PT401: /);
    }
  });
});
