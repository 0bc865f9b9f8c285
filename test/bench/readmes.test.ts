/** The figures in the README files are those of results.json. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readmes } from '../setup/readmes.ts';
import { drawChart } from './chart/chart.ts';
import { readSection, replaceSection, sections } from './readmes.ts';
import { insertResults } from './results-of-an-insert.ts';

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const results = JSON.parse(read('./results.json'));

describe.each(Object.entries(sections))('%s', (path, { heading, write }) => {
  const text = readmes.find(readme => readme.path === path)?.text ?? '';

  it(`says under "${heading}" what results.json has: npm run bench writes both`, () => {
    expect(readSection(text, heading)).toBe(write(results));
  });

  it('loses nothing but that section when it is written again', () => {
    const written = replaceSection(text, heading, write(insertResults));
    expect(readSection(written, heading)).toBe(write(insertResults));
    expect(replaceSection(written, heading, write(results))).toBe(text);
  });
});

describe('chart.svg', () => {
  it('shows what results.json has', () => {
    expect(read('./chart.svg')).toBe(drawChart(results));
  });
});
