/** Starts an attack in a process of its own, so that what it computes does not delay those who measure. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Place } from './target.ts';

export interface AttackerProcess {
  /** Attacks, and resolves to what the attacker met, or after so many milliseconds to nothing. It keeps its sockets. */
  attack(timeout: number): Promise<Record<string, number>>;
  /** Ends the process, and with it all of its sockets. */
  end(): Promise<void>;
}

/** Resolves when the attack is prepared. */
export async function startAttacker(name: string, place: Place): Promise<AttackerProcess> {
  const child = fork(fileURLToPath(new URL('attacker.ts', import.meta.url)), [name, JSON.stringify(place)], {
    execArgv: ['--import', 'tsx'],
  });
  const exit = once(child, 'exit');
  const ended = exit.then(([code]) => {
    throw new Error(`The attacker ended with ${code}.`);
  });
  // It is awaited only while something is expected of the process.
  ended.catch(() => {});
  await Promise.race([once(child, 'message'), ended]);
  return {
    async attack(timeout) {
      const met = once(child, 'message', { signal: AbortSignal.timeout(timeout) });
      child.send('attack');
      const tooLong = [{ 'the attack did not end in time': 1 }];
      const [message] = await Promise.race([met.catch(() => tooLong), ended]);
      return message as Record<string, number>;
    },
    async end() {
      child.kill('SIGKILL');
      await exit;
    },
  };
}
