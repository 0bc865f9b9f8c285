import { describe, expect, it } from 'vitest';
import { sizeOfRegex } from '../../functions/plan/regular-expression.ts';

describe('a regular expression', () => {
  it.each([
    ['a{2,5}', 5],
    ['a{0}', 1],
    ['((a{2}){3}){4}', 24],
    ['(?:ab|c)+', 4],
    ['^QT-\\d{4}-\\d{5}$', 15],
    ['[x.]aaa]', 5],
    ['[][:alpha:]]aa', 3],
    ['[[:alpha', 1],
    ['\\{3}', 3],
    ['a{1000000000}', 13],
    ['(((x', 1],
    ['x)))', 4],
    ['', 0],
  ])('has its repetitions expanded: %s', (text, symbols) => {
    expect(sizeOfRegex(text).symbols).toBe(symbols);
  });

  it.each([
    ['^a$', 2, false],
    ['\\mword\\M', 2, false],
    ['(?=a)(?<!b)c', 2, false],
    ['(\\y|a?){10}', 1, true],
    ['(^a)*', 1, true],
    ['((^a)b)+', 1, true],
    ['(^a)b+', 1, false],
  ])('has anchors, and may repeat them: %s', (text, anchors, repeatsAnchors) => {
    expect(sizeOfRegex(text)).toMatchObject({ anchors, repeatsAnchors });
  });
});
