/** The parent's side of worker-process.ts: starts it, tells it what to serve, ends it. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Problem } from './problem.ts';
import type { Order, Report } from './worker-process.ts';

export interface Workerd {
  /** Serves a bundle, in place of the one before; answers the port. Throws a Problem when it can't. */
  serve(order: Order): Promise<number>;
  stop(): Promise<void>;
  /** Resolves when it has ended, asked to or not. */
  ended: Promise<void>;
}

export function forkWorkerd(): Workerd {
  const child = fork(fileURLToPath(new URL('./worker-process.ts', import.meta.url)), { detached: true });
  const ended = once(child, 'exit').then(() => {});
  return {
    ended,
    async serve(order) {
      const report = once(child, 'message').then(([message]) => message as Report);
      child.send(order);
      const answer = await Promise.race([
        report,
        ended.then(() => ({ problem: 'The worker process ended.' })),
      ]);
      if ('problem' in answer) {
        throw new Problem(answer.problem);
      }
      return answer.port;
    },
    async stop() {
      if (child.connected) {
        child.disconnect();
      }
      await ended;
    },
  };
}
