import { describe, expect, it } from 'vitest';
import { expectUnharmed, measureAndPrint } from './describe-attacks.ts';
import { isFullSize, size } from './under-attack.ts';

/** workerd takes 80 KB for each socket, and keeps them for the next ones. */
const ofSockets = { grownMegabytes: 0, keptMegabytes: 0 };

const timeout = 300_000;

describe('nobody else notices, and nobody is refused,', { timeout }, () => {
  it('when a thousand users come at once', async () => {
    const figures = await measureAndPrint('1,000 joins at once');
    expect(figures.met).toMatchObject({ accepted: size(300, 1000) });
    expectUnharmed({ ...figures, ...ofSockets });
  });

  it.each<[name: string, seconds: number]>([
    ['an office of 300 pages that reconnects at once', 5],
    ['an office of 1,000 pages that reconnects at once', 15],
  ])('by %s: all are back and are sent what is written then', async (name, seconds) => {
    const figures = await measureAndPrint(name);
    expect(figures.met).toMatchObject({ 'not back': 0, 'not informed': 0 });
    if (isFullSize) {
      expect(figures.met['slowest']).toBeLessThan(seconds * 1000);
    }
    expectUnharmed({ ...figures, ...ofSockets });
  });

  it('while thousands listen', async () => {
    const count = size(500, 4900);
    const figures = await measureAndPrint('4,900 sockets with a channel each', { measuresHeld: true });
    expect(figures.met).toMatchObject({ held: count });
    expect(figures.heldMegabytes).toBeLessThan(count / 100);
    expectUnharmed({ ...figures, ...ofSockets });
  });
});
