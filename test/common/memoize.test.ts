import { expect, it } from 'vitest';
import { memoize } from '../../functions/common/memoize.ts';

function counting() {
  const computed: string[] = [];
  const length = memoize((text: string) => {
    computed.push(text);
    return text.length;
  });
  return { computed, length };
}

it('the same text is computed once', () => {
  const { computed, length } = counting();
  expect([length('ab'), length('abc'), length('ab'), length('🦅'), length('🦅')]).toEqual([2, 3, 2, 2, 2]);
  expect(computed).toEqual(['ab', 'abc', '🦅']);
});

it('few results are kept, and none of a long text', () => {
  const { computed, length } = counting();
  const texts = Array.from({ length: 100 }, (_, index) => String.fromCodePoint(0x4e00 + index));
  texts.forEach(length);
  computed.length = 0;
  texts.reverse().forEach(length);
  expect(100 - computed.length).toBeGreaterThan(57);
  expect(100 - computed.length).toBeLessThan(64);
  computed.length = 0;
  const long = 'x'.repeat(3000);
  expect([length(long), length(long), computed.length]).toEqual([3000, 3000, 2]);
});
