/** What a client's messages ask for, and the answers: join, access_token, leave, heartbeat. */
import * as v from 'valibot';
import type { Env } from '../common/env.ts';
import type { Accounts } from './accounts.ts';
import { planBindings } from './bindings.ts';
import { type Channel, isEnded, isJoinProven, type MissedWhy, placeOf, userOf } from './channel.ts';
import type { Channels } from './channels.ts';
import type { Frame } from './frames.ts';
import { identify } from './identify.ts';
import type { Joins } from './join.ts';
import { replyError, replyOk, sendClose, sendError, sendSystem, wordsOf } from './messages.ts';
import type { Poll } from './poll.ts';
import type { Report } from './report.ts';
import type { LiveSocket } from './socket.ts';
import type { Store } from './store.ts';

const tokenPayload = v.object({ access_token: v.nullish(v.string()) });

export interface ProtocolParts {
  env: Env;
  channels: Channels;
  store: Store;
  accounts: Accounts;
  poll: Poll;
  joins: Joins;
  report: Report;
}

/** `refused`: a join, for another reason than that its token is not there yet. */
export type Handled = 'handled' | 'refused';

export class Protocol {
  readonly #parts: ProtocolParts;

  constructor(parts: ProtocolParts) {
    this.#parts = parts;
  }

  async handle(frame: Frame, socket: LiveSocket): Promise<Handled> {
    switch (frame.event) {
      case 'heartbeat':
        socket.heartbeat(this.#parts.poll.latestRound);
        replyOk({ ...frame, joinRef: null, topic: 'phoenix' }, socket, {});
        return 'handled';
      case 'phx_join': {
        const earlier = this.#parts.channels.find(socket, frame.topic);
        if (earlier) {
          this.end(earlier);
        }
        return (await this.#parts.joins.join(frame, socket)) ? 'handled' : 'refused';
      }
      case 'phx_leave':
        this.#leave(frame, socket);
        return 'handled';
      case 'access_token':
        await this.#renew(frame, socket);
        return 'handled';
      case 'broadcast':
      case 'presence':
        this.#refuse(frame, socket);
        return 'handled';
      default:
        return 'handled';
    }
  }

  /**
   * The channel can't be told of everything. One that is live fails, and its client joins it anew; one that came back has
   * just been joined, and goes on.
   */
  missed = (channel: Channel, why: MissedWhy): void => {
    this.#parts.report.missed(why);
    sendSystem(channel, 'error', 'changes were missed: read again');
    if (channel.state === 'live') {
      this.#forget(channel);
      sendError(channel);
    }
  };

  /** Ends a channel whose client may come back: up to where everything has arrived is kept. */
  end(channel: Channel): void {
    const { store, poll } = this.#parts;
    const { state, caller, topic, given } = channel;
    const place = placeOf(channel, poll.latestRound);
    this.#forget(channel);
    if (state !== 'joining') {
      store.places.add({ user: userOf(caller), topic, given }, place);
    }
  }

  /** Ends a channel whose token has expired. */
  expire(channel: Channel): void {
    this.#fail(channel, 'the access token has expired');
  }

  /** Ends a channel that can't go on. Its client joins it again, and goes on there if it may. */
  #fail(channel: Channel, words: string): void {
    this.end(channel);
    sendSystem(channel, 'error', words);
    sendError(channel);
  }

  async #renew({ topic, payload }: Frame, socket: LiveSocket): Promise<void> {
    const { env, channels, store, accounts } = this.#parts;
    const given = v.safeParse(tokenPayload, payload);
    const channel = channels.find(socket, topic);
    if (!channel || !given.success) {
      return;
    }
    const identified = await identify(given.output.access_token, socket, env);
    if (isEnded(channel)) {
      return;
    }
    if (!identified.ok) {
      this.#fail(channel, wordsOf(identified.failure));
      return;
    }
    const { caller, expires } = identified.value;
    const bindings = planBindings(JSON.parse(channel.given), caller);
    const next = channels.callerFor(caller);
    if (!bindings.ok) {
      this.#fail(channel, wordsOf(bindings.failure));
      return;
    }
    const known = await accounts.know(next);
    if (isEnded(channel)) {
      return;
    }
    if (!known.ok) {
      this.#fail(channel, wordsOf(known.failure));
      return;
    }
    channel.bindings = bindings.value;
    channel.expires = expires;
    channels.setCaller(channel, next);
    store.setCaller(channel.id, caller, expires);
  }

  /**
   * Lets a client leave. It does so when it needs the channel no more, and also when the answer to its join came too late:
   * then it joins again, and goes on from where it was.
   */
  #leave(frame: Frame, socket: LiveSocket): void {
    const channel = this.#parts.channels.find(socket, frame.topic);
    replyOk(frame, socket, {});
    if (!channel) {
      return;
    }
    if (isJoinProven(channel)) {
      this.#forget(channel);
    } else {
      this.end(channel);
    }
    sendClose(channel);
  }

  /** Forgets a channel whose client is gone for good, or begins anew. */
  #forget(channel: Channel): void {
    this.#parts.store.removeChannel(channel.id);
    this.#parts.channels.remove(channel);
  }

  #refuse(frame: Frame, socket: LiveSocket): void {
    const words = `this service has postgres_changes alone, no ${frame.event}`;
    replyError(frame, socket, words);
    const channel = this.#parts.channels.find(socket, frame.topic);
    if (channel) {
      sendSystem(channel, 'error', words);
    }
  }
}
