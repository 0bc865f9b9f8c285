import { second } from '../common/limits.ts';
import { lost, type Reply, type SentMessage } from './database.ts';

/** Messages that reach the pool's object through the memory of its isolate, instead of by a call. */
const channelLimits = {
  /** Milliseconds since the last call: an object that nobody calls may be evicted after ten seconds. */
  freshFor: 2 * second,
  /** Milliseconds between two checks that the object lives, while messages wait. */
  checkInterval: 100,
  /** Turns of the event loop in which an object that lives runs: enough for 3,200 sockets that something arrives on. */
  turns: 200,
};
const { freshFor, checkInterval, turns } = channelLimits;

/** `not accepted`: the object is gone and never saw the message. */
export type ChannelReply = Reply | 'not accepted';

interface PendingMessage {
  message: SentMessage;
  callerKey: string;
  resolve: (reply: ChannelReply) => void;
  isAccepted: boolean;
}

/**
 * A channel to an object of the same isolate, in memory: a round trip takes 5 µs of CPU, a call of the object 120
 * (measured on workerd). The object's sockets stay its own, because the code after an `await` continues in the
 * context that created the promise, whoever resolves it (the compatibility flag
 * handle_cross_request_promise_resolution).
 *
 * The promises that cross must come from `Promise.withResolvers`: after a `new Promise` in code that V8 had optimised,
 * execution continued in the wrong context (seen on workerd 1.20260426).
 */
export class IsolateChannel {
  #pending: PendingMessage[] = [];
  #wake: () => void = () => {};
  /** Grows whenever the object runs. */
  #heartbeats = 0;
  /** When it was checked last whether the object lives, in milliseconds since 1970. */
  #checkedAt = 0;
  /** The heartbeat after which the object was found gone. */
  #lastHeartbeat = -1;
  #freshUntil = 0;

  /** The object was called a moment ago and has not been found gone since. */
  get isFresh(): boolean {
    return Date.now() < this.#freshUntil;
  }

  refresh(): void {
    this.#freshUntil = Date.now() + freshFor;
  }

  /**
   * Sends a message for a request. Never rejects. A lost connection can end the object: a message it had accepted by then
   * may or may not have been executed, and fails with POOL_LOST.
   */
  async send(message: SentMessage, callerKey: string): Promise<ChannelReply> {
    const { promise, resolve } = Promise.withResolvers<ChannelReply>();
    const pending: PendingMessage = { message, callerKey, resolve, isAccepted: false };
    this.#pending.push(pending);
    this.#wake();
    const timer = setInterval(async () => {
      if (await this.#isGone()) {
        this.#freshUntil = 0;
        // Should the object live after all, it must not accept a message that the caller then sends another way.
        this.#pending = this.#pending.filter(other => other !== pending);
        resolve(pending.isAccepted ? lost('POOL_LOST') : 'not accepted');
      }
    }, checkInterval);
    const reply = await promise;
    clearInterval(timer);
    return reply;
  }

  /**
   * Whether the object does not run when it is woken. Time doesn't tell: on a busy machine, nothing of this process may run
   * for seconds. Turns of the event loop do: in each of them workerd takes 16 events, the one that wakes the object behind
   * those of other sockets. One message checks it for all; the others hear of it at their next check. (With 510 messages
   * waiting, the checks take 5 % of workerd's thread.)
   */
  async #isGone(): Promise<boolean> {
    const heartbeats = this.#heartbeats;
    if (Date.now() - this.#checkedAt < checkInterval) {
      return this.#lastHeartbeat === heartbeats;
    }
    for (let turn = 0; turn < turns; turn++) {
      this.#checkedAt = Date.now();
      this.#wake();
      await scheduler.wait(0);
      if (this.#heartbeats !== heartbeats) {
        return false;
      }
    }
    this.#lastHeartbeat = heartbeats;
    return true;
  }

  /** Accepts and executes, in the object, messages for as long as the object lives. */
  async serve(execute: (message: SentMessage, callerKey: string) => Promise<Reply>): Promise<never> {
    for (;;) {
      this.#heartbeats += 1;
      const accepted = this.#pending;
      this.#pending = [];
      for (const pending of accepted) {
        pending.isAccepted = true;
        execute(pending.message, pending.callerKey).then(pending.resolve);
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
  }
}
