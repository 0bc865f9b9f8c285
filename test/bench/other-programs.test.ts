import { describe, expect, it } from 'vitest';
import { busyLine, othersShare, summariseOthers } from './other-programs.ts';

describe('The share of other programs', () => {
  it('is the CPU that was used, without that of the benchmark, of all that there was', () => {
    const before = { all: 200, used: 100, own: 40 };
    expect(othersShare(before, { all: 220, used: 115, own: 52 })).toBeCloseTo(0.15);
  });

  it('is never less than nothing, where the counters of the kernel differ by a tick', () => {
    const before = { all: 200, used: 100, own: 40 };
    expect(othersShare(before, { all: 220, used: 110, own: 50.01 })).toBe(0);
  });
});

describe('The line about other programs', () => {
  it('says that the machine was too busy, how often, and how much in the worst measurement', () => {
    expect(busyLine([summariseOthers([0.02, 0.43, 0.11])])).toBe(
      'The machine was too busy to tell: in 2 of 3 measurements other programs used more than 10 % of it, ' +
        '43 % in the worst.',
    );
  });

  it('says that the machine was quiet when none used more than a tenth of it', () => {
    expect(busyLine([summariseOthers([0.02, 0.1])])).toBe(
      'The machine was quiet: other programs used 10 % of it at most.',
    );
  });

  it('says that the machine was not always quiet when it was so in four measurements of five', () => {
    expect(busyLine([summariseOthers([0, 0, 0, 0, 0.2])])).toBe(
      'The machine was not always quiet: in 1 of 5 measurements other programs used more than 10 % of it, ' +
        '20 % in the worst.',
    );
  });

  it('counts the measurements of several parts together', () => {
    expect(busyLine([summariseOthers([0.02, 0.5]), summariseOthers([0.2])])).toMatch(/in 2 of 3 .* 50 %/);
  });

  it('says that it is not known where the system does not tell', () => {
    expect(busyLine([summariseOthers([])])).toBe('Whether other programs used the machine is not known.');
  });
});
