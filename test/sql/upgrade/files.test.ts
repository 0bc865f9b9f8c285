/** Migrations of the last release are frozen, and a version with other SQL has another release number. */
import { describe, expect, it } from 'vitest';
import { lastRelease, releaseOfFiles } from './release.ts';

const [last, now] = [lastRelease(), releaseOfFiles()];

describe('sql/', () => {
  it('has the migrations of the last release as they were: a change of one is a new migration', () => {
    expect(now.migrations).toMatchObject(last.migrations);
  });

  it('has a higher release number in sql/applied.ts once anything in it differs from the last release', () => {
    const differs = JSON.stringify({ ...now, number: last.number }) !== JSON.stringify(last);
    expect(now.number).toBe(differs ? last.number + 1 : last.number);
  });
});
