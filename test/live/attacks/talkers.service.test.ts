import { describe } from 'vitest';
import { describeAttacks } from './describe-attacks.ts';
import { talkerAttacks } from './talkers.ts';

describe('nobody else notices', () => describeAttacks(talkerAttacks, 1));
