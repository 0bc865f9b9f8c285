import { expect, it } from 'vitest';
import { remembered } from '../functions/remembered.ts';

function counting(limit?: number) {
  const asked: string[] = [];
  const length = remembered((text: string) => {
    asked.push(text);
    return text.length;
  }, limit);
  return { asked, length };
}

it('the same text is computed once', () => {
  const { asked, length } = counting();
  expect([length('ab'), length('abc'), length('ab')]).toEqual([2, 3, 2]);
  expect(asked).toEqual(['ab', 'abc']);
});

it('no more is remembered than allowed', () => {
  const { asked, length } = counting(2);
  for (const text of ['a', 'b', 'c', 'c', 'a']) {
    length(text);
  }
  expect(asked).toEqual(['a', 'b', 'c', 'a']);
});

it('a long text is not remembered', () => {
  const { asked, length } = counting();
  const long = 'x'.repeat(3000);
  expect([length(long), length(long)]).toEqual([3000, 3000]);
  expect(asked).toHaveLength(2);
});
