/** The results as one SVG: beside PostgREST; the time over a slow link, as the table grows, and of live updates. */
import type { Results } from '../bench.ts';
import { drawBars, type Panel } from './bars.ts';
import { drawComparison } from './comparison.ts';
import { colours, type Drawing } from './svg.ts';

const width = 900;
const margin = 14;

export function drawChart(results: Results): string {
  const comparison = drawComparison(results, { x: margin, y: margin, width: width - 2 * margin });
  const panels = [linkPanel, growthPanel, feedPanel, delayPanel]
    .map(panelOf => panelOf(results))
    .filter(({ groups }) => groups.length > 0);
  const drawings = [comparison];
  let y = comparison.height + 2 * margin;
  for (let index = 0; index < panels.length; index += 2) {
    const row = panels
      .slice(index, index + 2)
      .map((panel, column) =>
        drawBars(panel, { x: margin + (column * width) / 2, y, width: width / 2 - 2 * margin }),
      );
    drawings.push(...row);
    y += Math.max(...row.map(({ height }) => height)) + margin;
  }
  return page(drawings, y);
}

function page(drawings: Drawing[], height: number): string {
  const size = `width="${width}" height="${Math.ceil(height)}" viewBox="0 0 ${width} ${Math.ceil(height)}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="system-ui, sans-serif" role="img">
<title>Beside PostgREST: throughput, latency and CPU, as test/bench/results.json has them</title>
<rect width="100%" height="100%" fill="#ffffff"/>
${drawings.map(({ svg }) => svg).join('\n')}
</svg>
`;
}

function linkPanel({ latency = [] }: Results): Panel {
  return {
    title: 'A request, by the round trip to Postgres',
    groups: latency.flatMap(({ link, read, write }) =>
      (
        [
          ['a page', read],
          ['an insert', write],
        ] as const
      ).map(([what, times]) => ({
        name: `${what}, ${link} ms`,
        bars: Object.entries(times).map(([name, value]) => ({
          colour: name === 'ours' ? colours.ours : colours.PostgREST,
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
    title: 'The database, as the table grows',
    groups: works.map(work => ({
      name: work,
      bars: growth.map(({ quotes, times }) => ({
        colour: colours.ours,
        value: times[work] ?? 0,
        label: `${(times[work] ?? 0).toFixed(2)} ms of ${quotes.toLocaleString('en')} quotes`,
      })),
    })),
  };
}

function feedPanel({ live }: Results): Panel {
  return {
    title: 'A write, without live updates and with',
    groups: (live?.writes ?? []).map(({ write, without, feed }) => ({
      name: write,
      bars: [
        { colour: colours.quiet, value: without, label: `${without.toFixed(0)} µs of CPU` },
        { colour: colours.ours, value: without + feed, label: `${(without + feed).toFixed(0)} µs` },
      ],
    })),
  };
}

function delayPanel({ live }: Results): Panel {
  const { sockets = 0, writesPerSecond = 0, ...times } = live?.delay ?? {};
  return {
    title: `Told after a write: ${writesPerSecond} a second, ${sockets} sockets`,
    groups: Object.entries(times).map(([name, value]) => ({
      name,
      bars: [{ colour: colours.ours, value, label: `${value.toFixed(0)} ms` }],
    })),
  };
}
