/** What the comparison's columns show of each job and server. */
import type { Results } from '../bench.ts';
import { isBehind } from '../goals.ts';
import type { Spread } from '../spread.ts';
import type { Piece } from './svg.ts';

export interface Column {
  title: string;
  legend: string;
  cells: Cell[];
}

export interface Cell {
  job: string;
  server: string;
  /** A bar in two parts: the median and what p99 adds, or the server and Postgres. */
  parts: [dark: number, light: number];
  label: Piece[];
}

export function columnsOf({ throughput = [], distribution = [] }: Results): Column[] {
  return [
    {
      title: 'Requests a second',
      legend: '16 connections; more is better',
      cells: cellsOf(throughput, ({ throughput: { median } }, behind, ratio) => ({
        parts: [median, 0],
        label: [
          { text: Math.round(median).toLocaleString('en') },
          ...(ratio('throughput') === undefined
            ? []
            : [{ text: ` (${ratio('throughput')?.toFixed(2)} ×)`, behind: behind('throughput') }]),
        ],
      })),
    },
    {
      title: 'Milliseconds: p50, and p99',
      legend: 'at a constant rate; less is better',
      cells: cellsOf(distribution, ({ p50, p99 }, behind) => ({
        parts: [p50.median, p99.median - p50.median],
        label: [
          { text: p50.median.toFixed(1), behind: behind('p50') },
          { text: ', ' },
          { text: p99.median.toFixed(1), behind: behind('p99') },
        ],
      })),
    },
    {
      title: 'µs of CPU: server, and Postgres',
      legend: 'for a request; less is better',
      cells: cellsOf(throughput, ({ serverCpu, postgresCpu }, behind) => ({
        parts: [serverCpu.median, postgresCpu.median],
        label: [
          {
            text: `${serverCpu.median.toFixed(0)} + ${postgresCpu.median.toFixed(0)}`,
            behind: behind('cpu'),
          },
        ],
      })),
    },
  ];
}

interface Result<Figure extends string> {
  job: string;
  servers: Record<string, Record<Figure, Spread>>;
  ratios?: Record<Figure, Spread>;
}

/** What Postgres alone can do is left out: what is compared is the servers. */
function cellsOf<Figure extends string>(
  results: Result<Figure>[],
  cellOf: (
    figures: Record<Figure, Spread>,
    isBehind: (figure: Figure) => boolean,
    ratio: (figure: Figure) => number | undefined,
  ) => Pick<Cell, 'parts' | 'label'>,
): Cell[] {
  return results.flatMap(({ job, servers, ratios }) =>
    Object.entries(servers)
      .filter(([server]) => server !== 'Postgres')
      .map(([server, figures]) => {
        const ratio = (figure: Figure) => (server === 'ours' ? ratios?.[figure].median : undefined);
        const behind = (figure: Figure) => isBehind(figure, ratio(figure) ?? Number.NaN);
        return { job, server, ...cellOf(figures, behind, ratio) };
      }),
  );
}
