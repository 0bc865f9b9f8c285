/** The parent's side of worker-process.ts: starts it, sends it bundles to serve, stops it. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Problem } from './problem.ts';
import type { ServeRequest, ServeResult } from './worker-process.ts';

export interface Workerd {
  /** Serves a bundle in place of the previous one, and returns the port. Throws a Problem when it can't. */
  serve(request: ServeRequest): Promise<number>;
  stop(): Promise<void>;
  /** Resolves when the process has ended for any reason. */
  ended: Promise<void>;
}

export function forkWorkerd(): Workerd {
  const program = fileURLToPath(new URL('worker-process.ts', import.meta.url));
  const child = fork(program, { detached: true });
  const ended = once(child, 'exit').then(() => killGroup(child.pid));
  return {
    ended,
    async serve(request) {
      const message = once(child, 'message').then(([result]) => result as ServeResult);
      child.send(request);
      const result = await Promise.race([
        message,
        ended.then(() => ({ problem: 'The worker process ended.' })),
      ]);
      if ('problem' in result) {
        throw new Problem(result.problem);
      }
      return result.port;
    },
    async stop() {
      if (child.connected) {
        child.disconnect();
      }
      await ended;
    },
  };
}

/** Ends the workerd that a process which was killed leaves behind, in the process group that it led. */
function killGroup(leader: number | undefined): void {
  try {
    process.kill(-(leader ?? Number.NaN), 'SIGKILL');
  } catch {
    // It has stopped workerd itself.
  }
}
