import { expect, it } from 'vitest';
import { memoize } from '../../functions/common/memoize.ts';

function counting(limit?: number) {
  const asked: string[] = [];
  const length = memoize((text: string) => {
    asked.push(text);
    return text.length;
  }, limit);
  return { asked, length };
}

it('the same text is computed once', () => {
  const { asked, length } = counting();
  expect([length('ab'), length('abc'), length('ab'), length('🦅'), length('🦅')]).toEqual([2, 3, 2, 2, 2]);
  expect(asked).toEqual(['ab', 'abc', '🦅']);
});

it('what was asked for longest ago is forgotten first', () => {
  const { asked, length } = counting(600);
  for (const text of ['a', 'b', 'a', 'c', 'a', 'b']) {
    length(text);
  }
  expect(asked).toEqual(['a', 'b', 'c', 'b']);
});

it.each([
  ['short', 1, 60],
  ['long', 1000, 13],
])('few texts are memoize, the fewer the longer they are: %s', (_, characters, remembers) => {
  const { asked, length } = counting();
  const texts = Array.from({ length: 100 }, (_, index) =>
    String.fromCodePoint(0x4e00 + index).repeat(characters),
  );
  texts.forEach(length);
  asked.length = 0;
  texts.reverse().forEach(length);
  expect(100 - asked.length).toBeGreaterThan(remembers - 3);
  expect(100 - asked.length).toBeLessThan(remembers + 4);
});

it('a long text is not memoize', () => {
  const { asked, length } = counting();
  const long = 'x'.repeat(3000);
  expect([length(long), length(long)]).toEqual([3000, 3000]);
  expect(asked).toHaveLength(2);
});
