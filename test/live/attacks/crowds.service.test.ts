import { describe, expect, it } from 'vitest';
import { rounds } from '../../setup/full-size.ts';
import { expectUnharmed, measureAndPrint } from './describe-attacks.ts';

describe('nobody else notices, and nobody is refused,', { timeout: 300_000 }, () => {
  it('when a thousand users come at once', async () => {
    const figures = await measureAndPrint('1,000 joins at once');
    expect(figures.met).toMatchObject({ accepted: rounds(300, 1000) });
    expectUnharmed(figures);
  });

  it('when three hundred are cut off and come back, who are told what they missed', async () => {
    const figures = await measureAndPrint('300 clients that are cut at once');
    expect(figures.met).toMatchObject({ 'not told': 0 });
    expectUnharmed(figures);
  });

  it('while thousands listen', async () => {
    const count = rounds(500, 4900);
    const figures = await measureAndPrint('4,900 sockets with a channel each', { measuresHeld: true });
    expect(figures.met).toMatchObject({ held: count });
    expect(figures.heldMegabytes).toBeLessThan(count / 100);
    // workerd's own memory for them is no attack's, and it keeps it for the next sockets.
    expectUnharmed({ ...figures, grownMegabytes: 0, keptMegabytes: 0 });
  });
});
