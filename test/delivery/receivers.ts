/** The receivers of webhooks (receiver.ts), in a process of their own. */
import type { IncomingHttpHeaders } from 'node:http';
import { startProcess } from './other-process.ts';

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
  const { ask, stop } = startProcess<'port' | 'calls' | 'poured'>('receiver.ts');
  const port = await ask<number>('port');
  return { url: `http://127.0.0.1:${port}`, calls: () => ask('calls'), poured: () => ask('poured'), stop };
}
