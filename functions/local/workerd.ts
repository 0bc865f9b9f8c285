/** The parent's side of worker-process.ts and group-process.ts: starts one, sends it bundles to serve, stops it. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { ServeRequest, ServeResult } from './parent.ts';
import { loopback } from './port.ts';
import { Problem } from './problem.ts';

export interface Workerd {
  /** Serves a bundle in place of the previous one, and returns the port. Throws a Problem when it can't. */
  serve(request: ServeRequest): Promise<number>;
  stop(): Promise<void>;
  /** Resolves when the process has ended for any reason. */
  ended: Promise<void>;
}

const pathOf = (program: string): string => fileURLToPath(new URL(program, import.meta.url));

/**
 * While workerd serves, these processes only forward its log: with a small heap for young objects, collected on one thread, they
 * leave more of the processors to the requests. 3 % more rows a second (medians of 12 alternating rounds).
 */
const execArgv = [...process.execArgv, '--single-threaded-gc', '--max-semi-space-size=1'];

export const forkWorkerd = (): Workerd =>
  control(fork(pathOf('worker-process.ts'), { detached: true, execArgv }));

/** Several workerd processes on one port; 0 is any free one. Connections wait until they are ready. */
export async function forkWorkerds(count: number, wantedPort: number): Promise<Workerd> {
  const listener = createServer().listen(wantedPort, loopback);
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const child = fork(pathOf('workers/group-process.ts'), [`${count}`], {
    detached: true,
    execArgv,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc', descriptorOf(listener)],
  });
  // The child has the socket. Node would accept connections from it here, in the next turn of the event loop.
  listener.close();
  const workerd = control(child);
  return { ...workerd, serve: request => workerd.serve({ ...request, port }) };
}

/** Node has no documented way to it, and passes servers to Node programs only. */
const descriptorOf = (server: Server): number =>
  (server as unknown as { _handle: { fd: number } })._handle.fd;

function control(child: ChildProcess): Workerd {
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

/** A process that was killed leaves its workerd behind, in the process group that it leads. */
function killGroup(leader: number | undefined): void {
  try {
    process.kill(-(leader ?? Number.NaN), 'SIGKILL');
  } catch {
    // It has stopped workerd itself.
  }
}
