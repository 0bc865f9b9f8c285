/** What we hold ourselves to beside PostgREST, and the sentences that say where we are behind it. */
import type { Results } from './bench.ts';
import { shortNameOf } from './jobs.ts';
import type { Spread } from './spread.ts';

/** Ours divided by PostgREST's. */
export type Ratios = Partial<Record<string, Spread>>;

/** In times and CPU, less is better. What differs by less than a hundredth is equal. */
export function isBehind(figure: string, ratio: number): boolean {
  const rounded = Number(ratio.toFixed(2));
  return figure === 'throughput' ? rounded < 1 : rounded > 1;
}

/** The goal is of the throughput; the slowest one in a hundred may be no slower than PostgREST's. */
export function missedGoals({ throughput, p99 }: Ratios, goal = 0): string[] {
  return [
    ...(throughput && throughput.median < goal
      ? [`GOAL MISSED: ${throughput.median.toFixed(2)} × PostgREST's throughput, not ${goal} ×`]
      : []),
    ...(p99 && isBehind('p99', p99.median)
      ? [`GOAL MISSED: p99 is ${p99.median.toFixed(2)} × PostgREST's, worse`]
      : []),
  ];
}

/** One sentence on where ours is worse than PostgREST, in the median of the rounds; nothing without PostgREST. */
export function tellBehind(results: Results): string {
  const { throughput = [], distribution = [] } = results;
  if (![...throughput, ...distribution].some(({ ratios }) => ratios)) {
    return '';
  }
  const jobs = [...behindIn(results)].map(([job, figures]) => `${shortNameOf(job)} (${figures.join(', ')})`);
  return jobs.length === 0 ? 'Nowhere behind PostgREST.' : `Behind PostgREST: ${jobs.join('; ')}.`;
}

/** By job, the figures with their ratios. Throughput and CPU are those of full load, times those at a constant rate. */
function behindIn({ throughput = [], distribution = [] }: Results): Map<string, string[]> {
  const behind = new Map<string, string[]>();
  const add = (results: { job: string; ratios?: Ratios }[], figures: Record<string, string>) => {
    for (const { job, ratios = {} } of results) {
      for (const [figure, name] of Object.entries(figures)) {
        const ratio = ratios[figure]?.median ?? Number.NaN;
        if (isBehind(figure, ratio)) {
          behind.set(job, [...(behind.get(job) ?? []), `${name} ${ratio.toFixed(2)} ×`]);
        }
      }
    }
  };
  add(throughput, { throughput: 'throughput', cpu: 'CPU' });
  add(distribution, { p50: 'p50', p99: 'p99', p999: 'p99.9' });
  return behind;
}
