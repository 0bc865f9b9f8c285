/** The cursor of the feed and its rounds, and the changes that the lines of a page make. */
import '../setup/with-resolvers.ts';
import { describe, expect, it } from 'vitest';
import { fail, ok, type Result } from '../../functions/common/result.ts';
import type { Row } from '../../functions/database/database.ts';
import { Feed, parseChanges } from '../../functions/live/feed.ts';
import { liveLimits } from '../../functions/live/limits.ts';
import { feedMessage } from '../../functions/statement/live.ts';
import type { Message } from '../../functions/statement/sql.ts';

const account = 'c0000000-0000-4000-8000-000000000001';
const other = 'c0000000-0000-4000-8000-000000000002';
const at = '2026-11-22T07:53:27+00:00';

/** Lines as `I 1`: an operation on the row of that key, of the account or, as `I 1 other`, of the other one. */
const linesOf = (...lines: string[]): string =>
  JSON.stringify(
    lines.map((line, id) => {
      const [operation, key, of] = line.split(' ');
      return { id: String(id), collection: 'quotes', operation, account: of ? other : account, key, at };
    }),
  );
const changesOf = (...lines: string[]): string[] =>
  parseChanges(linesOf(...lines)).map(({ key, events, id }) => `${key} ${events.join('+')} ${id}`);

describe('the lines of a row', () => {
  it.each<[lines: string[], sent: string[]]>([
    [['I 1'], ['1 INSERT 0']],
    [['I 1', 'U 1', 'U 1'], ['1 INSERT+UPDATE 2']],
    [['U 1', 'U 1'], ['1 UPDATE 1']],
    [['I 1', 'D 1'], ['1 DELETE 1']],
    [['I 1', 'U 1', 'D 1'], ['1 DELETE 2']],
    [['U 1', 'D 1'], ['1 DELETE 1']],
    [['D 1', 'I 1'], ['1 DELETE+INSERT 1']],
    [['D 1', 'I 1', 'U 1'], ['1 DELETE+INSERT+UPDATE 2']],
    [['D 1', 'I 1', 'D 1'], ['1 DELETE 2']],
    [['U 1', 'D 1', 'I 1'], ['1 DELETE+INSERT 2']],
    [['I 1', 'D 1', 'I 1'], ['1 DELETE+INSERT 2']],
  ])('%j are sent as %j', (lines, sent) => {
    expect(changesOf(...lines)).toEqual(sent);
  });

  it('are in the order of the last of each row', () => {
    expect(changesOf('I 1', 'I 2', 'U 1')).toEqual(['2 INSERT 1', '1 INSERT+UPDATE 2']);
  });

  it('that moves to another account are sent to each account separately', () => {
    expect(changesOf('D 1', 'I 1 other', 'U 1 other')).toEqual(['1 DELETE 0', '1 INSERT+UPDATE 2']);
  });
});

type Page = Partial<Record<'next' | 'gap' | 'partial' | 'lines', string>>;

/** A feed whose database answers with these pages, one after the other; `undefined` is a database that can't be reached. */
function feedOf(...pages: (Page | undefined)[]) {
  const asked: Message[] = [];
  const events: string[] = [];
  const state = { isAwaited: true };
  const answers = pages.map(() => Promise.withResolvers<void>());
  const feed = new Feed({
    ask: async (message): Promise<Result<Row[]>> => {
      const number = asked.push(message) - 1;
      await answers[number]?.promise;
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
  const answer = (number: number): void => answers[number]?.resolve();
  for (const number of pages.keys()) {
    answer(number);
  }
  return { feed, asked, events, state, answers };
}

const messageFrom = (cursor: string | null) => feedMessage(cursor, liveLimits.lines, liveLimits.lockTimeout);

describe('the feed', () => {
  it('begins now, and reads from the end of one round to the next', async () => {
    const { feed, asked } = feedOf({}, {}, {});
    expect(await feed.ready()).toBe(true);
    await feed.poll();
    await feed.poll();
    expect(asked).toEqual([null, 'cursor 0', 'cursor 1'].map(messageFrom));
  });

  it('is ready without another reading while its cursor is known', async () => {
    const { feed, asked } = feedOf({});
    await feed.poll();
    expect([await feed.ready(), asked.length]).toEqual([true, 1]);
  });

  it('is not ready when the database is away, and then begins anew', async () => {
    const { feed, asked, events } = feedOf(undefined, {});
    expect([await feed.ready(), await feed.ready()]).toEqual([false, true]);
    expect(asked).toEqual([null, null].map(messageFrom));
    expect(events).toEqual(['not read', 'read']);
  });

  it('reads again from the same cursor when a round fails', async () => {
    const { feed, asked } = feedOf({}, undefined, {});
    expect([await feed.poll(), await feed.poll(), await feed.poll()]).toEqual([true, false, true]);
    expect(asked).toEqual([null, 'cursor 0', 'cursor 0'].map(messageFrom));
  });

  it('publishes all pages of a round, and calls during it share the next round', async () => {
    const { feed, asked, events } = feedOf(
      {},
      { partial: 'true', lines: linesOf('I 1') },
      { lines: linesOf('I 2') },
    );
    await feed.ready();
    await Promise.all([feed.poll(), feed.poll(), feed.poll()]);
    expect(asked).toEqual([null, 'cursor 0', 'cursor 1', 'cursor 2'].map(messageFrom));
    expect(events.filter(event => /\d/.test(event))).toEqual(['1', '2']);
  });

  it('reports a gap, and goes on behind it', async () => {
    const { feed, asked, events } = feedOf({}, { gap: 'true' }, {});
    await feed.ready();
    await feed.poll();
    await feed.poll();
    expect(events).toContain('gap');
    expect(asked.at(-1)).toEqual(messageFrom('cursor 1'));
  });

  it('has listeners read again, and goes on, when a page meets a bug', async () => {
    const { feed, asked, events } = feedOf({}, { lines: 'not JSON' }, {});
    await feed.ready();
    await feed.poll();
    await feed.poll();
    expect(events).toEqual(['read', 'crashed', 'gap', 'read', 'read']);
    expect(asked.at(-1)).toEqual(messageFrom('cursor 1'));
  });

  it('does not read what is committed while nobody listens', async () => {
    const { feed, asked, state } = feedOf({}, {});
    await feed.ready();
    feed.forget();
    state.isAwaited = false;
    await feed.poll();
    state.isAwaited = true;
    await feed.ready();
    expect(asked).toEqual([null, null].map(messageFrom));
  });

  it('forgets its cursor in a round at whose end nobody listens any more', async () => {
    const { feed, asked, state } = feedOf({}, {}, {});
    await feed.ready();
    const round = feed.poll();
    feed.forget();
    state.isAwaited = false;
    await round;
    state.isAwaited = true;
    await feed.ready();
    expect(asked.at(-1)).toEqual(messageFrom(null));
  });
});
