/** A worker that delivers, in a process group of its own that can be killed, over a database that others use too. */
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import type { ServeRequest, ServeResult } from '../../functions/local/worker-process.ts';
import type { TestDatabase } from '../setup/database.ts';

const program = fileURLToPath(new URL('../../functions/local/worker-process.ts', import.meta.url));

export interface Deliverer {
  url: string;
  secretKey: string;
  /** Has it look for what is due. */
  wake(): Promise<void>;
  kill(): Promise<void>;
}

/** With `bindings` on top of those by which mails leave over the relay at that port. */
export async function startDeliverer(
  database: TestDatabase,
  relayPort: number,
  bindings: Record<string, string> = {},
): Promise<Deliverer> {
  const secretKey = `sb_secret_${randomBytes(16).toString('hex')}`;
  const holder = fork(program, { detached: true, execArgv: ['--import', 'tsx'], stdio: 'ignore' });
  const request: ServeRequest = {
    script: inject('worker').script,
    port: 0,
    bindings: {
      LOCAL: '1',
      DATABASE_URL: database.apiUrl,
      SWEEPER_DATABASE_URL: database.sweeperUrl,
      DELIVERER_DATABASE_URL: database.delivererUrl,
      PUBLISHABLE_KEY: `sb_publishable_${randomBytes(16).toString('hex')}`,
      SECRET_KEY: secretKey,
      JWT_SECRET: randomBytes(32).toString('hex'),
      MAIL_URL: `smtp://127.0.0.1:${relayPort}`,
      MAIL_FROM: 'Uniform Builder <quotes@builder.example>',
      MAIL_PER_DAY: '1000000',
      SERVICE_URL: 'https://api.builder.example',
      WEBHOOKS_ON_LOOPBACK: 'on',
      ...bindings,
    },
  };
  holder.send(request);
  const [result] = (await once(holder, 'message')) as [ServeResult];
  if ('problem' in result) {
    throw new Error(result.problem);
  }
  const url = `http://127.0.0.1:${result.port}`;
  return {
    url,
    secretKey,
    async wake() {
      const { body } = await fetch(`${url}/cdn-cgi/handler/scheduled`);
      await body?.cancel();
    },
    async kill() {
      if (holder.exitCode === null && holder.signalCode === null) {
        const ended = once(holder, 'exit');
        process.kill(-(holder.pid ?? Number.NaN), 'SIGKILL');
        await ended;
      }
    },
  };
}
