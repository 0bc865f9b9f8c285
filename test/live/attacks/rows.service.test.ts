import { describe } from 'vitest';
import { describeAttacks } from './describe-attacks.ts';
import { rowAttacks } from './rows.ts';

describe('nobody else notices', () => describeAttacks(rowAttacks, 1));
