/**
 * A channel that a client joins on a socket, and all of them.
 *
 *     join ──▶ joining ──answer──▶ live
 *                 │                  │   leave, a socket's end, another join on its topic,
 *               refuse               │   a token that is refused or has expired, changes that were missed
 *                 ▼                  ▼
 *               ended ◀──────────────┘
 *
 * A change is sent only while it is live. A join that ends before its answer is refused.
 */
import * as v from 'valibot';
import type { Env } from '../common/env.ts';
import type { Failure } from '../common/failure/failure.ts';
import { fail, ok, type Result } from '../common/failure/result.ts';
import { limits, second } from '../common/limits.ts';
import { monotonicNow } from '../common/monotonic.ts';
import { type Accounts, type LiveCaller, seesMore, userOf } from './accounts.ts';
import type { Feed } from './feed.ts';
import { identify } from './identify.ts';
import type { MissedWhy, Report } from './live-report.ts';
import { type Frame, type FrameAddress, type LiveSocket, wordsOf } from './live-socket.ts';
import type { Sockets } from './sockets.ts';
import { type Binding, findBindingExcess, invalid, planBindings } from './subscription.ts';

/** Live updates: channels. Beyond: a join fails with `CHANNEL_ERROR`. */
export const channelLimits = {
  /** Channels of a socket */
  channels: 100,
  /** Characters of a topic */
  topic: 255,
  // Characters of a message's reference.
  ref: 20,
  // A client gives up a join after 10 s, and some then ignore a later answer.
  answerWithin: 8 * second,
} as const;

/** What a join asked for. */
interface Asked {
  /** Without its payload, which may have up to 32 KiB. */
  frame: FrameAddress;
  /** When it came, by monotonicNow(). */
  at: number;
  socket: LiveSocket;
  /** `postgres_changes`, as it came. */
  given: object[];
  /** Its client expects presence or broadcasts too. */
  expectsMore: boolean;
  /** It takes the place of a live channel, which may have been sent less. */
  isAgain: boolean;
}

/** Who listens, to what. */
interface Listener {
  caller: LiveCaller;
  /** When its token expires, in seconds since 1970; null of a key. */
  expires: number | null;
  bindings: Binding[];
}

export class Channel {
  readonly asked: Asked;
  /** Characters of its bindings, as JSON. */
  readonly length: number;
  readonly #ended: (channel: Channel) => void;
  #listener: Listener;
  #state: 'joining' | 'live' | 'ended' = 'joining';

  constructor(asked: Asked, listener: Listener, ended: (channel: Channel) => void) {
    this.asked = asked;
    this.length = JSON.stringify(asked.given).length;
    this.#listener = listener;
    this.#ended = ended;
  }

  get caller(): LiveCaller {
    return this.#listener.caller;
  }

  get bindings(): readonly Binding[] {
    return this.#listener.bindings;
  }

  get isLive(): boolean {
    return this.#state === 'live';
  }

  /** Answers the join. From here on it is sent every change that is committed. */
  answer(): void {
    this.endIfDue();
    if (this.#state !== 'joining') {
      return;
    }
    this.#state = 'live';
    const { frame, given, expectsMore, isAgain, socket } = this.asked;
    socket.reply(frame, 'ok', { postgres_changes: given.map((one, index) => ({ ...one, id: index + 1 })) });
    this.sendSystem('ok', 'Subscribed to PostgreSQL');
    if (expectsMore) {
      this.sendSystem('error', 'this service supports only postgres_changes, no broadcast and no presence');
    }
    if (isAgain || socket.isReturning) {
      this.sendSystem('error', 'changes may have been missed: read again');
    }
  }

  refuse(failure: Failure): void {
    if (this.#state === 'joining') {
      this.#end(wordsOf(failure));
    }
  }

  /** Continues with a new token of its user. */
  renew(listener: Listener): void {
    if (this.#state !== 'ended') {
      this.#listener = listener;
    }
  }

  /** Sends a message with a change; returns its size in bytes. */
  sendChange(payload: string): number {
    return this.isLive ? this.#send('postgres_changes', payload) : 0;
  }

