/** Rounds in which the servers take turns, so that what the machine does besides falls on all of them. */
import { watchOthers } from './other-programs.ts';
import type { Database } from './place.ts';
import { type Spread, spreadsOf } from './spread.ts';

export interface Rounds {
  rounds: number;
  seconds: number;
}

/** One server, and how to measure it for some seconds. */
export interface Turn<Figure extends string> {
  name: string;
  measure(seconds: number): Promise<Record<Figure, number>>;
}

export interface Measured<Figure extends string> {
  /** By server. */
  servers: Record<string, Record<Figure, Spread>>;
  /** The share of the machine that other programs used, in each measurement. */
  others: number[];
}

const warmUpSeconds = 2;

/** What is measured first would pay for what is compiled, cached and connected. */
export async function warmUp(turns: Turn<string>[]): Promise<void> {
  for (const { measure } of turns) {
    await measure(warmUpSeconds);
  }
}

/** Every second round goes through the servers from last to first. */
export async function takeTurns<Figure extends string>(
  database: Database,
  turns: Turn<Figure>[],
  { rounds, seconds }: Rounds,
): Promise<Measured<Figure>> {
  const found = new Map(turns.map(({ name }) => [name, [] as Record<Figure, number>[]]));
  const others: number[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const { name, measure } of round % 2 === 0 ? turns : turns.toReversed()) {
      // What was written before is not the next one's to pay.
      await database.clean();
      const othersSoFar = await watchOthers([process.pid, database.postmaster]);
      found.get(name)?.push(await measure(seconds));
      others.push((await othersSoFar()) ?? Number.NaN);
    }
  }
  await database.clean();
  const servers = Object.fromEntries([...found].map(([name, each]) => [name, spreadsOf(each)]));
  return { servers, others: others.filter(share => !Number.isNaN(share)) };
}
