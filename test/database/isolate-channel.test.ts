/** The channel between requests and the object that holds the connections of a machine. */
import { expect, it } from 'vitest';
import type { Reply } from '../../functions/database/database.ts';
import '../setup/with-resolvers.ts';
import { IsolateChannel } from '../../functions/database/isolate-channel.ts';

const reply: Reply = { ok: true, results: [] } as never;

it.each<[what: string, fail: () => Promise<never>]>([
  [
    'throws',
    () => {
      throw new Error('a bug');
    },
  ],
  ['rejects', () => Promise.reject(new Error('a bug'))],
])('a message whose execution %s fails with the error, and messages go on, by calls of the object until one succeeds', async (_, fail) => {
  const channel = new IsolateChannel();
  channel.serve(async message => (message === 'fails' ? fail() : reply));
  channel.refresh();
  const results = await Promise.allSettled(
    ['works', 'fails', 'works'].map(text => channel.send(text, 'anyone')),
  );
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(channel.isFresh).toBe(false);
  expect(await channel.send('works', 'anyone')).toBe(reply);
});
