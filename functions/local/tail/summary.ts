/** Requests → how many there were, how they ended, and how long they took, in a few lines. */
import type { Entry } from './entry.ts';
import { lineOf } from './line.ts';

const slowestShown = 5;

export function summarise(requests: Entry[]): string[] {
  if (requests.length === 0) {
    return ['requests    none'];
  }
  const times = requests.flatMap(({ time }) => time ?? []).sort((a, b) => a - b);
  const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000;
  const rate =
    seconds > 0 ? ` in ${seconds.toFixed(1)} s, ${(requests.length / seconds).toFixed(1)} a second` : '';
  const kinds = requests.map(({ status }) => `${String(status)[0]}xx`).sort();
  const counts = [...new Set(kinds)].map(kind => `${kind} ${kinds.filter(other => other === kind).length}`);
  const timed = requests
    .filter(({ total_ms }) => total_ms !== undefined)
    .sort((a, b) => Number(a['total_ms']) - Number(b['total_ms']));
  const percentiles = [50, 95, 99].map(percent => `p${percent} ${percentile(timed, percent)}`);
  return [
    `requests    ${requests.length}${rate}`,
    `statuses    ${counts.join('   ')}`,
    ...(timed.length > 0 ? [`total ms    ${percentiles.join('   ')}`, 'slowest'] : []),
    ...timed.slice(-slowestShown).reverse().map(lineOf),
  ];
}

/** Returns the smallest time that at least `percent` of the sorted requests do not exceed. */
const percentile = (sorted: Entry[], percent: number): unknown =>
  sorted[Math.ceil((percent / 100) * sorted.length) - 1]?.['total_ms'];

/** Attempts to deliver → how they ended, in a line; none where there were none. */
export function summariseDeliveries(deliveries: Entry[]): string[] {
  const counts = new Map<string, number>();
  for (const { delivery, outcome } of deliveries) {
    const ended = `${delivery} ${outcome}`;
    counts.set(ended, (counts.get(ended) ?? 0) + 1);
  }
  const told = [...counts].sort().map(([ended, count]) => `${ended} ${count}`);
  return told.length === 0 ? [] : [`deliveries  ${told.join('   ')}`];
}
