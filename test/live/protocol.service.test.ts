/** Phoenix's channels as Supabase speaks them: joins, heartbeats, leaving, new tokens, and requests for sockets. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { limits } from '../../functions/common/limits.ts';
import { useService } from '../setup/service.ts';
import { all, useLive, type Version, type WireOptions } from './wire.ts';

const service = useService();
const live = useLive(service);

/** Clocks may differ by 30 s, so this token is accepted, and expires soon. */
const expiring = (): Promise<string> => {
  const now = Math.floor(Date.now() / 1000);
  return service.token({
    account: live.account,
    claims: { iat: now - 60, exp: now - limits.token.clockTolerance + 3 },
  });
};

describe.each<Version>(['1.0.0', '2.0.0'])('in protocol %s', version => {
  it('a join is answered with its bindings as they came and their ids, and then confirmed', async () => {
    const wire = await live.open({ version });
    const filtered = { ...all, filter: 'dismissed=is.false' };
    expect(await wire.join('room', [all, filtered], live.token)).toEqual({
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

  it('a join and a heartbeat whose ref is a number are answered with it', async () => {
    const wire = await live.open({ version });
    const config = { postgres_changes: [all] };
    const messages: [ref: number, topic: string, event: string, payload: object][] = [
      [4, 'realtime:x', 'phx_join', { config, access_token: live.token }],
      [5, 'phoenix', 'heartbeat', {}],
    ];
    for (const [ref, topic, event, payload] of messages) {
      const message = { topic, event, payload, ref, join_ref: ref };
      wire.socket.send(JSON.stringify(version === '1.0.0' ? message : [ref, ref, topic, event, payload]));
    }
    const replyTo = (sent: number) =>
      wire.until(({ event, ref }) => event === 'phx_reply' && String(ref) === String(sent));
    expect((await replyTo(4)).payload).toMatchObject({ status: 'ok', response: { postgres_changes: [all] } });
    expect((await replyTo(5)).payload).toEqual({ status: 'ok', response: {} });
    await live.insert();
    expect(await wire.received(1)).toHaveLength(1);
  });

  it('a heartbeat is answered', async () => {
    const wire = await live.open({ version });
    const ref = wire.send('phoenix', 'heartbeat', {});
    expect(await wire.reply(ref)).toEqual({ status: 'ok', response: {} });
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
    expect(wire.changes('realtime:left')).toEqual([]);
    expect(wire.changes('realtime:kept')).toHaveLength(1);
  });

  it('what is no message is ignored', async () => {
    const wire = await live.open({ version });
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
    const wire = await live.open();
    expect(await wire.join('x', [], live.token)).toEqual({
      status: 'ok',
      response: { postgres_changes: [] },
    });
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
    const changes = await wire.received(1);
    await wire.heartbeat();
    expect(changes).toHaveLength(1);
    expect(wire.messages.findLast(({ event }) => event === 'postgres_changes')?.joinRef).toBe('2');
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

describe('a new access token', () => {
  it('keeps the channel beyond the end of the first one, which ends another', async () => {
    const wire = await live.open();
    await wire.join('short', [all], await expiring());
    await wire.join('long', [all], await expiring());
    wire.send('realtime:long', 'access_token', { access_token: live.token }, '2');
    await wire.until(({ event, topic }) => event === 'phx_error' && topic === 'realtime:short');
    await live.insert();
    await wire.received(1);
    expect(wire.changes('realtime:long')).toHaveLength(1);
    expect(wire.changes('realtime:short')).toEqual([]);
    expect(wire.messages).toContainEqual(
      expect.objectContaining({
        topic: 'realtime:short',
        event: 'system',
        payload: expect.objectContaining({ status: 'error', message: 'the access token has expired' }),
      }),
    );
    expect(await wire.join('short', [all], live.token)).toMatchObject({ status: 'ok' });
  });

  it('changes what the channel is sent', async () => {
    const team = randomUUID();
    const wire = await live.listen();
    const member = await service.token({ account: live.account, also: [team] });
    wire.send('realtime:x', 'access_token', { access_token: member }, '1');
    await wire.heartbeat();
    await live.insert({}, team);
    await wire.received(1);
    wire.send('realtime:x', 'access_token', { access_token: live.token }, '1');
    await wire.heartbeat();
    await live.insert({}, team);
    await live.insert({ body: 'mine' });
    const changes = await wire.received(2);
    expect(changes[1]?.data.record).toMatchObject({ body: 'mine' });
  });

  it('that is refused ends the channel', async () => {
    const wire = await live.listen();
    wire.send('realtime:x', 'access_token', { access_token: 'a.b.c' }, '1');
    await wire.until(({ event }) => event === 'phx_error');
    await live.insert();
    await wire.join('y', [all], live.token);
    await live.insert({ body: 'mine' });
    await wire.received(1);
    expect(wire.changes('realtime:x')).toEqual([]);
  });
});

describe('a request for a socket', () => {
  const path = '/realtime/v1/websocket';
  const statusOf = (options: WireOptions): Promise<string> =>
    live.open(options).then(
      () => 'open',
      error => error.message,
    );

  it('with a wrong key, or none, is refused before there is a socket', async () => {
    expect(await statusOf({ key: 'sb_publishable_wrong' })).toBe('Unexpected server response: 401');
    expect(await statusOf({ key: live.token })).toBe('Unexpected server response: 401');
    const response = await service.fetch(path);
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: 'PGRST302' });
  });

  it('that does not upgrade is refused', async () => {
    const response = await service.fetch(`${path}?apikey=${service.publishableKey}`);
    expect(response.status).toBe(426);
    expect(await response.json()).toMatchObject({ code: 'PT426' });
  });

  it('gets no rights by the header in which the worker tells its object whose key it has', async () => {
    const wire = await live.open({ headers: { 'x-live-key': 'service' } });
    expect(await wire.join('x', [all])).toMatchObject({ status: 'error' });
    const ofServer = await live.open({ key: service.secretKey, headers: { 'x-live-key': 'anon' } });
    expect(await ofServer.join('x', [all])).toMatchObject({ status: 'ok' });
  });

  it('with the secret key is refused to a browser, and so is a token of its rights', async () => {
    const browser = { origin: 'https://shop.example', 'user-agent': 'Mozilla/5.0' };
    expect(await statusOf({ key: service.secretKey, headers: browser })).toBe(
      'Unexpected server response: 401',
    );
    const wire = await live.open({ headers: browser });
    const serviceRole = await service.token({ account: live.account, claims: { role: 'service_role' } });
    expect((await wire.join('x', [all], serviceRole)).response.reason).toMatch(/^PT401: /);
    expect((await wire.join('x', [all], service.secretKey)).response.reason).toMatch(/^PT401: /);
  });
});
