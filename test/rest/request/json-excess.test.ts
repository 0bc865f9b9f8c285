import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../functions/common/limits.ts';
import { findJsonExcess, jsonExcesses } from '../../../functions/rest/request/json-excess.ts';
import { anyText } from '../../setup/any-text.ts';
import { rounds } from '../../setup/full-size.ts';

const { levels: bodyLevels, numberLength } = limits.body;

/** Strings with the characters that are counted outside strings. */
const text = fc.oneof(
  anyText(),
  fc.constantFrom('[[[[', '{"{', '\\', '\\\\"', '"', '\\"[', '1e999', '\\u005b'),
  fc.constantFrom('['.repeat(bodyLevels + 1), '9'.repeat(numberLength + 1)),
);
const { value: anyValue } = fc.letrec<{ value: unknown }>(tie => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(text, fc.integer(), fc.constantFrom(0.5, -1.5e-7, 1e21, true, null)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4 }),
  ),
}));
const levelsOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(levelsOf)) : 0;

/** Values of about as many levels as a body may have. */
const deep = fc
  .tuple(anyValue, fc.integer({ min: bodyLevels - 4, max: bodyLevels + 1 }))
  .map(([inner, levels]) => Array.from({ length: levels }).reduce<unknown>(list => [list], inner));

describe('the limit that a JSON text exceeds', () => {
  it('is the number of levels that its value has, whatever its texts contain', () => {
    fc.assert(
      fc.property(deep, fc.constantFrom(0, 1), (value, indent) => {
        const excess = levelsOf(value) > bodyLevels ? jsonExcesses.levels : undefined;
        expect(findJsonExcess(JSON.stringify(value, undefined, indent))).toBe(excess);
      }),
      { numRuns: rounds(60, 120) },
    );
  });

  it.each([
    [`{"a":-${'1'.repeat(numberLength - 1)}.1}`, { path: 'a' }],
    [
      '[{"a":1},{"a":"{,","b":[0,{"c\\u0021":[[],-0.1E-100]}]}]',
      { row: 1, path: 'b.1.c!.1', received: '-0.1E-100' },
    ],
    ['{"a":{"b":1},"c":1e+100}', { path: 'c', received: '1e+100' }],
  ])('is an issue at the field of a number with too many digits: %#', (json, issue) => {
    expect(findJsonExcess(json)).toMatchObject({ is: 'invalid fields', issues: [issue] });
  });
});
