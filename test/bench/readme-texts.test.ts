import { describe, expect, it } from 'vitest';
import type { Results } from './bench.ts';
import { jobs } from './jobs.ts';
import { summariseOthers } from './other-programs.ts';
import { summaryOf, tableOf } from './readme-texts.ts';
import { insertResults } from './results-of-an-insert.ts';

/** As if every job had done as the insert did. */
const ofAllJobs: Results = {
  ...insertResults,
  latency: [{ link: 40, read: { ours: 44.7, PostgREST: 167.6 }, write: {} }],
  throughput: jobs.flatMap(
    ({ name }) => insertResults.throughput?.map(result => ({ ...result, job: name })) ?? [],
  ),
};

describe('The summary', () => {
  it('says what a user would ask, and where ours is behind', () => {
    const [text = ''] = summaryOf(ofAllJobs).split('\n![');
    expect(text.replaceAll('\n', ' ')).toBe(
      "A request costs one round trip to the database, PostgREST's four: 45 ms against 168 over a 40 ms link. " +
        'On one machine ([others](test/README.md#other-machines) differ), ' +
        "of PostgREST 12.0.2's throughput: a row 1.5 ×, a whole row 1.5 ×, a page 1.5 ×, " +
        'the library 1.5 ×, a count 1.5 ×, an update 1.5 ×, an insert 1.5 ×. ' +
        'Behind PostgREST: an insert (p99 1.50 ×).',
    );
  });

  it('is three lines and the chart, also when ours is behind in everything', () => {
    const distribution = jobs.flatMap(
      ({ name }) => insertResults.distribution?.map(result => ({ ...result, job: name })) ?? [],
    );
    const summary = summaryOf({ ...ofAllJobs, distribution });
    expect(summary.split('\n')).toHaveLength(4);
    expect(summary).toContain('The chart shows where it is behind.');
  });

  it('has no figure that the machine was too busy for', () => {
    const { throughput } = insertResults.about ?? {};
    const others = summariseOthers([0.5]);
    const summary = summaryOf({
      ...ofAllJobs,
      about: throughput ? { throughput: { ...throughput, others } } : {},
    });
    expect(summary).toContain('too busy to tell');
    expect(summary).not.toContain('1.5 ×');
  });
});

describe('The table', () => {
  it('has a row for each job: ours and theirs, the ratio with its spread, the rate, and the percentiles at it', () => {
    expect(tableOf(insertResults)).toContain(
      '| an insert, with representation | 1800 / 1200 | 1.50 (1.50–1.50) | 900 / 900 | 600 ' +
        '| 2.0 / 3.0 | 30.0 / 20.0 | 40.0 / 40.0 |',
    );
  });

  it('says when, where and with what it was measured', () => {
    expect(tableOf(insertResults).replaceAll('\n', ' ')).toContain(
      '2 cores, A CPU; workerd 1.2.3, PostgREST 12.0.2; 2026-01-31;',
    );
  });
});
