/** All attacks by their name. */
import { crowds } from './crowds.ts';
import { frameAttacks } from './frames.ts';
import { returnAttacks } from './returns.ts';
import { rowAttacks, unfitAttack } from './rows.ts';
import { slowReaderAttacks } from './slow-readers.ts';
import { strangerAttacks } from './strangers.ts';
import { talkerAttacks } from './talkers.ts';
import type { Attack } from './target.ts';

export const attacks: Record<string, Attack> = {
  ...rowAttacks,
  ...unfitAttack,
  ...slowReaderAttacks,
  ...returnAttacks,
  ...strangerAttacks,
  ...frameAttacks,
  ...talkerAttacks,
  ...crowds,
};
