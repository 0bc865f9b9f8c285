import { describe, expect, it } from 'vitest';
import { drawChart } from './chart/chart.ts';
import { insertResults } from './results-of-an-insert.ts';

const textsOf = (svg: string): string[] =>
  [...svg.matchAll(/<text [^>]*>(.*?)<\/text>/g)].map(([, text = '']) => text.replace(/<[^>]+>/g, ''));

describe('The chart', () => {
  const chart = drawChart(insertResults);

  it('shows throughput, p50 and p99, and CPU of both servers', () => {
    const texts = textsOf(chart);
    for (const label of ['1,800 (1.50 ×)', '1,200', '2.0, 30.0', '3.0, 20.0', '500 + 400']) {
      expect(texts).toContain(label);
    }
  });

  it('says in its caption what was measured, where and when, and whether the machine was quiet', () => {
    expect(textsOf(chart)).toContain('npm start beside PostgREST 12.0.2');
    expect(textsOf(chart)).toContain(
      '2 cores, A CPU; workerd 1.2.3, PostgREST 12.0.2; 2026-01-31; medians of 1 rounds of 4 s.',
    );
    expect(textsOf(chart)).toContain('The machine was quiet: other programs used 3 % of it at most.');
  });

  it('says so when the growth of the table was measured on another machine', () => {
    const grownOn = (machine: string) =>
      textsOf(drawChart({ ...insertResults, growth: [{ quotes: 10_000, machine, times: { 'a row': 1 } }] }));
    expect(grownOn('4 cores, B CPU')).toContain('The growth of the table was measured on 4 cores, B CPU.');
    expect(grownOn('2 cores, A CPU').join()).not.toContain('was measured on');
  });

  it('marks the figures in which ours is behind, and names them below', () => {
    expect(chart).toMatch(/<tspan fill="#b91c1c"[^>]*>30\.0<\/tspan>/);
    expect(chart).not.toMatch(/<tspan fill="#b91c1c"[^>]*>2\.0<\/tspan>/);
    expect(textsOf(chart)).toContain('Behind PostgREST: an insert (p99 1.50 ×).');
  });

  it('leaves out what Postgres alone can do', () => {
    expect(textsOf(chart)).not.toContain('2,900');
  });

  it('is an empty page when nothing was measured', () => {
    expect(drawChart({})).not.toMatch(/NaN|Infinity|undefined/);
  });

  it('has no length that is not a number when PostgREST was not there', () => {
    const alone = insertResults.throughput?.map(({ ratios: _, servers, ...result }) => ({
      ...result,
      servers: servers['ours'] ? { ours: servers['ours'] } : {},
    }));
    expect(drawChart({ throughput: alone ?? [] })).not.toMatch(/NaN|Infinity|undefined/);
  });
});
