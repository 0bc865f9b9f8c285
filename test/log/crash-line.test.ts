import { expect, it } from 'vitest';
import { crashLine } from '../../functions/log/crash-line.ts';

function errorOf(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error('No error was thrown');
}

it('the log line of a bug has its class and its stack frames', () => {
  const line = crashLine(errorOf(() => (undefined as never as string).length));
  expect(line).toMatchObject({ event: 'crash', message: 'TypeError' });
  expect(line.stack.split('\n')[0]).toMatch(/^ {4}at .*crash-line\.test\.ts:\d+:\d+\)?$/);
});

it.each([
  ['broken JSON', () => JSON.parse('{"internal_notes": planted}')],
  ['a name that is looked up', () => (undefined as never as Record<string, string>)['planted']],
  ['a message of several lines', () => fail('a\n    at planted (file.js:1:2)\nplanted')],
  ['a bad URL', () => new URL('planted')],
])('it quotes nothing of %s', (_, work) => {
  const error = errorOf(work);
  expect(JSON.stringify(crashLine(error))).not.toContain('planted');
});

function fail(message: string): never {
  throw new RangeError(message);
}
