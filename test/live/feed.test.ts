/** The cursor of the feed and its rounds, and the changes that the lines of a page make. */
import '../setup/with-resolvers.ts';
import { describe, expect, it } from 'vitest';
import { fail, ok, type Result } from '../../functions/common/failure/result.ts';
import type { Row } from '../../functions/database/database.ts';
import type { Message } from '../../functions/database/sql.ts';
import { Feed, linesOfAnswer, lockTimeout, parseChanges } from '../../functions/live/feed.ts';
import { feedMessage } from '../../functions/live/statements.ts';

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

type Page = Partial<Record<'next' | 'gap' | 'partial' | 'lines', string>>;

/** A feed whose database answers with these pages, one after the other; `undefined` is a database that can't be reached. */
function feedOf(...pages: (Page | undefined)[]) {
  const asked: Message[] = [];
  const events: string[] = [];
  const state = { isAwaited: true };
  const feed = new Feed({
    ask: async (message): Promise<Result<Row[]>> => {
      const number = asked.push(message) - 1;
      const page = pages[number];
      const row = { next: `cursor ${number}`, gap: 'false', partial: 'false', lines: '[]', ...page };
      return page ? ok([row]) : fail({ is: 'database unavailable', reason: 'away' });
    },
    isAwaited: () => state.isAwaited,
    gap: () => events.push('gap'),
    publish: async changes => {
      events.push(...changes.map(({ key }) => key));
      return ok(undefined);
    },
    read: result => events.push(result.ok ? 'read' : 'not read'),
    crashed: () => events.push('crashed'),
  });
  return { feed, asked, events, state };
}

const from = (...cursors: (string | null)[]): Message[] =>
  cursors.map(cursor => feedMessage(cursor, linesOfAnswer, lockTimeout));

describe('the feed', () => {
  it('is not ready when the database is away, and then begins anew', async () => {
    const { feed, asked, events } = feedOf(undefined, {}, {});
    expect([await feed.ready(), await feed.ready(), await feed.ready()]).toEqual([false, true, true]);
    expect(asked).toEqual(from(null, null));
    expect(events).toEqual(['not read', 'read']);
  });

  it('reads again from the same cursor when a round fails', async () => {
    const { feed, asked } = feedOf({}, undefined, {});
    expect([await feed.poll(), await feed.poll(), await feed.poll()]).toEqual([true, false, true]);
    expect(asked).toEqual(from(null, 'cursor 0', 'cursor 0'));
  });

  it.each<[what: string, page: Page, events: string[]]>([
    ['has a gap', { gap: 'true' }, ['read', 'gap', 'read', 'read']],
    ['meets a bug', { lines: 'not JSON' }, ['read', 'crashed', 'gap', 'read', 'read']],
  ])('has listeners read again, and goes on, when a page %s', async (_, page, expected) => {
    const { feed, asked, events } = feedOf({}, page, {});
    await feed.ready();
    await feed.poll();
    await feed.poll();
    expect(events).toEqual(expected);
    expect(asked.slice(-1)).toEqual(from('cursor 1'));
  });

  it.each([
    ['a round begins', 0],
    ['it is under way', 1],
  ])('forgets its cursor when nobody listens any more while %s', async (_, waits) => {
    const { feed, asked, state } = feedOf({}, {}, {});
    await feed.ready();
    const round = waits > 0 ? feed.poll() : undefined;
    feed.forget();
    state.isAwaited = false;
    await (round ?? feed.poll());
    state.isAwaited = true;
    await feed.ready();
    expect(asked.slice(-1)).toEqual(from(null));
  });
});
