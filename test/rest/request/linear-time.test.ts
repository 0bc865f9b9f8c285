/**
 * What parses a request takes linear time, whatever the text. Its work is counted by its calls on texts: each character code, each
 * character that a search or a regular expression passes, and the length of texts that a method reads whole. Unlike a clock,
 * that is exact on a busy machine.
 */
import { describe, expect, it } from 'vitest';
import { parseCsv } from '../../../functions/rest/request/csv.ts';
import { parseFilterKey } from '../../../functions/rest/request/field.ts';
import { parseFilter } from '../../../functions/rest/request/filter.ts';
import { findJsonExcess } from '../../../functions/rest/request/json-excess.ts';
import { parseLogicTree } from '../../../functions/rest/request/logic-tree.ts';
import { parseColumns, parseOrder, parseSelect } from '../../../functions/rest/request/select.ts';

type Method = (this: { length: number }, ...args: unknown[]) => unknown;

/** The cost of a call, from its object, its arguments and its result. */
type Cost = (on: { length: number }, args: unknown[], result: unknown) => number;

const one: Cost = () => 1;
const whole: Cost = text => 1 + text.length;
const passed: Cost = (text, [, from = 0], found) =>
  1 + (Number(found) < 0 ? text.length : Number(found)) - Number(from);
const matched: Cost = (_, __, found) => 1 + ((found as RegExpExecArray | null)?.[0].length ?? 0);

const parsed: Cost = (_, [text]) => 1 + String(text).length;

const counted: [prototype: object, method: string, cost: Cost][] = [
  [String.prototype, 'charCodeAt', one],
  [String.prototype, 'codePointAt', one],
  [String.prototype, 'startsWith', one],
  [String.prototype, 'indexOf', passed],
  [String.prototype, 'includes', whole],
  [String.prototype, 'split', whole],
  [String.prototype, 'replaceAll', whole],
  [String.prototype, 'trim', whole],
  [RegExp.prototype, 'exec', matched],
  [JSON, 'parse', parsed],
];

function stepsOf(run: () => unknown): number {
  let steps = 0;
  const originals = counted.map(([prototype, name, cost]) => {
    const method = Reflect.get(prototype, name) as Method;
    Reflect.set(prototype, name, function (this: { length: number }, ...args: unknown[]) {
      const result = method.apply(this, args);
      steps += cost(this, args, result);
      return result;
    });
    return { prototype, name, method };
  });
  try {
    run();
  } finally {
    for (const { prototype, name, method } of originals) {
      Reflect.set(prototype, name, method);
    }
  }
  return steps;
}

type Parse = (text: string) => unknown;

/** The steps for a text of twice the length are about twice as many, and few for each character. */
function expectLinear(parse: Parse, make: (length: number) => string, length: number, perCharacter: number) {
  const [half = 0, whole = 0] = [length, 2 * length].map(length => stepsOf(() => parse(make(length))));
  expect(half).toBeGreaterThan(0);
  expect(whole).toBeLessThan(2.1 * half + 100);
  expect(whole).toBeLessThan(perCharacter * 2 * length);
}

const parsers: Record<string, Parse> = {
  name: parseFilterKey,
  filter: parseFilter,
  select: parseSelect,
  order: parseOrder,
  columns: text => parseColumns('columns', text),
  conditions: text => parseLogicTree('or', text),
};

describe.each(Object.entries(parsers))('the grammar of %s', (_, parse) => {
  it.each([
    ...['(', 'a(', '(or', 'or(', '"', '\\', 'a,', ',"', '"\\",', '"a"b,', '->', '->a', '->1', '-', '-a', '.'],
    ...['a.', ' ', 'a.eq.1,', 'a.eq."\\",', 'a.in.("x"y,', 'a.cs.{,', 'a.cs.{a},', 'and(a.eq.1),', '...'],
    ...['...a(*),', '::', 'a:b,', 'a->"b",', '!a', 'a!b(*),', 'count(),'],
  ])('reads repetitions of %j in linear time', piece => {
    for (const start of ['', 'in.(', 'or(', '(', 'a', '"', 'a->', 'cs.{']) {
      expectLinear(parse, length => `${start}${piece.repeat(length / piece.length)}`, 4096, 50);
    }
  });
});

it.each<[what: string, make: (length: number) => string]>([
  ['quotes inside fields', n => `${'"x'.repeat(n / 4)}${' '.repeat(n / 2)},\n`],
  ['quoted fields with spaces', n => `a\n${'"a"    '.repeat(n / 7)}`],
  ['spaces behind every quote', n => `a\n${'"a"    \n'.repeat(n / 8)}`],
  ['doubled quotes', n => `a\n"${'""'.repeat(n / 2)}`],
  ['a quote that is not closed', n => `a\n${'x\n'.repeat(n / 4)}"${'x'.repeat(n / 2)}`],
  ['commas', n => ','.repeat(n)],
  ['empty lines', n => '\n'.repeat(n)],
  ['an error in the last line', n => `a\n${'1\r\n'.repeat(n / 3)}1,2`],
])('CSV is read in linear time: %s', (_, make) => expectLinear(parseCsv, make, 16_384, 8));

it.each<[what: string, make: (length: number) => string]>([
  ['lists', n => '[],'.repeat(n / 3)],
  ['a text of brackets', n => `"${'['.repeat(n)}`],
  ['quotes', n => '"'.repeat(n)],
  ['escaped quotes', n => `"${'\\"'.repeat(n / 2)}`],
  ['backslashes and quotes', n => `"${`${'\\'.repeat(99)}"`.repeat(n / 100)}`],
  ['colons before a long number', n => `{${':'.repeat(n)}1e400`],
  ['colons after a long key', n => `{"${'a'.repeat(n / 2)}"${':'.repeat(n / 2)}1e400`],
  ['a long key in many levels', n => `{"${'a'.repeat(n - 999)}"${':{'.repeat(499)}:1e400`],
])('what is too much in JSON is found in linear time: %s', (_, make) =>
  expectLinear(findJsonExcess, make, 16_000, 8));
