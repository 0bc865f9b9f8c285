/** The results beside PostgREST's as one SVG: a row for each job, and three columns of bars. Lengths are pixels. */
import type { Results } from './bench.ts';
import { customers } from './jobs.ts';
import type { Measured, Spread } from './rounds.ts';

const colours: Record<string, string> = { ours: '#0f766e', PostgREST: '#b45309' };
const quiet = '#475569';
const [margin, forNames, columnWidth, forLabels] = [14, 165, 235, 95];
const [barHeight, rowHeight, head] = [14, 37, 96];
const width = 2 * margin + forNames + 3 * columnWidth;

interface Column {
  title: string;
  legend: string;
  /** What is drawn of a job, by server: the bar's length and its label. */
  bars(job: string): Record<string, [length: number, label: string]>;
}

/** A column of a part of the results; without that part it is empty. */
function column<Figure extends string>(
  title: string,
  legend: string,
  results: (Measured<Figure> & { job: string })[],
  barOf: (figures: Record<Figure, Spread>) => [number, string],
): Column {
  const bars = (job: string) => {
    const servers = results.find(result => result.job === job)?.servers ?? {};
    return Object.fromEntries(Object.entries(servers).map(([server, figures]) => [server, barOf(figures)]));
  };
  return { title, legend, bars };
}

export function drawChart({ about, throughput: all = [], distribution = [] }: Results): string {
  const throughput = all.filter(result => result.customers === customers && 'PostgREST' in result.servers);
  const jobs = throughput.map(({ job }) => job);
  const columns = [
    column(
      'Requests a second',
      `${customers} customers; more is better`,
      throughput,
      ({ throughput: { median } }) => [median, Math.round(median).toLocaleString('en')],
    ),
    column('Milliseconds: p99 (p50)', 'at a constant rate; less is better', distribution, ({ p50, p99 }) => [
      p99.median,
      `${p99.median.toFixed(1)} (${p50.median.toFixed(1)})`,
    ]),
    column('µs of CPU: server + Postgres', 'of a request; less is better', throughput, figures => [
      figures.cpu.median,
      `${figures.serverCpu.median.toFixed(0)} + ${figures.postgresCpu.median.toFixed(0)}`,
    ]),
  ];
  const height = head + jobs.length * rowHeight + margin;
  const { machine = '', files = '', versions = {}, date = '', rounds = 0, seconds = 0 } = about ?? {};
  const programs = Object.entries(versions).map(([program, version]) => `${program} ${version}`);
  const lines = [
    text(margin, 28, `npm start beside PostgREST: medians of ${rounds} rounds of ${seconds} s`, {
      size: 16,
      bold: true,
    }),
    text(margin, 46, [machine, ...programs, `Postgres’s files on ${files}`, date].join(', '), {
      size: 11,
      fill: quiet,
    }),
    ...Object.entries(colours).map(([server, fill], index) =>
      text(margin, 72 + index * 15, `■ ${server}`, { fill, bold: true }),
    ),
    ...jobs.map((job, row) => drawName(job, head + row * rowHeight)),
    ...columns.map((one, index) => drawColumn(one, jobs, margin + forNames + index * columnWidth)),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" role="img">
<title>Beside PostgREST: throughput, latency and CPU, as test/bench/results.json has them</title>
<rect width="100%" height="100%" fill="#ffffff"/>
${lines.join('\n')}
</svg>
`;
}

/** What it is, and below it what of it. */
function drawName(job: string, y: number): string {
  const [what = '', ...which] = job.split(', ');
  return [
    text(margin, y + 10, what, { bold: true }),
    text(margin, y + 10 + barHeight, which.join(', '), { size: 11, fill: quiet }),
  ].join('\n');
}

function drawColumn({ title, legend, bars }: Column, jobs: string[], x: number): string {
  const rows = jobs.map(bars);
  const longest = Math.max(...rows.flatMap(Object.values).map(([length]) => length));
  const scale = (columnWidth - forLabels) / longest;
  const drawn = rows.flatMap((row, index) =>
    Object.entries(row).map(([server, [value, label]], bar) => {
      const y = head + index * rowHeight + bar * barHeight;
      const length = Math.max(1, Math.round(value * scale));
      return `<rect x="${x}" y="${y}" width="${length}" height="${barHeight - 3}" fill="${colours[server]}"/>
${text(x + length + 5, y + 10, label, { size: 11 })}`;
    }),
  );
  return [text(x, 70, title, { bold: true }), text(x, 84, legend, { size: 11, fill: quiet }), ...drawn].join(
    '\n',
  );
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
