/** Many users at once are no attack: nobody else notices, and nobody is refused. */
import { describe, expect, it } from 'vitest';
import { expectUnharmed, isFullSize, measureAttack } from './measure.ts';

describe('nobody else notices, and nobody is refused,', { timeout: 300_000 }, () => {
  it.each<[name: string, seconds: number]>([
    ['an office of 300 pages that reconnects at once', 5],
    ['an office of 1,000 pages that reconnects at once', 15],
  ])('by %s: all are back and are sent what is written then', async (name, seconds) => {
    const figures = await measureAttack(name);
    expect(figures.met).toMatchObject({ 'not back': 0, 'not informed': 0 });
    if (isFullSize) {
      expect(figures.met['slowest']).toBeLessThan(seconds * 1000);
    }
    expectUnharmed(figures);
  });

  it('while thousands listen, each of whom takes 10 KB of the heap', async () => {
    const figures = await measureAttack('4,900 sockets with a channel each');
    const held = isFullSize ? 4900 : 500;
    expect(figures.met).toMatchObject({ held });
    expect(figures.heldMegabytes).toBeLessThan(held / 100);
    expectUnharmed(figures);
  });
});
