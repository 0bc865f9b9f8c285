import { describe, expect, it } from 'vitest';
import { expectUnharmed, measureAndPrint } from './describe-attacks.ts';
import { size } from './size.ts';

/** workerd takes 80 KB for each socket, and keeps them for the next ones. */
const ofSockets = { grownMegabytes: 0, keptMegabytes: 0 };

describe('nobody else notices, and nobody is refused,', { timeout: 300_000 }, () => {
  it('when a thousand users come at once', async () => {
    const figures = await measureAndPrint('1,000 joins at once');
    expect(figures.met).toMatchObject({ accepted: size(300, 1000) });
    expectUnharmed({ ...figures, ...ofSockets });
  });

  it('when three hundred are cut off and come back, who are told what they missed', async () => {
    const figures = await measureAndPrint('300 clients that are cut at once');
    expect(figures.met).toMatchObject({ 'not told': 0 });
    expectUnharmed(figures);
  });

  it('while thousands listen', async () => {
    const count = size(500, 4900);
    const figures = await measureAndPrint('4,900 sockets with a channel each', { measuresHeld: true });
    expect(figures.met).toMatchObject({ held: count });
    expect(figures.heldMegabytes).toBeLessThan(count / 100);
    expectUnharmed({ ...figures, ...ofSockets });
  });
});
