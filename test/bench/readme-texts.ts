/** The results in words, and as a table. */
import { tellAbout } from './about.ts';
import type { Results } from './bench.ts';
import { wrap } from './chart/svg.ts';
import { tellBehind } from './goals.ts';
import { shortNameOf } from './jobs.ts';
import { busyLine, isTooBusy } from './other-programs.ts';
import { type Spread, tell } from './spread.ts';

const charactersOfLine = 121;

/** The first README is to be short. */
const linesOfSummary = 3;

/** Three lines, and the chart. No figures that the machine was too busy for. */
export function summaryOf(results: Results): string {
  const others = results.about?.throughput ? [results.about.throughput.others] : [];
  const roundTrips = `A request costs one round trip to the database, PostgREST's four${farthestLink(results)}.`;
  const compared = (behind: string) =>
    isTooBusy(others) ? busyLine(others) : `${throughputOf(results)} ${behind}`;
  const texts = [tellBehind(results), 'The chart shows where it is behind.'].map(behind =>
    paragraph(`${roundTrips} ${compared(behind)}`),
  );
  const text = texts.find(lines => lines.split('\n').length <= linesOfSummary) ?? texts.at(-1);
  return `${text}\n![Throughput, latency and CPU beside PostgREST](test/bench/chart.svg)`;
}

function farthestLink({ latency = [] }: Results): string {
  const { read = {}, link } = latency.at(-1) ?? {};
  const { ours, PostgREST: theirs } = read;
  return ours === undefined || theirs === undefined
    ? ''
    : `: ${ours.toFixed(0)} ms against ${theirs.toFixed(0)} over a ${link} ms link`;
}

function throughputOf({ throughput = [], about = {} }: Results): string {
  const ratios = throughput.flatMap(({ job, ratios }) =>
    ratios ? [`${shortNameOf(job)} ${ratios.throughput.median.toFixed(1)} ×`] : [],
  );
  const version = about.throughput?.versions['PostgREST'] ?? '';
  const machine = 'On one machine ([others](test/README.md#other-machines) differ)';
  return `${machine}, of PostgREST ${version}'s throughput: ${ratios.join(', ')}.`;
}

const paragraph = (text: string): string => wrap(text, charactersOfLine).join('\n');

/** A row for each job, and below it where ours is behind. */
export function tableOf(results: Results): string {
  const { throughput = [], distribution = [], about = {} } = results;
  const rows = throughput.map(({ job, servers, ratios }) => {
    const atRate = distribution.find(result => result.job === job);
    return [
      job,
      pair(servers, 'throughput', 0),
      ratios ? tell(ratios.throughput, 2) : '',
      pair(servers, 'cpu', 0),
      atRate?.rate ?? '',
      pair(atRate?.servers, 'p50', 1),
      pair(atRate?.servers, 'p99', 1),
      both(server => atRate?.all[server]?.p999.toFixed(1)),
    ];
  });
  const header = ['', 'requests/s', 'ratio', 'µs of CPU', 'at a rate of', 'p50, ms', 'p99, ms', 'p99.9, ms'];
  const parts = [about.throughput, about.distribution].filter(part => part !== undefined);
  return [
    paragraph(
      `${busyLine(parts.map(({ others }) => others))} Ours / PostgREST: ${[...new Set(parts.map(tellAbout))].join(' ')} ` +
        'The ratio is of the same round, with the lowest and the highest; CPU is the server and Postgres.',
    ),
    [header, header.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n'),
    paragraph(tellBehind(results)),
  ].join('\n\n');
}

const pair = <Figure extends string>(
  servers: Record<string, Record<Figure, Spread>> | undefined,
  figure: Figure,
  digits: number,
): string => both(server => servers?.[server]?.[figure].median.toFixed(digits));

const both = (of: (server: string) => string | undefined): string =>
  ['ours', 'PostgREST'].flatMap(server => of(server) ?? []).join(' / ');
