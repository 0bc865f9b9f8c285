/** What a client's messages ask for, and the answers: join, access_token, leave, heartbeat. */
import * as v from 'valibot';
import type { Caller } from '../caller/caller.ts';
import type { Env } from '../common/env.ts';
import { limits } from '../common/limits.ts';
import { fail, ok, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import { renderFailure } from '../failure/render.ts';
import { joinMessage } from '../statement/live.ts';
import { type Binding, findExcess, planBindings, queriesOf, toRowQueries } from './bindings.ts';
import { type Channel, type Channels, userOf } from './channels.ts';
import type { Frame } from './frames.ts';
import { identify } from './identify.ts';
import { identityOf, keepEnded, takeEarlier } from './resume.ts';
import type { Notices, Rounds } from './rounds.ts';
import type { LiveSocket } from './socket.ts';
import { notYetLive, type Store, type StoredChannel } from './store.ts';
import type { Ask } from './tell.ts';

const joinPayload = v.object({
  config: v.optional(v.object({ postgres_changes: v.optional(v.array(v.looseObject({})), []) }), {}),
  access_token: v.nullish(v.string()),
});
const tokenPayload = v.object({ access_token: v.nullish(v.string()) });

export interface Parts {
  env: Env;
  channels: Channels;
  store: Store;
  ask: Ask;
  /** Whether the socket is still open. */
  isOpen: (socket: LiveSocket) => boolean;
}

export class Protocol implements Notices {
  readonly #parts: Parts;
  /** Set once, since rounds give notices and are asked for by joins. */
  rounds: Rounds | undefined;
  /** Called for each channel that is told that it missed changes. */
  readonly #onMissed: () => void;

  constructor(parts: Parts, onMissed: () => void) {
    this.#parts = parts;
    this.#onMissed = onMissed;
  }

  async handle(frame: Frame, socket: LiveSocket): Promise<void> {
    switch (frame.event) {
      case 'phx_join':
        return this.#join(frame, socket);
      case 'phx_leave':
        return this.#leave(frame, socket);
      case 'access_token':
        return this.#renew(frame, socket);
    }
  }

  /** Answered at once, whatever else of the client is waiting. */
  heartbeat({ ref }: Frame, socket: LiveSocket): void {
    socket.acknowledge(this.rounds?.n ?? 0);
    socket.send({ joinRef: null, ref, topic: 'phoenix', event: 'phx_reply' }, okReply({}));
  }

  missed = (channel: Channel): void => {
    this.#onMissed();
    this.#system(channel, 'error', 'changes were missed: read again');
    if (channel.state === 'live') {
      this.#remove(channel);
      this.#send(channel, 'phx_error', '{}');
    }
  };

  failed = (channel: Channel): void => this.end(channel, 'its changes cannot be read');

  /** A channel whose token has expired. Its client joins again, with a new one, and goes on. */
  expire(channel: Channel): void {
    this.#parts.channels.remove(channel);
    keepEnded(channel, this.#parts.store);
    this.#system(channel, 'error', 'the access token has expired');
    this.#send(channel, 'phx_error', '{}');
  }

  /** Ends it for good: joined again, it begins anew. */
  end(channel: Channel, message: string): void {
    this.#remove(channel);
    this.#system(channel, 'error', message);
    this.#send(channel, 'phx_error', '{}');
  }

  async #join(frame: Frame, socket: LiveSocket): Promise<void> {
    const { channels, store } = this.#parts;
    const earlier = channels.find(socket, frame.topic);
    if (earlier) {
      channels.remove(earlier);
      keepEnded(earlier, store);
    }
    const joined = await this.#admit(frame, socket);
    if (!joined.ok) {
      this.#refuse(frame, socket, joined.failure);
      return;
    }
    const { channel, given } = joined.value;
    if (!this.#parts.isOpen(socket)) {
      channels.remove(channel);
      keepEnded(channel, store);
      return;
    }
    const answered = given.map((binding, index) => ({ ...binding, id: index + 1 }));
    socket.send(replyTo(frame), okReply({ postgres_changes: answered }));
    this.#system(channel, 'ok', 'Subscribed to PostgreSQL');
    if (channel.state === 'resuming') {
      await this.rounds?.run();
    }
  }

  async #admit(frame: Frame, socket: LiveSocket): Promise<Result<{ channel: Channel; given: object[] }>> {
    const { env, channels, ask } = this.#parts;
    const payload = v.safeParse(joinPayload, frame.payload);
    if (!payload.success || !/^realtime:./.test(frame.topic)) {
      return refuse('A join has a topic that begins with realtime: and a config');
    }
    if (channels.ofSocket(socket).length >= limits.live.channels) {
      return fail<Failure>({ is: 'too many channels' });
    }
    const identified = await identify(payload.output.access_token, socket, env);
    if (!identified.ok) {
      return identified;
    }
    const { caller, expires } = identified.value;
    const given = payload.output.config.postgres_changes;
    const bindingsJson = JSON.stringify(given);
    if (bindingsJson.length > limits.live.bindingsLength) {
      const what = 'characters in the bindings of a channel';
      return fail<Failure>({ is: 'too complex', what, limit: limits.live.bindingsLength });
    }
    const bindings = planBindings(given, caller);
    if (!bindings.ok) {
      return bindings;
    }
    const excess = this.#findExcess(socket, caller, bindings.value);
    if (excess) {
      return fail(excess);
    }
    const accounts = await askForJoin(caller, bindings.value, ask);
    if (!accounts.ok) {
      return accounts;
    }
    const ref = Number(frame.ref ?? 0) || 0;
    const identity = identityOf({ caller, topic: frame.topic, bindings: bindingsJson });
    const stored: StoredChannel = {
      ...{
        id: 0,
        socket: socket.id,
        user: userOf(caller),
        identity,
        topic: frame.topic,
        joinRef: frame.joinRef ?? frame.ref,
      },
      ...{ caller, expires, bindings: bindingsJson, lastRef: ref, resumeFrom: 0, liveFrom: 0, endedAt: null },
    };
    const channel: Channel = { stored, socket, bindings: bindings.value, state: 'joining', resumedBytes: 0 };
    channels.add(channel, accounts.value);
    const begun = await this.#begin(channel);
    if (!begun.ok) {
      channels.remove(channel);
      return begun;
    }
    socket.joined();
    return ok({ channel, given });
  }

  /** From here on it is told of every commit. What was committed before is read first, and not told to it. */
  async #begin(channel: Channel): Promise<Result<void>> {
    const { channels, store } = this.#parts;
    const { stored, socket } = channel;
    if (!(await this.rounds?.run())) {
      return fail<Failure>({ is: 'database unavailable', reason: 'LIVE' });
    }
    const n = this.rounds?.n ?? 0;
    const from = takeEarlier(stored.identity, socket, channels.all, store);
    channel.state = from === undefined ? 'live' : 'resuming';
    stored.resumeFrom = from ?? n;
    stored.liveFrom = from === undefined ? n : notYetLive;
    stored.id = store.addChannel(stored);
    return ok(undefined);
  }

  #findExcess(socket: LiveSocket, caller: Caller, bindings: Binding[]): Failure | undefined {
    const { channels } = this.#parts;
    const user = userOf(caller);
    const sockets = channels.socketsOf(user).add(socket);
    if (sockets.size > limits.live.socketsOfCaller) {
      return { is: 'too many sockets', of: 'a caller', limit: limits.live.socketsOfCaller };
    }
    return findExcess(channels.queriesOfUser(user, bindings));
  }

  async #renew({ topic, payload }: Frame, socket: LiveSocket): Promise<void> {
    const { env, channels, store } = this.#parts;
    const given = v.safeParse(tokenPayload, payload);
    const channel = channels.find(socket, topic);
    if (!channel || !given.success) {
      return;
    }
    const identified = await identify(given.output.access_token, socket, env);
    if (channels.find(socket, topic) !== channel) {
      return;
    }
    if (!identified.ok) {
      channels.remove(channel);
      keepEnded(channel, store);
      this.#system(channel, 'error', wordsOf(identified.failure));
      this.#send(channel, 'phx_error', '{}');
      return;
    }
    const { caller, expires } = identified.value;
    const { stored } = channel;
    const isSame = JSON.stringify(stored.caller) === JSON.stringify(caller);
    if (isSame && stored.expires === expires) {
      return;
    }
    const bindings = planBindings(JSON.parse(stored.bindings), caller);
    if (!bindings.ok) {
      this.end(channel, wordsOf(bindings.failure));
      return;
    }
    channel.bindings = bindings.value;
    stored.expires = expires;
    stored.user = userOf(caller);
    stored.identity = identityOf({ ...stored, caller });
    if (!isSame) {
      channels.setCaller(channel, caller);
    }
    store.setCaller(stored);
  }

  #leave(frame: Frame, socket: LiveSocket): void {
    const channel = this.#parts.channels.find(socket, frame.topic);
    socket.send(replyTo(frame), okReply({}));
    if (channel) {
      this.#remove(channel);
      this.#send(channel, 'phx_close', '{}');
    }
  }

  #remove(channel: Channel): void {
    this.#parts.channels.remove(channel);
    this.#parts.store.removeChannel(channel.stored.id);
  }

  /** Old clients, which speak 1.0.0, join again only after a `phx_error`. */
  #refuse(frame: Frame, socket: LiveSocket, failure: Failure): void {
    const response = { status: 'error', response: { reason: wordsOf(failure) } };
    socket.send(replyTo(frame), JSON.stringify(response));
    if (socket.version === '1.0.0') {
      socket.send({ ...replyTo(frame), ref: frame.ref, event: 'phx_error' }, '{}');
    }
  }

  #system(channel: Channel, status: 'ok' | 'error', message: string): void {
    const name = channel.stored.topic.replace(/^realtime:/, '');
    const payload = { extension: 'postgres_changes', status, message, channel: name };
    this.#send(channel, 'system', JSON.stringify(payload));
  }

  #send({ socket, stored }: Channel, event: string, payload: string): void {
    const ref = event === 'phx_close' || event === 'phx_error' ? stored.joinRef : null;
    socket.send({ joinRef: stored.joinRef, ref, topic: stored.topic, event }, payload);
  }
}

const okReply = (response: object): string => JSON.stringify({ status: 'ok', response });

const replyTo = ({ joinRef, ref, topic }: Frame): Omit<Frame, 'payload'> => ({
  joinRef: joinRef ?? ref,
  ref,
  topic,
  event: 'phx_reply',
});

/** `PGRST302: The request has no …`, as Supabase writes its reasons. */
function wordsOf(failure: Failure): string {
  const { code, message, details } = renderFailure(failure).body;
  return `${code}: ${message}${details === null ? '' : `. ${details}`}`;
}

const refuse = (message: string) => fail<Failure>({ is: 'invalid value', sqlstate: '22023', message });

/** The accounts of a caller, for whom Postgres has accepted all conditions. */
async function askForJoin(caller: Caller, bindings: Binding[], ask: Ask): Promise<Result<string[]>> {
  const queries = toRowQueries(queriesOf(bindings));
  const rows = await ask(joinMessage(caller.audience, caller.claims ?? {}, queries));
  if (!rows.ok) {
    return rows;
  }
  const [accounts = []]: string[][] = JSON.parse(rows.value[0]?.['accounts'] ?? '[]');
  return ok(accounts);
}
