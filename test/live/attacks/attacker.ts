/**
 * A process that attacks: started with the name of an attack and a place. It says `ready`, attacks when it is told to, says
 * what it met, and then holds its sockets until its parent ends it. It ends by itself when its parent is gone.
 */
import { attacks } from './attacks.ts';
import { type Place, Target } from './target.ts';

const [name = '', place = ''] = process.argv.slice(2);
const target = new Target(JSON.parse(place) as Place);
const attack = await attacks[name]?.(target);
process.on('disconnect', () => process.exit());
process.on('message', async () => {
  await attack?.();
  process.send?.(target.met);
});
process.send?.('ready');
