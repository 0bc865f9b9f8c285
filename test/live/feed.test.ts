/** The changes that the lines of the feed make, and what cannot be told from it. */
import '../setup/with-resolvers.ts';
import { expect, it } from 'vitest';
import { ok } from '../../functions/common/result.ts';
import { Feed, parseChanges } from '../../functions/live/feed.ts';
import { liveLimits } from '../../functions/live/limits.ts';
import { feedMessage } from '../../functions/statement/live.ts';
import type { Message } from '../../functions/statement/sql.ts';

const account = 'c0000000-0000-4000-8000-000000000001';
const at = '2026-11-22T07:53:27+00:00';

/** Lines as `I 1`: an operation on the row of that key. */
const linesOf = (...lines: string[]): string =>
  JSON.stringify(
    lines.map((line, id) => {
      const [operation, key] = line.split(' ');
      return { id: String(id), collection: 'quotes', operation, account, key, at };
    }),
  );
const changesOf = (...lines: string[]): string[] =>
  parseChanges(linesOf(...lines)).map(({ key, events, id }) => `${key} ${events.join('+')} ${id}`);

it.each<[lines: string[], sent: string[]]>([
  [['I 1'], ['1 INSERT 0']],
  [['I 1', 'U 1', 'U 1'], ['1 INSERT+UPDATE 2']],
  [['I 1', 'D 1'], ['1 DELETE 1']],
  [['U 1', 'D 1'], ['1 DELETE 1']],
  [['D 1', 'I 1', 'U 1'], ['1 DELETE+INSERT+UPDATE 2']],
  [['D 1', 'I 1', 'D 1'], ['1 DELETE 2']],
  [['U 1', 'D 1', 'I 1'], ['1 DELETE+INSERT 2']],
  [
    ['I 1', 'I 2', 'U 1'],
    ['2 INSERT 1', '1 INSERT+UPDATE 2'],
  ],
])('lines as %j are sent as %j', (lines, sent) => {
  expect(changesOf(...lines)).toEqual(sent);
});

it.each<[what: string, page: object, events: string[]]>([
  ['has a gap', { gap: 'true' }, ['read', 'gap', 'read', 'read']],
  ['meets a bug', { lines: 'not JSON' }, ['read', 'crashed', 'gap', 'read', 'read']],
])('listeners read again, and the feed goes on, when a page of it %s', async (_, page, expected) => {
  const asked: Message[] = [];
  const events: string[] = [];
  const feed = new Feed({
    ask: async message => {
      const number = asked.push(message) - 1;
      const row = { next: `cursor ${number}`, gap: 'false', partial: 'false', lines: '[]' };
      return ok([{ ...row, ...(number === 1 && page) }]);
    },
    isAwaited: () => true,
    gap: () => events.push('gap'),
    publish: async () => ok(undefined),
    read: () => events.push('read'),
    crashed: () => events.push('crashed'),
  });
  await feed.ready();
  await feed.poll();
  await feed.poll();
  expect(events).toEqual(expected);
  expect(asked.at(-1)).toEqual(feedMessage('cursor 1', liveLimits.lines, liveLimits.lockTimeout));
});
