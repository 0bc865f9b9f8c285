/**
 * While somebody attacks, others notice nothing, and workerd's memory grows little.
 *
 * @module-tag full
 */
import { describe, expect, it } from 'vitest';
import { limits } from '../../../functions/common/limits.ts';
import { sample } from '../../setup/full-size.ts';
import { customerAttacks, strangerAttacks } from './attacks.ts';
import { expectUnharmed } from './measure.ts';
import { type Attack, isFullSize } from './target.ts';

const some = (few: number, attacks: Record<string, Attack>) =>
  isFullSize ? Object.entries(attacks) : sample(few, Object.entries(attacks));
const rateLimits = { ACCOUNT_LIMIT: limits.rate.account, ADDRESS_LIMIT: limits.rate.address };

describe('nobody else notices', { timeout: 300_000 }, () => {
  it.each([
    ...some(3, customerAttacks).map(([name, attack]) => [name, attack, undefined] as const),
    ...some(2, strangerAttacks).map(([name, attack]) => [name, attack, undefined] as const),
    ...some(1, strangerAttacks).map(([name, attack]) => [`${name}, counted`, attack, rateLimits] as const),
  ])('%s', async (name, attack, counted) => {
    expect(await expectUnharmed(name, attack, counted)).not.toEqual({});
  });
});
