import { limits } from '../common/limits.ts';
import { terminateStatement } from '../statement/terminate.ts';
import { Connection } from './connection.ts';

const { timeout, firstCheck, lastCheck } = limits.termination;

/**
 * Terminates the session that executes a message which was given up: Postgres continues a message whose connection is
 * closed until it has a result. Resolves when it is executed no more, or when the server can't be reached. Most sessions end
 * within milliseconds; Postgres takes its time with what it can't interrupt.
 */
export async function terminate(url: string, message: string): Promise<void> {
  let pause: number = firstCheck;
  while ((await terminateOnce(url, message)) > 0) {
    await new Promise(resolve => setTimeout(resolve, pause));
    pause = Math.min(2 * pause, lastCheck);
  }
}

/** Does the same without waiting for what can't be interrupted. Resolves to the number of sessions found. */
export async function terminateOnce(url: string, message: string): Promise<number> {
  const connection = new Connection(url);
  // An abandoned connection replies at once.
  const timer = setTimeout(() => connection.abandon(), timeout);
  const reply = await connection.send(terminateStatement(message).text);
  clearTimeout(timer);
  connection.abandon();
  return reply.ok ? Number(reply.rows[0]?.['found']) : 0;
}
