/** Joins: who asks, for what, and where its client goes on. */
import * as v from 'valibot';
import type { Env } from '../common/env.ts';
import { limits } from '../common/limits.ts';
import { fail, ok, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import type { Accounts } from './accounts.ts';
import { planBindings } from './bindings.ts';
import type { CatchUp } from './catch-up.ts';
import { type Channel, newChannel, userOf } from './channel.ts';
import type { Channels } from './channels.ts';
import { findExcess } from './excess.ts';
import type { Frame } from './frames.ts';
import { identify } from './identify.ts';
import { refuseJoin, replyOk, sendSystem } from './messages.ts';
import type { Places } from './places.ts';
import type { Poll } from './poll.ts';
import { refuse } from './refuse.ts';
import type { Report } from './report.ts';
import type { LiveSocket } from './socket.ts';
import type { Sockets } from './sockets.ts';
import type { Store } from './store.ts';

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

export interface JoinParts {
  env: Env;
  channels: Channels;
  sockets: Sockets;
  store: Store;
  accounts: Accounts;
  places: Places;
  poll: Poll;
  catchUp: CatchUp;
  report: Report;
}

/** A join that is admitted; `hasPresence`: its client expects presence too. */
interface Admitted {
  channel: Channel;
  given: object[];
  hasPresence: boolean;
}

export class Joins {
  readonly #parts: JoinParts;

  constructor(parts: JoinParts) {
    this.#parts = parts;
  }

  /**
   * Admits or refuses a join. Resolves when that is decided, to whether it cost nothing or was admitted; the answer to one
   * that is admitted follows when the accounts of its caller are known and the feed was read.
   */
  async join(frame: Frame, socket: LiveSocket): Promise<boolean> {
    const admitted = await this.#admit(frame, socket);
    if (!admitted.ok) {
      refuseJoin(frame, socket, admitted.failure);
      return admitted.failure.is === 'credentials missing';
    }
    const { channel } = admitted.value;
    if (socket.isClosing) {
      return true;
    }
    this.#parts.sockets.setUser(socket, userOf(channel.caller));
    this.#parts.channels.add(channel);
    this.#answer(frame, admitted.value).catch(this.#parts.report.crashed);
    return true;
  }

  async #admit(frame: Frame, socket: LiveSocket): Promise<Result<Admitted>> {
    const { env, sockets, channels } = this.#parts;
    const payload = v.safeParse(joinPayload, frame.payload);
    if (!payload.success || !/^realtime:./.test(frame.topic)) {
      return refuse('A join has a topic that begins with realtime: and a config');
    }
    const { config, access_token } = payload.output;
    if (config.private) {
      return refuse('Private channels are not part of this service, which has postgres_changes alone');
    }
    if (channels.ofSocket(socket).length >= limits.live.channels) {
      return fail<Failure>({ is: 'too many channels' });
    }
    const identified = await identify(access_token, socket, env);
    if (!identified.ok) {
      return identified;
    }
    const { caller, expires } = identified.value;
    const given = JSON.stringify(config.postgres_changes);
    const bindings = planBindings(config.postgres_changes, caller);
    if (!bindings.ok) {
      return bindings;
    }
    const own = { given, bindings: bindings.value };
    const excess = findExcess(userOf(caller), socket, own, sockets, channels);
    if (excess) {
      return fail(excess);
    }
    const { topic, joinRef, ref } = frame;
    return ok({
      channel: newChannel({
        socket,
        topic,
        joinRef: joinRef ?? ref,
        caller,
        expires,
        given,
        bindings: bindings.value,
      }),
      given: config.postgres_changes as object[],
      hasPresence: config.presence?.enabled === true,
    });
  }

  /** Answers a join. The answer says that every later commit is told: so the feed is read first. */
  async #answer(frame: Frame, { channel, given, hasPresence }: Admitted): Promise<void> {
    const { channels, accounts, poll } = this.#parts;
    const caller = channels.callerOf(channel);
    const known = caller ? await accounts.know(caller) : ok(undefined);
    const isRead = known.ok && (await poll.run());
    if (channel.state === 'ended') {
      return;
    }
    if (!isRead) {
      channels.remove(channel);
      const unread = fail<Failure>({ is: 'database unavailable', reason: 'LIVE' });
      refuseJoin(frame, channel.socket, known.ok ? unread.failure : known.failure);
      return;
    }
    poll.whenOpen(() => {
      if (channel.state !== 'ended') {
        const answered = given.map((binding, index) => ({ ...binding, id: index + 1 }));
        replyOk(frame, channel.socket, { postgres_changes: answered });
        sendSystem(channel, 'ok', 'Subscribed to PostgreSQL');
        if (hasPresence || given.length === 0) {
          sendSystem(
            channel,
            'error',
            'this service has postgres_changes alone, no broadcast and no presence',
          );
        }
        this.#begin(channel);
      }
    });
  }

  /** Decides where its client goes on. The stored channel replaces what was known of the client before. */
  #begin(channel: Channel): void {
    const { places, store, poll, catchUp, report } = this.#parts;
    const { socket } = channel;
    const resumption = places.begin(channel);
    channel.resumeFrom = resumption.is === 'from' ? resumption.round : poll.latestRound;
    channel.state = resumption.is === 'from' ? 'resuming' : 'live';
    channel.wasUnknown = resumption.is === 'missed' && store.isNew;
    channel.answeredAt = socket.state.answers;
    channel.id = store.addChannel(channel);
    if (resumption.is === 'from') {
      catchUp.add(channel, resumption.round).catch(report.crashed);
    } else if (resumption.is === 'missed') {
      report.missed('unknown');
      sendSystem(channel, 'error', 'changes were missed: read again');
    }
  }
}
