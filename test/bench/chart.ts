/** The results as one SVG: a panel for each figure, with a bar for each server and job. Sizes are in pixels. */
import type { Results } from './bench.ts';
import { customers } from './jobs.ts';
import type { JobResult } from './throughput.ts';

const colours: Record<string, string> = {
  ours: '#0f766e',
  pg: '#b45309',
  'postgres.js': '#7c3aed',
  PostgREST: '#b45309',
};
const width = 900;
const margin = 14;
const forNames = 240;
const forLabels = 190;
const barHeight = 14;
const head = 34;

/** What is drawn of a job, by server: the bar's length and its label. */
type Bars = Record<string, [length: number, label: string]>;
type Panel = [title: string, rows: [job: string, bars: Bars][]];

export function drawChart({ about, deployed, machine = [] }: Results): string {
  const { latency = [], throughput = [] } = deployed ?? {};
  const latencies = latency.map(({ job, servers }): [string, Bars] => [
    job,
    mapValues(servers, time => [time, time.toFixed(0)]),
  ]);
  const link = latency[0]?.link ?? 0;
  const panels: Panel[] = [
    [`The deployment, Postgres ${link} ms away: milliseconds of one request; less is better`, latencies],
    ...underLoad('The deployment', throughput),
    ...underLoad(
      'One machine',
      machine.filter(({ servers }) => 'PostgREST' in servers),
    ),
  ];
  const programs = Object.entries(about?.versions ?? {}).map(pair => pair.join(' '));
  const measured = [`medians of ${about?.rounds} rounds of ${about?.seconds} s`, about?.machine, ...programs];
  const lines = [text(margin, 22, [...measured, `files on ${about?.files}`, about?.date].join(', '))];
  let y = 30;
  for (const [title, rows] of panels.filter(([, rows]) => rows.length > 0)) {
    lines.push(text(margin, y + 20, title, 'font-size="14" font-weight="600"'));
    y += head;
    const longest = Math.max(...rows.flatMap(([, bars]) => Object.values(bars).map(([length]) => length)));
    for (const [job, bars] of rows) {
      lines.push(text(margin, y + 10, job));
      for (const [server, [length, label]] of Object.entries(bars)) {
        const drawn = Math.max(1, Math.round((length / longest) * (width - forNames - forLabels)));
        lines.push(
          `<rect x="${forNames}" y="${y}" width="${drawn}" height="${barHeight - 3}" fill="${colours[server]}"/>`,
          text(forNames + drawn + 5, y + 10, `${server} ${label}`),
        );
        y += barHeight;
      }
      y += 9;
    }
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${y}" viewBox="0 0 ${width} ${y}" font-family="system-ui, sans-serif" font-size="11" fill="#0f172a" role="img">
<title>Latency, CPU and throughput, as test/bench/results.json has them</title>
<rect width="100%" height="100%" fill="#ffffff"/>
${lines.join('\n')}
</svg>
`;
}

const underLoad = (where: string, results: JobResult[]): Panel[] => [
  [
    `${where}: µs of CPU of a request, of the server + of Postgres; less is better`,
    results.map(({ job, servers }) => [
      job,
      mapValues(servers, ({ cpu, serverCpu, postgresCpu }) => [
        cpu.median,
        `${serverCpu.median.toFixed(0)} + ${postgresCpu.median.toFixed(0)}`,
      ]),
    ]),
  ],
  [
    `${where}: requests a second of ${customers} customers (p99 in ms); more is better`,
    results.map(({ job, servers }) => [
      job,
      mapValues(servers, ({ throughput, p99 }) => [
        throughput.median,
        `${Math.round(throughput.median).toLocaleString('en')} (${p99.median.toFixed(0)})`,
      ]),
    ]),
  ],
];

const mapValues = <Value>(values: Record<string, Value>, barOf: (value: Value) => Bars[string]): Bars =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, barOf(value)]));

const text = (x: number, y: number, content: string, style = ''): string =>
  `<text x="${x}" y="${y}"${style && ` ${style}`}>${content}</text>`;
