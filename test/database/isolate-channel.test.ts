/** The channel between requests and the object that holds the connections of a machine. */
import { afterEach, expect, it, vi } from 'vitest';
import type { Reply } from '../../functions/database/database.ts';
import '../setup/with-resolvers.ts';
import { IsolateChannel } from '../../functions/database/isolate-channel.ts';

const reply: Reply = { ok: true, rows: [] };
afterEach(() => void vi.useRealTimers());

it('a message fails with the error of its execution, and others get their replies', async () => {
  const channel = new IsolateChannel();
  channel.serve(async message => (message === 'fails' ? Promise.reject(new Error('a bug')) : reply));
  const results = await Promise.allSettled(
    ['works', 'fails', 'works'].map(text => channel.send(text, 'anyone')),
  );
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await channel.send('works', 'anyone')).toBe(reply);
});

it('a message that the object did not accept is taken back, and never executed', async () => {
  const channel = new IsolateChannel();
  channel.refresh();
  expect(await channel.send('taken back', 'anyone')).toBe('not accepted');
  expect(channel.isFresh).toBe(false);
  const executed: unknown[] = [];
  channel.serve(async message => {
    executed.push(message);
    return reply;
  });
  await channel.send('accepted', 'anyone');
  expect(executed).toEqual(['accepted']);
});

it('a message that the object accepted is lost at the deadline if the object has ended', async () => {
  vi.useFakeTimers();
  const channel = new IsolateChannel();
  channel.serve(() => new Promise(() => {}));
  const sent = channel.send('accepted', 'anyone');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await sent).toMatchObject({ error: { reason: 'POOL_LOST', lost: true } });
});
