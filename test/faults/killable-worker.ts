/** The worker of everything in a process group of its own, to be killed and started again on the same port. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import type { ServeRequest, ServeResult } from '../../functions/local/worker-process.ts';
import type { TestDatabase } from '../setup/database.ts';
import { newKeys, type RunningWorker } from '../setup/running-worker.ts';

const program = fileURLToPath(new URL('../../functions/local/worker-process.ts', import.meta.url));

export interface KillableWorker {
  readonly url: string;
  keys: RunningWorker['keys'];
  /** Has it sweep, and look for deliveries that are due. */
  wake(): Promise<void>;
  kill(): Promise<void>;
  start(): Promise<void>;
}

export async function startKillableWorker(
  { apiUrl, sweeperUrl, delivererUrl }: TestDatabase,
  bindings: Record<string, string> = {},
): Promise<KillableWorker> {
  const keys = newKeys();
  const addresses = {
    DATABASE_URL: apiUrl,
    SWEEPER_DATABASE_URL: sweeperUrl,
    DELIVERER_DATABASE_URL: delivererUrl,
  };
  const request: ServeRequest = {
    script: inject('worker').script,
    port: 0,
    bindings: { LOCAL: '1', ...addresses, ...keys, ...bindings },
  };
  let holder: ChildProcess;
  const worker: KillableWorker = {
    get url() {
      return `http://127.0.0.1:${request.port}`;
    },
    keys,
    async wake() {
      const { body } = await fetch(`${worker.url}/cdn-cgi/handler/scheduled`);
      await body?.cancel();
    },
    async kill() {
      if (holder.exitCode === null && holder.signalCode === null) {
        const ended = once(holder, 'exit');
        process.kill(-(holder.pid ?? Number.NaN), 'SIGKILL');
        await ended;
      }
    },
    async start() {
      holder = fork(program, { detached: true, execArgv: ['--import', 'tsx'], stdio: 'ignore' });
      holder.send(request);
      const [result] = (await once(holder, 'message')) as [ServeResult];
      if ('problem' in result) {
        throw new Error(result.problem);
      }
      request.port = result.port;
    },
  };
  await worker.start();
  return worker;
}
