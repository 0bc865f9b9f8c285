/** The results as one SVG: the deployment first, then one machine; a row for each job, and columns of bars in pixels. */
import type { Results } from './bench.ts';
import { customers } from './jobs.ts';
import type { JobResult } from './throughput.ts';

const colours: Record<string, string> = {
  ours: '#0f766e',
  pg: '#b45309',
  'postgres.js': '#7c3aed',
  PostgREST: '#b45309',
};
const [margin, forNames, columnWidth, forLabels] = [14, 165, 235, 95];
const [barHeight, head] = [14, 60];
const width = 2 * margin + forNames + 3 * columnWidth;

/** What is drawn of a job, by server: the bar's length and its label. */
type Bars = Record<string, [length: number, label: string]>;
type Column = [title: string, legend: string, rows: Bars[]];

interface Section {
  title: string;
  servers: string[];
  jobs: string[];
  columns: Column[];
}

export function drawChart({ about, deployed, machine = [] }: Results): string {
  const { latency = [], throughput = [] } = deployed ?? {};
  const compared = machine.filter(({ servers }) => 'PostgREST' in servers);
  const times = throughput.map(({ job }) =>
    mapValues(latency.find(result => result.job === job)?.servers ?? {}, time => [time, time.toFixed(0)]),
  );
  const distance = `Postgres ${latency[0]?.link ?? 0} ms away; less is better`;
  const sections: Section[] = [
    {
      title: 'The deployment, over Hyperdrive’s stand-in PgBouncer, beside Hono with pg and with postgres.js',
      servers: ['ours', 'pg', 'postgres.js'],
      jobs: throughput.map(({ job }) => job),
      columns: [['Milliseconds of one request', distance, times], ...underLoad(throughput)],
    },
    {
      title: 'One machine: npm start beside PostgREST',
      servers: ['ours', 'PostgREST'],
      jobs: compared.map(({ job }) => job),
      columns: underLoad(compared),
    },
  ];
  const programs = Object.entries(about?.versions ?? {}).map(pair => pair.join(' '));
  const measured = [
    `medians of ${about?.rounds} rounds of ${about?.seconds} s; ${about?.machine}`,
    ...programs,
    `files on ${about?.files}`,
    about?.date,
  ];
  const lines = [text(margin, 22, measured.join(', '), 'font-size="11"')];
  let y = 40;
  for (const section of sections.filter(({ jobs }) => jobs.length > 0)) {
    lines.push(...drawSection(section, y));
    y += head + section.jobs.length * rowHeight(section) + margin;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${y}" viewBox="0 0 ${width} ${y}" font-family="system-ui, sans-serif" font-size="12" fill="#0f172a" role="img">
<title>Latency, CPU and throughput, as test/bench/results.json has them</title>
<rect width="100%" height="100%" fill="#ffffff"/>
${lines.join('\n')}
</svg>
`;
}

const underLoad = (results: JobResult[]): Column[] => [
  [
    'µs of CPU: server + Postgres',
    'of a request; less is better',
    results.map(({ servers }) =>
      mapValues(servers, ({ cpu, serverCpu, postgresCpu }) => [
        cpu.median,
        `${serverCpu.median.toFixed(0)} + ${postgresCpu.median.toFixed(0)}`,
      ]),
    ),
  ],
  [
    'Requests a second (p99, ms)',
    `${customers} customers; more is better`,
    results.map(({ servers }) =>
      mapValues(servers, ({ throughput, p99 }) => [
        throughput.median,
        `${Math.round(throughput.median).toLocaleString('en')} (${p99.median.toFixed(0)})`,
      ]),
    ),
  ],
];

const mapValues = <Value>(values: Record<string, Value>, barOf: (value: Value) => Bars[string]): Bars =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, barOf(value)]));

const rowHeight = ({ servers }: Section): number => servers.length * barHeight + 9;

function drawSection(section: Section, y: number): string[] {
  const { title, servers, jobs, columns } = section;
  const topOf = (row: number) => y + head + row * rowHeight(section);
  return [
    text(margin, y + 8, title, 'font-size="15" font-weight="600"'),
    ...servers.map((server, index) =>
      text(margin + index * 45, y + 44, `■ ${server}`, `font-size="11" style="fill: ${colours[server]}"`),
    ),
    ...jobs.flatMap((job, row) => {
      const [what = '', ...which] = job.split(', ');
      return [
        text(margin, topOf(row) + 10, what, 'font-weight="600"'),
        text(margin, topOf(row) + 10 + barHeight, which.join(', '), 'font-size="11"'),
      ];
    }),
    ...columns.flatMap((column, index) => drawColumn(column, topOf, margin + forNames + index * columnWidth)),
  ];
}

function drawColumn([title, legend, rows]: Column, topOf: (row: number) => number, x: number): string[] {
  const scale =
    (columnWidth - forLabels) / Math.max(...rows.flatMap(Object.values).map(([length]) => length));
  const drawn = rows.flatMap((bars, row) =>
    Object.entries(bars).flatMap(([server, [value, label]], bar) => {
      const top = topOf(row) + bar * barHeight;
      const length = Math.max(1, Math.round(value * scale));
      return [
        `<rect x="${x}" y="${top}" width="${length}" height="${barHeight - 3}" fill="${colours[server]}"/>`,
        text(x + length + 5, top + 10, label, 'font-size="11"'),
      ];
    }),
  );
  const above = topOf(0) - head;
  return [
    text(x, above + 32, title, 'font-weight="600"'),
    text(x, above + 46, legend, 'font-size="11"'),
    ...drawn,
  ];
}

const text = (x: number, y: number, content: string, style: string): string =>
  `<text x="${x}" y="${y}" ${style}>${content}</text>`;
