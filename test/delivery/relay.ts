/** The parent's side of relay-process.ts. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import type { Fault } from './faulty-relay.ts';
import type { Question, RelayOptions, Report } from './relay-process.ts';

export interface TestRelay {
  /** Where things go wrong, and where the server itself listens. */
  port: number;
  directPort: number;
  /** What goes wrong from here on; nothing, if not said. Forgets what came before. */
  fail(fault?: Fault): Promise<void>;
  report(): Promise<Report>;
  stop(): Promise<void>;
}

export async function startRelay(options: RelayOptions): Promise<TestRelay> {
  const child = fork(fileURLToPath(new URL('relay-process.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
  });
  const exit = once(child, 'exit');
  const ended = exit.then(([code]) => {
    throw new Error(`The relay ended with ${code}.`);
  });
  // It is awaited only while something is expected of the process.
  ended.catch(() => {});
  const ask = async <T>(question: Question): Promise<T> => {
    const answer = once(child, 'message');
    child.send(question);
    const [message] = await Promise.race([answer, ended]);
    return message as T;
  };
  const ports = await ask<{ port: number; directPort: number }>({ ask: 'start', options });
  return {
    ...ports,
    fail: async fault => void (await ask({ ask: 'fail', fault: fault ?? null })),
    report: () => ask({ ask: 'report' }),
    async stop() {
      child.kill('SIGKILL');
      await exit;
    },
  };
}

/** The relay of a `describe`: it is started before its tests, and until then has no properties. */
export function useRelay(options: () => RelayOptions): TestRelay {
  const relay = {} as TestRelay;
  beforeAll(async () => {
    Object.assign(relay, await startRelay(options()));
  });
  afterAll(() => relay.stop());
  return relay;
}
