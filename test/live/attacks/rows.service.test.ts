import { describe, expect, it } from 'vitest';
import { describeAttacks, expectUnharmed, measureAndPrint } from './describe-attacks.ts';
import { rowAttacks, unfitAttack, unfitFilters } from './rows.ts';

describe('nobody else notices', () => describeAttacks(rowAttacks, 1));

const [unfit = ''] = Object.keys(unfitAttack);

it(`${unfit}: they are refused, or end their channel once, and not for each row`, {
  timeout: 300_000,
}, async () => {
  const figures = await measureAndPrint(unfit);
  expect(figures.met['phx_error'] ?? 0).toBeLessThanOrEqual(unfitFilters.length);
  expect(figures.rollbacks).toBeLessThanOrEqual(2 * unfitFilters.length);
  expectUnharmed(figures);
});
