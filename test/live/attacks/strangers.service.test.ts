import { describe } from 'vitest';
import { limits } from '../../../functions/common/limits.ts';
import { describeAttacks } from './describe-attacks.ts';
import { frameAttacks } from './frames.ts';
import { strangerAttacks } from './strangers.ts';

describe('nobody else notices', () => describeAttacks({ ...strangerAttacks, ...frameAttacks }, 2));

describe('nobody else notices, with rate limits,', () => {
  const { account, address } = limits.rate;
  describeAttacks(strangerAttacks, 1, { rateLimits: { ACCOUNT_LIMIT: account, ADDRESS_LIMIT: address } });
});
