/** The channels of an object: who may join, with what, and when its join is answered. */
import * as v from 'valibot';
import type { Env } from '../common/env.ts';
import type { Failure } from '../common/failure/failure.ts';
import { fail, ok, type Result } from '../common/failure/result.ts';
import { monotonicNow } from '../common/monotonic.ts';
import { type Accounts, seesMore, userOf } from './accounts.ts';
import { invalid } from './binding-filter.ts';
import { Channel, channelLimits, type Listener } from './channel.ts';
import type { Feed } from './feed.ts';
import { identify } from './identify.ts';
import type { MissedWhy, Report } from './live-report.ts';
import { type Frame, type LiveSocket, wordsOf } from './live-socket.ts';
import type { Sockets } from './sockets.ts';
import { findBindingExcess, planBindings } from './subscription.ts';

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
