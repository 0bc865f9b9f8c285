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
const quiet = '#475569';
const [margin, forNames, columnWidth, forLabels] = [14, 165, 235, 95];
const [barHeight, head] = [14, 60];
const width = 2 * margin + forNames + 3 * columnWidth;

/** What is drawn of a job, by server: the bar's length and its label. */
type Bars = Record<string, [length: number, label: string]>;

interface Column {
  title: string;
  legend: string;
  bars(job: string): Bars;
}

interface Section {
  title: string;
  servers: string[];
  jobs: string[];
  columns: Column[];
}

export function drawChart({ about, deployed, machine = [] }: Results): string {
  const { latency = [], throughput = [] } = deployed ?? {};
  const compared = machine.filter(({ servers }) => 'PostgREST' in servers);
  const sections: Section[] = [
    {
      title: 'The deployment, over Hyperdrive’s stand-in PgBouncer, beside Hono with pg and with postgres.js',
      servers: ['ours', 'pg', 'postgres.js'],
      jobs: throughput.map(({ job }) => job),
      columns: [
        {
          title: 'Milliseconds of one request',
          legend: `Postgres ${latency[0]?.link ?? 0} ms away; less is better`,
          bars: job =>
            mapValues(latency.find(result => result.job === job)?.servers, time => [time, time.toFixed(0)]),
        },
        cpuColumn(throughput),
        throughputColumn(throughput),
      ],
    },
    {
      title: 'One machine: npm start beside PostgREST',
      servers: ['ours', 'PostgREST'],
      jobs: compared.map(({ job }) => job),
      columns: [cpuColumn(compared), throughputColumn(compared)],
    },
  ];
  const {
    machine: processor = '',
    files = '',
    versions = {},
    date = '',
    rounds = 0,
    seconds = 0,
  } = about ?? {};
  const programs = Object.entries(versions).map(([program, version]) => `${program} ${version}`);
  const lines: string[] = [];
  let y = 40;
  for (const section of sections.filter(({ jobs }) => jobs.length > 0)) {
    lines.push(drawSection(section, y));
    y += heightOf(section);
  }
  const measured = `medians of ${rounds} rounds of ${seconds} s; ${processor}, ${programs.join(', ')}, files on ${files}, ${date}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${y}" viewBox="0 0 ${width} ${y}" font-family="system-ui, sans-serif" role="img">
<title>Latency, CPU and throughput, as test/bench/results.json has them</title>
<rect width="100%" height="100%" fill="#ffffff"/>
${[text(margin, 22, measured, { size: 11, fill: quiet }), ...lines].join('\n')}
</svg>
`;
}

const ofJob = (results: JobResult[], job: string) => results.find(result => result.job === job)?.servers;

const cpuColumn = (results: JobResult[]): Column => ({
  title: 'µs of CPU: server + Postgres',
  legend: 'of a request; less is better',
  bars: job =>
    mapValues(ofJob(results, job), ({ cpu, serverCpu, postgresCpu }) => [
      cpu.median,
      `${serverCpu.median.toFixed(0)} + ${postgresCpu.median.toFixed(0)}`,
    ]),
});

const throughputColumn = (results: JobResult[]): Column => ({
  title: 'Requests a second (p99, ms)',
  legend: `${customers} customers; more is better`,
  bars: job =>
    mapValues(ofJob(results, job), ({ throughput, p99 }) => [
      throughput.median,
      `${Math.round(throughput.median).toLocaleString('en')} (${p99.median.toFixed(0)})`,
    ]),
});

const mapValues = <Value>(values: Record<string, Value> = {}, barOf: (value: Value) => Bars[string]): Bars =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, barOf(value)]));

const rowHeight = ({ servers }: Section): number => servers.length * barHeight + 9;
const heightOf = (section: Section): number => head + section.jobs.length * rowHeight(section) + margin;

function drawSection(section: Section, y: number): string {
  const { title, servers, jobs, columns } = section;
  return [
    text(margin, y + 8, title, { size: 15, bold: true }),
    ...servers.map((server, index) =>
      text(margin + index * 55, y + 44, `■ ${server}`, {
        fill: colours[server] ?? quiet,
        bold: true,
        size: 11,
      }),
    ),
    ...jobs.map((job, row) => drawName(job, y + head + row * rowHeight(section))),
    ...columns.map((column, index) =>
      drawColumn(column, section, margin + forNames + index * columnWidth, y),
    ),
  ].join('\n');
}

/** What it is, and below it what of it. */
function drawName(job: string, y: number): string {
  const [what = '', ...which] = job.split(', ');
  return [
    text(margin, y + 10, what, { bold: true }),
    text(margin, y + 10 + barHeight, which.join(', '), { size: 11, fill: quiet }),
  ].join('\n');
}

function drawColumn({ title, legend, bars }: Column, section: Section, x: number, y: number): string {
  const rows = section.jobs.map(bars);
  const longest = Math.max(...rows.flatMap(Object.values).map(([length]) => length));
  const scale = (columnWidth - forLabels) / longest;
  const drawn = rows.flatMap((row, index) =>
    Object.entries(row).map(([server, [value, label]], bar) => {
      const top = y + head + index * rowHeight(section) + bar * barHeight;
      const length = Math.max(1, Math.round(value * scale));
      return `<rect x="${x}" y="${top}" width="${length}" height="${barHeight - 3}" fill="${colours[server] ?? quiet}"/>
${text(x + length + 5, top + 10, label, { size: 11 })}`;
    }),
  );
  const heading = [
    text(x, y + 32, title, { bold: true }),
    text(x, y + 46, legend, { size: 11, fill: quiet }),
  ];
  return [...heading, ...drawn].join('\n');
}

interface Style {
  fill?: string;
  size?: number;
  bold?: boolean;
}

function text(x: number, y: number, content: string, style: Style = {}): string {
  const { fill = '#0f172a', size = 12, bold } = style;
  const weight = bold ? ' font-weight="600"' : '';
  return `<text x="${x}" y="${y}" font-size="${size}" fill="${fill}"${weight}>${content}</text>`;
}
