/** Ours beside PostgREST, a row for each job: throughput, latency and CPU. What is behind PostgREST is marked. */
import { tellAbout } from '../about.ts';
import type { Results } from '../bench.ts';
import { tellBehind } from '../goals.ts';
import { busyLine } from '../other-programs.ts';
import type { Area } from './bars.ts';
import { type Column, columnsOf } from './columns.ts';
import { colours, type Drawing, rect, text, wrap } from './svg.ts';

const forNames = 150;
const forLabels = 108;
const barHeight = 14;
const rowHeight = 2 * barHeight + 9;
const charactersOfLine = 140;

export function drawComparison(results: Results, { x, y: top, width }: Area): Drawing {
  const lines = [text(x, top + 16, titleOf(results), { size: 16, bold: true })];
  let y = top + 36;
  for (const line of captionOf(results)) {
    lines.push(text(x, y, line, { size: 11, fill: colours.quiet }));
    y += 15;
  }
  lines.push(...legend(x, y));
  y += 36;
  const columns = columnsOf(results);
  const columnWidth = (width - forNames) / columns.length;
  const leftOf = (column: number) => x + forNames + column * columnWidth;
  for (const [index, column] of columns.entries()) {
    lines.push(
      text(leftOf(index), y, column.title, { bold: true }),
      text(leftOf(index), y + 14, column.legend, { size: 11, fill: colours.quiet }),
    );
  }
  y += 24;
  for (const job of jobsOf(results)) {
    lines.push(...nameOf(job, x, y));
    for (const [index, column] of columns.entries()) {
      lines.push(...barsOf(column, job, { x: leftOf(index), y, width: columnWidth }));
    }
    y += rowHeight;
  }
  for (const line of wrap(tellBehind(results), charactersOfLine)) {
    lines.push(text(x, y + 8, line, { size: 11 }));
    y += 15;
  }
  return { svg: lines.join('\n'), height: y - top };
}

const titleOf = ({ about = {} }: Results): string =>
  `npm start beside PostgREST ${about.throughput?.versions['PostgREST'] ?? ''}`.trim();

function captionOf({ about = {}, growth = [] }: Results): string[] {
  const parts = [about.throughput, about.distribution].filter(part => part !== undefined);
  const machines = parts.map(({ machine }) => machine);
  const elsewhere = growth.find(({ machine }) => !machines.includes(machine))?.machine;
  const lines = [
    ...new Set(parts.map(tellAbout)),
    busyLine(parts.map(({ others }) => others)),
    ...(elsewhere ? [`The growth of the table was measured on ${elsewhere}.`] : []),
  ];
  return lines.flatMap(line => wrap(line, charactersOfLine));
}

const legend = (x: number, y: number): string[] => [
  rect(x, y, 10, 10, colours.ours),
  text(x + 15, y + 9, 'ours'),
  rect(x + 60, y, 10, 10, colours.PostgREST),
  text(x + 75, y + 9, 'PostgREST'),
  text(x + 155, y + 9, [{ text: 'ours, behind PostgREST', behind: true }]),
];

const jobsOf = ({ throughput = [], distribution = [] }: Results): string[] => [
  ...new Set([...throughput, ...distribution].map(({ job }) => job)),
];

/** What it is, and below it what of it. */
function nameOf(job: string, x: number, y: number): string[] {
  const [what = '', ...which] = job.split(', ');
  return [
    text(x, y + 10, what, { bold: true }),
    text(x, y + 10 + barHeight, which.join(', '), { size: 11, fill: colours.quiet }),
  ];
}

function barsOf({ cells }: Column, job: string, { x, y, width }: Area): string[] {
  const largest = Math.max(...cells.map(({ parts: [dark, light] }) => dark + light));
  const scale = (width - forLabels) / largest;
  return cells
    .filter(cell => cell.job === job)
    .flatMap(({ server, parts, label }, index) => {
      const [dark, light] = [Math.max(1, parts[0] * scale), parts[1] * scale];
      const isOurs = server === 'ours';
      const at = y + index * barHeight;
      return [
        rect(x, at, dark, barHeight - 3, isOurs ? colours.ours : colours.PostgREST),
        rect(x + dark, at, light, barHeight - 3, isOurs ? colours.oursLight : colours.PostgRESTLight),
        text(x + dark + light + 5, at + 10, label, { size: 11 }),
      ];
    });
}