  /** Ends it with a reason. Its client joins again, and reads. */
  fail(words: string): void {
    if (this.#state !== 'ended') {
      this.#end(words);
      this.sendSystem('error', words);
      this.asked.socket.sendEnd(this.asked.frame, 'phx_error');
    }
  }

  /** Ends it when its token has expired, or when its join was not answered in time: old clients ignore a later answer. */
  endIfDue(): void {
    const { expires } = this.#listener;
    if (expires !== null && expires + limits.token.clockTolerance < Date.now() / 1000) {
      this.fail('the access token has expired');
    } else if (this.asked.at + channelLimits.answerWithin < monotonicNow()) {
      this.refuse({ is: 'database unavailable', reason: 'LIVE' });
    }
  }

  /** Ends it as its client asks. Only then: a client that gets `phx_close` unasked never joins again. */
  leave(): void {
    this.#end('the channel was left');
    this.asked.socket.sendEnd(this.asked.frame, 'phx_close');
  }

  /** Ends it because its socket has ended or its topic is joined again. Sends nothing, but a refusal to a join without an answer. */
  drop(): void {
    this.#end('its topic is joined again');
  }

  /** Ends it. A join that has no answer yet gets one. */
  #end(reason: string): void {
    if (this.#state === 'joining') {
      this.asked.socket.refuseJoin(this.asked.frame, reason);
    }
    if (this.#state !== 'ended') {
      this.#state = 'ended';
      this.#ended(this);
    }
  }

  /** Sends something to the callbacks of `.on('system', …)`. */
  sendSystem(status: 'ok' | 'error', message: string): void {
    const channel = this.asked.frame.topic.replace(/^realtime:/, '');
    this.#send('system', JSON.stringify({ extension: 'postgres_changes', status, message, channel }));
  }

  #send(event: string, payload: string): number {
    const { joinRef, ref, topic } = this.asked.frame;
    return this.asked.socket.send({ joinRef: joinRef ?? ref, ref: null, topic, event }, payload);
  }
}

const joinPayload = v.object({
  config: v.optional(
    v.object({
      postgres_changes: v.optional(v.unknown(), []),
      private: v.nullish(v.boolean(), false),
      presence: v.fallback(v.nullish(v.looseObject({ enabled: v.optional(v.unknown()) })), null),
    }),
    {},
  ),
  access_token: v.nullish(v.string()),
});
const renewPayload = v.object({ access_token: v.nullish(v.string()) });

interface ChannelParts {
  env: Env;
  sockets: Sockets;
  accounts: Accounts;
  feed: Feed;
  report: Report;
}

/** The channels that have not ended. */
export class Channels {
  readonly #parts: ChannelParts;
  readonly #all = new Set<Channel>();
  readonly #bySocket = new WeakMap<LiveSocket, Map<string, Channel>>();

  constructor(parts: ChannelParts) {
    this.#parts = parts;
  }

  get all(): Channel[] {
    return [...this.#all];
  }

  get isEmpty(): boolean {
    return this.#all.size === 0;
  }

  /** Returns a socket's channels by their topics. */
  ofSocket(socket: LiveSocket): Map<string, Channel> {
    const channels = this.#bySocket.get(socket) ?? new Map();
    this.#bySocket.set(socket, channels);
    return channels;
  }

  /** Ends those of these that are live: they can't be sent every change. */
  miss(channels: Channel[], why: MissedWhy): void {
    for (const channel of channels.filter(({ isLive }) => isLive)) {
      this.#parts.report.count('missed', why);
      channel.fail('changes were missed: read again');
    }
  }

  /** Handles a join that came at this time. Resolves to whether it is refused, other than for no token. */
  async join(frame: Frame, socket: LiveSocket, at: number): Promise<boolean> {
    const before = this.ofSocket(socket).get(frame.topic);
    const isAgain = before?.isLive === true;
    before?.drop();
    const admitted = await this.#admit(frame, socket, at, isAgain);
    if (!admitted.ok) {
      socket.refuseJoin(frame, wordsOf(admitted.failure));
      return admitted.failure.is !== 'credentials missing';
    }
    if (!socket.isClosing) {
      const { feed, sockets, report } = this.#parts;
      if (this.isEmpty) {
        feed.forget();
      }
      const channel = admitted.value;
      sockets.join(socket, userOf(channel.caller.caller));
      this.#all.add(channel);
      this.ofSocket(socket).set(frame.topic, channel);
      this.#answer(channel).catch(report.crashed);
    }
    return false;
  }

  /** Answers a join when the accounts of its caller and the feed's cursor are known: then every later commit is sent. */
  async #answer(channel: Channel): Promise<void> {
    const { accounts, feed } = this.#parts;
    const known = await accounts.know(channel.caller, channel.asked.at);
    if (known.ok && (await feed.ready())) {
      channel.answer();
    } else {
      channel.refuse(known.ok ? { is: 'database unavailable', reason: 'LIVE' } : known.failure);
    }
  }

