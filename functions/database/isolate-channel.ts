import { second } from '../common/limits.ts';
import { monotonicNow } from '../common/monotonic.ts';
import { lost, type Reply, type SentMessage } from './database.ts';

/** Milliseconds after a call in which the channel is used. An object without calls may be evicted after ten seconds. */
const freshFor = 2 * second;

/** Milliseconds between checks that the object is alive, while messages wait. */
const checkInterval = 100;

/** Turns of the event loop within which a live object runs, even with data arriving on 3,200 sockets. */
const turns = 200;

/** The reply to a message. `not accepted`: the object is gone and never saw the message. */
type ChannelReply = Reply | 'not accepted';

type Execute = (message: SentMessage, callerKey: string) => Promise<Reply>;

interface PendingMessage {
  message: SentMessage;
  callerKey: string;
  resolve: (reply: ChannelReply) => void;
  reject: (error: unknown) => void;
  isAccepted: boolean;
}

/**
 * An in-memory channel to an object in the same isolate. A round trip takes 5 µs of CPU, and a call of the object 120
 * (measured on workerd). The object's sockets remain in its own context, because the code after an `await` continues in the
 * context that created the promise, regardless of who resolves it (compatibility flag
 * handle_cross_request_promise_resolution).
 *
 * The promises that cross must come from `Promise.withResolvers`: after a `new Promise` in code that V8 had optimised,
 * execution continued in the wrong context (seen on workerd 1.20260426).
 */
export class IsolateChannel {
  #pending: PendingMessage[] = [];
  #wake: () => void = () => {};
  /** Incremented whenever the object runs. */
  #heartbeats = 0;
  /** Time of the last liveness check, by monotonicNow(). */
  #checkedAt = 0;
  /** The last heartbeat of an object that was found gone. */
  #lastHeartbeat = -1;
  #freshUntil = 0;

  /** Whether the object was called recently and has not been found gone since. */
  get isFresh(): boolean {
    return monotonicNow() < this.#freshUntil;
  }

  refresh(): void {
    this.#freshUntil = monotonicNow() + freshFor;
  }

  /**
   * Sends a message for a request. Rejects only with a bug's error. The timer also keeps the request alive: workerd cancels
   * one that has nothing pending of its own. A lost connection can end the object. A message that it had accepted may
   * have been executed, and fails with POOL_LOST.
   */
  async send(message: SentMessage, callerKey: string): Promise<ChannelReply> {
    const { promise, resolve, reject } = Promise.withResolvers<ChannelReply>();
    const pending: PendingMessage = { message, callerKey, resolve, reject, isAccepted: false };
    this.#pending.push(pending);
    this.#wake();
    const timer = setInterval(async () => {
      if (await this.#isGone()) {
        this.#freshUntil = 0;
        // If the object is alive after all, it must not accept a message that the caller now sends another way.
        this.#pending = this.#pending.filter(other => other !== pending);
        resolve(pending.isAccepted ? lost('POOL_LOST') : 'not accepted');
      }
    }, checkInterval);
    try {
      return await promise;
    } finally {
      clearInterval(timer);
    }
  }

  /**
   * Returns whether the object fails to run when it is woken. Elapsed time is no evidence: on a busy machine, this process may
   * not run for seconds. Turns of the event loop are: in each turn workerd handles 16 events, and the one that wakes the
   * object queues behind those of other sockets. One message checks for all; the others use its result at their next check.
   * (With 510 messages waiting, the checks take 5 % of workerd's thread.)
   */
  async #isGone(): Promise<boolean> {
    const heartbeats = this.#heartbeats;
    if (monotonicNow() - this.#checkedAt < checkInterval) {
      return this.#lastHeartbeat === heartbeats;
    }
    for (let turn = 0; turn < turns; turn++) {
      this.#checkedAt = monotonicNow();
      this.#wake();
      await scheduler.wait(0);
      if (this.#heartbeats !== heartbeats) {
        return false;
      }
    }
    this.#lastHeartbeat = heartbeats;
    return true;
  }

  /** Accepts and executes messages in the object, for as long as it lives. */
  async serve(execute: Execute): Promise<never> {
    for (;;) {
      this.#heartbeats += 1;
      this.#acceptAll(execute);
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
  }

  /** Not a part of `serve`, which would keep the latest messages, and their replies, for as long as it waits for others. */
  #acceptAll(execute: Execute): void {
    const accepted = this.#pending;
    this.#pending = [];
    for (const pending of accepted) {
      pending.isAccepted = true;
      this.#execute(pending, execute);
    }
  }

  /** An error is a bug. Its request fails with it, and the next ones call the object, until a call succeeds. */
  async #execute({ message, callerKey, resolve, reject }: PendingMessage, execute: Execute): Promise<void> {
    try {
      resolve(await execute(message, callerKey));
    } catch (error) {
      this.#freshUntil = 0;
      reject(error);
    }
  }
}
