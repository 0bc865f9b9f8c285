import { describe } from 'vitest';
import { describeAttacks } from './describe-attacks.ts';
import { returnAttacks } from './returns.ts';

describe('nobody else notices', () => describeAttacks(returnAttacks, 1));
