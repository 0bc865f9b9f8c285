import { type Reply, type SentMessage, unavailable } from './database.ts';

/** Milliseconds; an object that nobody calls may be evicted after ten seconds, and what is handed over is no call. */
const freshFor = 2000;
/** Milliseconds within which an object that lives gives a sign of it; twice that, and it is gone. */
const signWithin = 250;

const lost = unavailable('POOL_LOST');

interface Handed {
  message: SentMessage;
  sender: string;
  answer: (reply: Reply | 'untouched') => void;
  taken: boolean;
}

/**
 * Hands messages to an object of the same isolate in memory, instead of by a call: 5 µs of CPU instead of 120 there
 * and back, measured on workerd. The object's sockets stay its own, since what awaits a promise goes on in the context
 * that made the promise, whoever resolves it (the compatibility flag handle_cross_request_promise_resolution).
 *
 * The promises that cross must come from `Promise.withResolvers`: of a `new Promise` in code that V8 has optimised,
 * what awaits it went on in the wrong context (seen on workerd 1.20260426).
 */
export class Hatch {
  #waiting: Handed[] = [];
  #wake: () => void = () => {};
  #signs = 0;
  #freshUntil = 0;

  /** The object was called a moment ago, and nobody has found it gone. */
  get isFresh(): boolean {
    return Date.now() < this.#freshUntil;
  }

  refresh(): void {
    this.#freshUntil = Date.now() + freshFor;
  }

  /**
   * For a request. Never rejects. A lost connection can end the object: then a message it had not taken yet is
   * `untouched`, and of one that it had taken nobody knows.
   */
  async send(message: SentMessage, sender: string): Promise<Reply | 'untouched'> {
    const { promise, resolve } = Promise.withResolvers<Reply | 'untouched'>();
    const handed: Handed = { message, sender, answer: resolve, taken: false };
    this.#waiting.push(handed);
    this.#wake();
    let signs = -1;
    const timer = setInterval(() => {
      if (signs === this.#signs) {
        this.#freshUntil = 0;
        // An object that is slow and not gone must not take what is sent another way.
        this.#waiting = this.#waiting.filter(other => other !== handed);
        resolve(handed.taken ? lost : 'untouched');
      }
      signs = this.#signs;
      this.#wake();
    }, signWithin);
    const reply = await promise;
    clearInterval(timer);
    return reply;
  }

  /** For the object: answers what is handed over, for as long as it lives. */
  async serve(send: (message: SentMessage, sender: string) => Promise<Reply>): Promise<never> {
    for (;;) {
      this.#signs += 1;
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const handed of waiting) {
        handed.taken = true;
        send(handed.message, handed.sender).then(handed.answer);
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
    }
  }
}
