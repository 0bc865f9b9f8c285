import { crashLine } from '../log/crash-line.ts';
import type { Outcome } from './outcome.ts';

/** A bug in sending one thing fails that attempt, and keeps nothing else from being sent. */
export async function attemptSafely(send: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await send();
  } catch (error) {
    console.error(crashLine(error as Error));
    return { is: 'failed', reason: 'a bug, of which the log has a line' };
  }
}
