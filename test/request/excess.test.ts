import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../../functions/common/limits.ts';
import { findJsonExcess, jsonExcesses } from '../../functions/request/excess.ts';
import { anyText } from '../setup/any-text.ts';
import { rounds } from '../setup/full-size.ts';
import { stepsOf } from './steps.ts';

const { levels: bodyLevels, lists: bodyLists, values: bodyValues } = limits.body;
const { numberLength, exponentDigits } = limits.body;

/** A JSON text as a tree, whose leaves are JSON texts. */
type Tree = { leaf: string } | { list: Tree[] } | { entries: [string, Tree][] };

const write = (tree: Tree): string => {
  if ('leaf' in tree) return tree.leaf;
  return 'list' in tree
    ? ` [${tree.list.map(write).join(', ')}] `
    : `{${tree.entries.map(([key, value]) => `${key}:${write(value)}`).join(',')}}`;
};
const children = (tree: Tree): Tree[] => {
  if ('leaf' in tree) return [];
  return 'list' in tree ? tree.list : tree.entries.map(([, value]) => value);
};
const levelsOf = (tree: Tree): number =>
  'leaf' in tree ? 0 : 1 + Math.max(0, ...children(tree).map(levelsOf));
const listsOf = (tree: Tree): number =>
  'leaf' in tree ? 0 : children(tree).reduce((sum, child) => sum + listsOf(child), 1);
const numbersOf = (tree: Tree): string[] => {
  if ('leaf' in tree) return /^[-\d]/.test(tree.leaf) ? [tree.leaf.replace('-', '')] : [];
  return children(tree).flatMap(numbersOf);
};

/** The limits that the tree exceeds, possibly several. */
function excessesOf(tree: Tree): unknown[] {
  const parts = numbersOf(tree).map(number => number.split(/e[+-]?/i));
  return [
    levelsOf(tree) > bodyLevels && jsonExcesses.levels,
    listsOf(tree) > bodyLists && jsonExcesses.lists,
    parts.some(([digits = '']) => digits.length > numberLength) && 'long number',
    parts.some(([, exponent = '']) => exponent.length > exponentDigits) && 'long number',
  ].filter(excess => excess !== false);
}

const digits = (many: number) => fc.integer({ min: 1, max: many }).map(count => '7'.repeat(count));
const near = (limit: number) => fc.constantFrom(1, limit - 1, limit, limit + 1, 2 * limit).chain(digits);
const number = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof({ weight: 9, arbitrary: digits(3) }, near(numberLength)),
    fc.constantFrom('', '.5', '.000'),
    fc.oneof(
      { weight: 9, arbitrary: fc.constant('') },
      fc
        .tuple(fc.constantFrom('e', 'E'), fc.constantFrom('', '+', '-'), near(exponentDigits))
        .map(parts => parts.join('')),
    ),
  )
  .map(parts => parts.join(''));
/** Strings that contain the characters that are counted outside strings. */
const text = fc
  .oneof(
    anyText(),
    fc.constantFrom(
      '[[[[',
      '{"{',
      '\\',
      '\\\\"',
      '"',
      '\\"[',
      '1e999',
      '9'.repeat(numberLength + 1),
      '\\u005b',
    ),
    fc.constant('['.repeat(bodyLevels + 1)),
  )
  .map(value => JSON.stringify(value));
const leaf = fc.oneof(text, number, fc.constantFrom('true', 'false', 'null')).map((leaf): Tree => ({ leaf }));
const { tree } = fc.letrec<{ tree: Tree }>(tie => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.array(tie('tree'), { maxLength: 4 }).map(list => ({ list })),
    fc.array(fc.tuple(text, tie('tree')), { maxLength: 4 }).map(entries => ({ entries })),
  ),
}));
/** Deeper and longer trees, around a limit. */
const wrapped = fc
  .tuple(tree, fc.constantFrom(0, 1, bodyLevels - 2, bodyLevels - 1, bodyLevels, bodyLevels + 1))
  .map(([inner, levels]) => Array.from({ length: levels }).reduce<Tree>(list => ({ list: [list] }), inner));
const many = fc
  .tuple(tree, fc.constantFrom(bodyLists - 10, bodyLists - 1, bodyLists, bodyLists + 1))
  .map(([inner, count]): Tree => ({ list: [inner, ...Array<Tree>(count - 1).fill({ list: [] })] }));

describe('the limit that a JSON text exceeds', () => {
  it.each<[string, fc.Arbitrary<Tree>, number]>([
    ['trees', tree, rounds(200, 1000)],
    ['deep trees', wrapped, rounds(60, 300)],
    ['wide trees', many, rounds(4, 10)],
  ])('is that of the tree it was made from: %s', (_, trees, numRuns) => {
    fc.assert(
      fc.property(trees, tree => {
        const json = write(tree);
        expect(() => JSON.parse(json)).not.toThrow();
        const excesses = excessesOf(tree);
        const found = findJsonExcess(json);
        const isNumber = found?.is === 'invalid fields' || found?.is === 'invalid body';
        expect(excesses.length === 0 ? undefined : excesses).toEqual(
          found && expect.arrayContaining([isNumber ? 'long number' : found]),
        );
      }),
      { numRuns },
    );
  });

  it.each<[string, unknown]>([
    [`[${'1,'.repeat(bodyValues - 1)}1`, undefined],
    [`[${'1,'.repeat(bodyValues)}1`, jsonExcesses.values],
    [`["${','.repeat(bodyValues)}"]`, undefined],
    [`"${'['.repeat(bodyLevels + 1)}1e100`, undefined],
  ])('is found whether or not the text is valid JSON: %#', (json, excess) => {
    expect(findJsonExcess(json)).toBe(excess);
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

  it.each([
    ['lists', (n: number) => '[],'.repeat(n / 3)],
    ['a text of brackets', (n: number) => `"${'['.repeat(n)}`],
    ['quotes', (n: number) => '"'.repeat(n)],
    ['escaped quotes', (n: number) => `"${'\\"'.repeat(n / 2)}`],
    ['backslashes and quotes', (n: number) => `"${`${'\\'.repeat(99)}"`.repeat(n / 100)}`],
    ['colons before a long number', (n: number) => `{${':'.repeat(n)}1e400`],
    ['colons after a long key', (n: number) => `{"${'a'.repeat(n / 2)}"${':'.repeat(n / 2)}1e400`],
    ['a long key in many levels', (n: number) => `{"${'a'.repeat(n - 999)}"${':{'.repeat(499)}:1e400`],
  ])('is found in linear time: %s', (_, make) => {
    const [half = 0, whole = 0] = [16_000, 32_000].map(length => stepsOf(() => findJsonExcess(make(length))));
    expect(half).toBeGreaterThan(100);
    expect(whole).toBeLessThan(2.1 * half);
    expect(whole).toBeLessThan(8 * 32_000);
  });
});
