import { expect, it } from 'vitest';
import { readSettings } from '../../functions/local/settings.ts';

it('one worker serves unless more are asked for', () => {
  expect(readSettings([], {})).toMatchObject({ workers: 1 });
  expect(readSettings(['--workers', '8'], {})).toMatchObject({ workers: 8 });
});

it.each(['0', '9', '10', '1.5', '-1', 'two', ''])('--workers=%s is refused in one sentence', workers => {
  const sentence = /^--workers is ".*"; it must be a number from 1 to 8\. This machine has \d+ cores\.$/;
  expect(() => readSettings([`--workers=${workers}`], {})).toThrow(sentence);
});