  /** Checks a join: its form, who asks, and what for. */
  async #admit(frame: Frame, socket: LiveSocket, at: number, isAgain: boolean): Promise<Result<Channel>> {
    const { topic, ref, joinRef, event } = frame;
    const isLong = topic.length > channelLimits.topic || `${ref}`.length > channelLimits.ref;
    if (isLong || `${joinRef}`.length > channelLimits.ref || !/^realtime:./.test(topic)) {
      return invalid(
        `A join has a topic of at most ${channelLimits.topic} characters, which begins with realtime:, and references of at most ${channelLimits.ref}`,
      );
    }
    const payload = v.safeParse(joinPayload, frame.payload);
    if (!payload.success) {
      const path = v.getDotPath(payload.issues[0]);
      return invalid(`A join has a config and an access_token${path ? `: ${path} is invalid` : ''}`);
    }
    const { config, access_token } = payload.output;
    if (config.private) {
      return invalid('Private channels are not part of this service, which supports only postgres_changes');
    }
    if (this.ofSocket(socket).size >= channelLimits.channels) {
      return fail<Failure>({ is: 'too many channels', limit: channelLimits.channels });
    }
    const listener = await this.#identify(access_token, config.postgres_changes, socket);
    if (!listener.ok) {
      return listener;
    }
    const given = config.postgres_changes as object[];
    const expectsMore = config.presence?.enabled === true || given.length === 0;
    const asked = { frame: { topic, ref, joinRef, event }, at, socket, given, expectsMore, isAgain };
    const channel = new Channel(asked, listener.value, ended => {
      this.#all.delete(ended);
      this.ofSocket(socket).delete(topic);
    });
    const user = userOf(channel.caller.caller);
    const others = this.all.filter(({ caller }) => userOf(caller.caller) === user);
    const excess = this.#parts.sockets.findSocketExcess(socket, user) ?? findBindingExcess(channel, others);
    return excess ? fail(excess) : ok(channel);
  }

  /** Identifies who listens, and plans what it wants. */
  async #identify(token: unknown, given: unknown, { opened }: LiveSocket): Promise<Result<Listener>> {
    const identified = await identify(token, opened, this.#parts.env);
    if (!identified.ok) {
      return identified;
    }
    const { caller, expires } = identified.value;
    const bindings = planBindings(given, caller);
    return bindings.ok
      ? ok({ caller: this.#parts.accounts.callerFor(caller), expires, bindings: bindings.value })
      : bindings;
  }

  /** Gives a channel its client's new token, or ends it when that is refused, or shows what its client has never read. */
  async renew(channel: Channel, payload: unknown): Promise<void> {
    const token = v.safeParse(renewPayload, payload);
    if (!token.success) {
      return;
    }
    const at = monotonicNow();
    const { given, socket } = channel.asked;
    const listener = await this.#identify(token.output.access_token, given, socket);
    if (listener.ok && userOf(listener.value.caller.caller) !== userOf(channel.caller.caller)) {
      return channel.fail('the access token is of another user: read again');
    }
    const known = listener.ok ? await this.#parts.accounts.know(listener.value.caller, at) : listener;
    if (listener.ok && known.ok) {
      const before = channel.caller;
      channel.renew(listener.value);
      if (seesMore(channel.caller, before)) {
        this.miss([channel], 'accounts');
      }
    } else if (!known.ok) {
      channel.fail(wordsOf(known.failure));
    }
  }
}
