import { describe } from 'vitest';
import { describeAttacks } from './describe-attacks.ts';
import { frameAttacks } from './frames.ts';

describe('nobody else notices', () => describeAttacks(frameAttacks, 1));
