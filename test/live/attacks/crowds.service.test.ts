/**
 * An office is no attacker: nobody else notices, and all of its pages are back soon.
 *
 * @module-tag full
 */
import { describe, expect, it } from 'vitest';
import { crowds } from './crowds.ts';
import { expectUnharmed } from './measure.ts';
import { isFullSize } from './target.ts';

describe('all are back and are sent what is written then, and nobody else notices', {
  timeout: 300_000,
}, () => {
  it.each<[name: string, seconds: number]>([
    ['an office of 300 pages that reconnects at once', 5],
    ['an office of 1,000 pages that reconnects at once', 15],
  ])('%s', async (name, seconds) => {
    const met = await expectUnharmed(name, crowds[name]);
    expect(met).toMatchObject({ 'not back': 0, 'not informed': 0 });
    if (isFullSize) {
      expect(met['slowest']).toBeLessThan(seconds * 1000);
    }
  });
});
