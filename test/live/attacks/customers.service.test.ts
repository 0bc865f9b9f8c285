import { describe } from 'vitest';
import { customerAttacks } from './customers.ts';
import { describeAttacks } from './describe-attacks.ts';

describe('nobody else notices', () => describeAttacks(customerAttacks, 3));
