import { limits } from '../common/limits.ts';
import { terminateStatement } from '../statement/terminate.ts';
import { Connection } from './connection.ts';

const { timeout: patience, checkInterval: lookEvery } = limits.termination;

/**
 * Ends at the server what runs messages that were given up: Postgres goes on with a message whose connection is gone
 * until it has an answer. Resolves when nothing of them runs any more, or when the server can't be asked; what can't be
 * interrupted there takes its time.
 */
export async function terminate(url: string, messages: string[]): Promise<void> {
  while ((await terminateOnce(url, messages)) > 0) {
    await new Promise(resolve => setTimeout(resolve, lookEvery));
  }
}

/** The same, without waiting for what can't be interrupted. Answers how many sessions were found. */
export async function terminateOnce(url: string, messages: string[]): Promise<number> {
  const connection = new Connection(url);
  const asked = connection.send(terminateStatement(messages).text).then(reply => {
    connection.abandon();
    return reply.ok ? Number(reply.rows[0]?.['found']) : 0;
  });
  const late = new Promise<number>(resolve => setTimeout(() => resolve(0), patience));
  return Promise.race([asked, late]);
}
