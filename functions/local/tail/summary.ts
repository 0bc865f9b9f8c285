/** The summary of a tail, in a few lines. */
import type { Entry, RequestEntry } from './entry.ts';
import { colourOf, milliseconds, type Paint } from './line.ts';
import { countsOf } from './sweep-counts.ts';

const slowestShown = 5;

export class Summary {
  readonly #statuses = new Map<number, number>();
  readonly #totals: number[] = [];
  #slowest: RequestEntry[] = [];
  readonly #times = { first: Number.POSITIVE_INFINITY, last: Number.NEGATIVE_INFINITY };
  readonly #sweeps = { runs: 0, failed: 0, swept: {} as Record<string, number> };
  readonly #live = { minutes: 0, sockets: 0, told: 0, missed: 0, lag: 0 };
  #crashes = 0;

  add(entry: Entry): void {
    switch (entry.is) {
      case 'request':
        this.#addRequest(entry);
        break;
      case 'sweep':
        this.#sweeps.runs += 1;
        this.#sweeps.failed += entry.code === undefined ? 0 : 1;
        for (const [logged, count] of Object.entries(entry.swept)) {
          this.#sweeps.swept[logged] = (this.#sweeps.swept[logged] ?? 0) + count;
        }
        break;
      case 'live': {
        const { minutes, sockets, told, missed, lag } = this.#live;
        Object.assign(this.#live, {
          minutes: minutes + 1,
          sockets: Math.max(sockets, entry.sockets),
          told: told + entry.told,
          missed: missed + entry.missed,
          lag: Math.max(lag, entry.lag),
        });
        break;
      }
      case 'crash':
        this.#crashes += 1;
        break;
      case 'text':
        break;
    }
  }

  #addRequest(entry: RequestEntry): void {
    const { time, status, total } = entry;
    const statusClass = Math.floor(status / 100);
    this.#statuses.set(statusClass, (this.#statuses.get(statusClass) ?? 0) + 1);
    if (time !== undefined) {
      this.#times.first = Math.min(this.#times.first, time);
      this.#times.last = Math.max(this.#times.last, time);
    }
    if (total !== undefined) {
      this.#totals.push(total);
      const slowest = [...this.#slowest, entry].sort((a, b) => (b.total ?? 0) - (a.total ?? 0));
      this.#slowest = slowest.slice(0, slowestShown);
    }
  }

  lines(paint: Paint): string[] {
    const { runs, failed, swept } = this.#sweeps;
    const { minutes, sockets, told, missed, lag } = this.#live;
    return [
      ...this.#requestLines(paint),
      ...(runs > 0 ? [`sweeps      ${runs}, ${failed} failed; ${countsOf(swept)}`] : []),
      ...(minutes > 0
        ? [
            `live        ${sockets} sockets at most, ${told} changes told, ${missed} missed, lag at most ${lag} ms`,
          ]
        : []),
      ...(this.#crashes > 0 ? [paint('red', `crashes     ${this.#crashes}`)] : []),
    ];
  }

  #requestLines(paint: Paint): string[] {
    const statuses = [...this.#statuses].sort(([a], [b]) => a - b);
    const requests = statuses.reduce((sum, [, count]) => sum + count, 0);
    if (requests === 0) {
      return ['requests    none'];
    }
    const seconds = (this.#times.last - this.#times.first) / 1000;
    const rate =
      seconds > 0 ? ` in ${seconds.toFixed(1)} s, ${(requests / seconds).toFixed(1)} a second` : '';
    const rates = statuses.map(([statusClass, count]) =>
      paint(
        colourOf(statusClass * 100),
        `${statusClass || '?'}xx ${count} (${((100 * count) / requests).toFixed(1)} %)`,
      ),
    );
    const sorted = this.#totals.toSorted((a, b) => a - b);
    const percentiles = [50, 95, 99].map(
      percent => `p${percent} ${milliseconds(percentile(sorted, percent))}`,
    );
    return [
      `requests    ${requests}${rate}`,
      `statuses    ${rates.join('   ')}`,
      ...(sorted.length > 0 ? [`total ms    ${percentiles.join('   ')}`] : []),
      ...this.#slowest.map(({ total, method, target, status, id = '' }, index) =>
        `${(index === 0 ? 'slowest' : '').padEnd(12)}${milliseconds(total).padStart(8)} ms  ${method} ${target} ${status}  ${id}`.trimEnd(),
      ),
    ];
  }
}

/** The smallest value that at least `percent` of the sorted values do not exceed. */
const percentile = (sorted: number[], percent: number): number | undefined =>
  sorted[Math.ceil((percent / 100) * sorted.length) - 1];
