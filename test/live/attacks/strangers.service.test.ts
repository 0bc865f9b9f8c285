import { describe } from 'vitest';
import { limits } from '../../../functions/common/limits.ts';
import { describeAttacks } from './describe-attacks.ts';
import { countedAttacks, strangerAttacks } from './strangers.ts';

describe('nobody else notices', () => describeAttacks(strangerAttacks, 1));

describe('nobody else notices, with rate limits,', () => {
  const { account, address } = limits.rate;
  describeAttacks(countedAttacks, 1, { rateLimits: { ACCOUNT_LIMIT: account, ADDRESS_LIMIT: address } });
});
