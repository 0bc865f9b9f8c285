/** The results as one SVG: beside PostgREST; the time over a slow link, and as the table grows. */
import type { Results } from '../bench.ts';
import { drawBars, type Panel } from './bars.ts';
import { drawComparison } from './comparison.ts';
import { colours, type Drawing } from './svg.ts';

const width = 900;
const margin = 14;

export function drawChart(results: Results): string {
  const comparison = drawComparison(results, { x: margin, y: margin, width: width - 2 * margin });
  const below = comparison.height + 2 * margin;
  const panels = [linkPanel(results), growthPanel(results)]
    .filter(({ groups }) => groups.length > 0)
    .map((panel, index) =>
      drawBars(panel, { x: margin + (index * width) / 2, y: below, width: width / 2 - 2 * margin }),
    );
  const height = below + Math.max(0, ...panels.map(panel => panel.height)) + margin;
  return page([comparison, ...panels], height);
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
