/** A panel of horizontal bars in groups, all of one scale. */
import { colours, type Drawing, rect, text } from './svg.ts';

export interface Panel {
  title: string;
  groups: { name: string; bars: Bar[] }[];
}

interface Bar {
  colour: string;
  value: number;
  label: string;
}

export interface Area {
  x: number;
  y: number;
  width: number;
}

const barHeight = 13;
const forNames = 118;
const forLabels = 165;

export function drawBars({ title, groups }: Panel, { x, y: top, width }: Area): Drawing {
  const largest = Math.max(...groups.flatMap(({ bars }) => bars.map(({ value }) => value)));
  const scale = (width - forNames - forLabels) / largest;
  const left = x + forNames;
  const lines = [text(x, top + 14, title, { size: 14, bold: true })];
  let y = top + 28;
  for (const { name, bars } of groups) {
    lines.push(text(left - 6, y + 10, name, { anchor: 'end', size: 11 }));
    for (const { colour, value, label } of bars) {
      const length = Math.max(1, value * scale);
      lines.push(
        rect(left, y, length, barHeight - 2, colour),
        text(left + length + 5, y + 10, label, { size: 11, fill: colours.quiet }),
      );
      y += barHeight;
    }
    y += 7;
  }
  return { svg: lines.join('\n'), height: y - top };
}
