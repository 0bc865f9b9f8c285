/** Starts the receivers of webhooks in a process of their own, so that what they do doesn't delay the tests. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { fileURLToPath } from 'node:url';

export interface ReceivedCall {
  path: string;
  method: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receivers {
  /** Without a slash at the end. */
  url: string;
  /** All calls so far. */
  calls(): Promise<ReceivedCall[]>;
  /** Bytes of each answer without an end that was cut off. */
  poured(): Promise<number[]>;
  stop(): Promise<void>;
}

export async function startReceivers(): Promise<Receivers> {
  const child = fork(fileURLToPath(new URL('receiver.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
  });
  const exit = once(child, 'exit');
  const ended = exit.then(([code]) => {
    throw new Error(`The receivers ended with ${code}.`);
  });
  // It is awaited only while something is expected of the process.
  ended.catch(() => {});
  const [port] = await Promise.race([once(child, 'message'), ended]);
  const report = async () => {
    child.send('report');
    const [report] = await Promise.race([once(child, 'message'), ended]);
    return report as { calls: ReceivedCall[]; poured: number[] };
  };
  return {
    url: `http://127.0.0.1:${port}`,
    calls: async () => (await report()).calls,
    poured: async () => (await report()).poured,
    async stop() {
      child.kill('SIGKILL');
      await exit;
    },
  };
}
