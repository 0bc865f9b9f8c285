import { describe } from 'vitest';
import { describeAttacks } from './describe-attacks.ts';
import { slowReaderAttacks } from './slow-readers.ts';

describe('nobody else notices', () => describeAttacks(slowReaderAttacks, 1));
