/** While somebody attacks, others notice nothing, and workerd's memory grows little. */
import { describe, expect, it } from 'vitest';
import { limits } from '../../../functions/common/limits.ts';
import { sample } from '../../setup/full-size.ts';
import { customerAttacks, strangerAttacks } from './attacks.ts';
import { expectUnharmed, isFullSize, mayGrow, measureAttack } from './measure.ts';

const some = (few: number, attacks: object) =>
  isFullSize ? Object.keys(attacks) : sample(few, Object.keys(attacks));
const rateLimits = { ACCOUNT_LIMIT: limits.rate.account, ADDRESS_LIMIT: limits.rate.address };

describe('nobody else notices', { timeout: 300_000 }, () => {
  it.each([
    ...some(3, customerAttacks).map(name => [name, '', undefined] as const),
    ...some(2, strangerAttacks).map(name => [name, '', undefined] as const),
    ...some(1, strangerAttacks).map(name => [name, ', with rate limits', rateLimits] as const),
  ])('%s%s', async (name, _, counted) => {
    const figures = await measureAttack(name, counted);
    expectUnharmed(figures);
    expect(figures.grownMegabytes).toBeLessThan(mayGrow);
  });
});
