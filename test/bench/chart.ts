/** The results as one SVG: throughput, the time over a slow link, the time as the table grows. */
import type { Results } from './bench.ts';

const width = 760;
const left = 215;
const barHeight = 14;
const colours: Record<string, string> = {
  ours: '#0f766e',
  PostgREST: '#b45309',
};
interface Bar {
  name: string;
  value: number;
  label: string;
}

interface Panel {
  title: string;
  groups: { name: string; bars: Bar[] }[];
}

export function drawChart(results: Results): string {
  const panels = [throughputPanel(results), latencyPanel(results), growthPanel(results)].filter(
    ({ groups }) => groups.length > 0,
  );
  let y = 20;
  const drawn = panels.map(panel => {
    const { svg, height } = drawPanel(panel, y);
    y += height;
    return svg;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${y}" viewBox="0 0 ${width} ${y}" font-family="system-ui, sans-serif" font-size="12" role="img">
<title>Throughput, latency and growth, as test/bench/results.json has them</title>
<rect width="100%" height="100%" fill="#ffffff"/>
${drawn.join('\n')}
</svg>
`;
}

function throughputPanel({ throughput = [], machine = '' }: Results): Panel {
  return {
    title: `Requests a second, 16 connections, 100,000 quotes (${machine})`,
    groups: throughput.map(({ job, servers }) => ({
      name: job,
      // The limit stands far out; what is compared is the servers, and the limit is told.
      bars: Object.entries(servers)
        .filter(([name]) => name !== 'Postgres')
        .map(([name, { throughput: value, p99 }]) => ({
          name,
          value,
          label: `${value.toFixed(0)}/s, p99 ${p99.toFixed(0)} ms`,
        })),
    })),
  };
}

function latencyPanel({ latency = [] }: Results): Panel {
  return {
    title: 'Milliseconds of one request, by the round trip between service and Postgres',
    groups: latency.flatMap(({ link, read, write }) =>
      (
        [
          ['a page', read],
          ['an insert', write],
        ] as const
      ).map(([what, times]) => ({
        name: `${what}, ${link} ms away`,
        bars: Object.entries(times).map(([name, value]) => ({
          name,
          value,
          label: `${value.toFixed(1)} ms`,
        })),
      })),
    ),
  };
}

function growthPanel({ growth = [] }: Results): Panel {
  const works = Object.keys(growth[0]?.times ?? {});
  return {
    title: 'Milliseconds in the database as the table grows',
    groups: works.map(work => ({
      name: work,
      bars: growth.map(({ quotes, times }) => ({
        name: 'ours',
        value: times[work] ?? 0,
        label: `${(times[work] ?? 0).toFixed(2)} ms at ${quotes.toLocaleString('en')} quotes`,
      })),
    })),
  };
}

function drawPanel({ title, groups }: Panel, top: number): { svg: string; height: number } {
  const bars = groups.flatMap(group => group.bars);
  const largest = Math.max(...bars.map(({ value }) => value));
  const scale = (width - left - 190) / largest;
  const lines = [text(10, top + 12, title, 'font-weight="600" font-size="14"')];
  let y = top + 26;
  for (const [index, name] of [...new Set(bars.map(bar => bar.name))].entries()) {
    lines.push(rect(10 + index * 220, y, 10, 10, name), text(25 + index * 220, y + 9, name));
  }
  y += 22;
  for (const group of groups) {
    lines.push(text(left - 8, y + 11, group.name, 'text-anchor="end"'));
    for (const { name, value, label } of group.bars) {
      const length = Math.max(1, value * scale);
      lines.push(
        rect(left, y, length, barHeight - 3, name),
        text(left + length + 5, y + 10, label, 'fill="#475569"'),
      );
      y += barHeight;
    }
    y += 8;
  }
  return { svg: lines.join('\n'), height: y - top + 16 };
}

const rect = (x: number, y: number, w: number, h: number, name: string): string =>
  `<rect x="${x}" y="${y}" width="${w.toFixed(1)}" height="${h}" rx="2" fill="${colours[name] ?? '#64748b'}"/>`;

const text = (x: number, y: number, content: string, attributes = ''): string =>
  `<text x="${x.toFixed(1)}" y="${y}" ${attributes}>${content.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</text>`;
