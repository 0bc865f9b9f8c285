import { describe, expect, it } from 'vitest';
import { eventsOf, parseChanges } from '../../functions/live/changes.ts';

const account = 'c0000000-0000-4000-8000-000000000001';
const other = 'c0000000-0000-4000-8000-000000000002';

/** Lines as `I 1`: an operation on the row of that key, of the account or, as `I 1 other`, of the other one. */
const changesOf = (...lines: string[]): string[] =>
  parseChanges(
    JSON.stringify(
      lines.map((line, index) => {
        const [operation, key, of] = line.split(' ');
        return [
          '7',
          String(index),
          'quotes',
          operation,
          of ? other : account,
          key,
          '2026-11-22T07:53:27+00:00',
        ];
      }),
    ),
  ).map(change => `${change.key} ${eventsOf(change).join('+')} ${change.id}`);

describe('the lines of a row', () => {
  it.each<[lines: string[], told: string[]]>([
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
  ])('%j are told as %j', (lines, told) => {
    expect(changesOf(...lines)).toEqual(told);
  });

  it('are in the order of the last of each row', () => {
    expect(changesOf('I 1', 'I 2', 'U 1')).toEqual(['2 INSERT 1', '1 INSERT+UPDATE 2']);
  });

  it('of a row that moves are told to each account by themselves', () => {
    expect(changesOf('D 1', 'I 1 other', 'U 1 other')).toEqual(['1 DELETE 0', '1 INSERT+UPDATE 2']);
  });
});
