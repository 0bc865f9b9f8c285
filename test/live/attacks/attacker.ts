/**
 * A process that attacks, so that what it computes does not delay those who measure: started with the name of an attack and a
 * place. It sends `ready`, attacks when it is sent anything, sends what it met, and then holds its sockets until it is killed.
 * It exits when its parent is gone.
 */
import { customerAttacks, strangerAttacks } from './attacks.ts';
import { crowds } from './crowds.ts';
import { type Place, Target } from './target.ts';

const [name = '', place = ''] = process.argv.slice(2);
const target = new Target(JSON.parse(place) as Place);
const attack = await { ...customerAttacks, ...strangerAttacks, ...crowds }[name]?.(target);
process.on('disconnect', () => process.exit());
process.on('message', async () => {
  await attack?.();
  process.send?.(target.met);
});
process.send?.('ready');
