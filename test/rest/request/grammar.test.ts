/** PostgREST's grammar in the texts that test/conformance has no recorded answer to. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeParseError, type ParseError } from '../../../functions/common/failure/parse-error.ts';
import type { Result } from '../../../functions/common/failure/result.ts';
import { parseFilterKey } from '../../../functions/rest/request/field.ts';
import { parseFilter } from '../../../functions/rest/request/filter.ts';
import { parseLogicKey, parseLogicTree } from '../../../functions/rest/request/logic-tree.ts';
import { parseColumns, parseOrder, parseSelect } from '../../../functions/rest/request/select.ts';

const read = (value: unknown) => ({ ok: true, value });
const aColumn = (name: string, ...path: [string, string | number][]) => ({
  field: { name, path: path.map(([arrow, operand]) => ({ arrow, operand })) },
});
const field = (...column: Parameters<typeof aColumn>) => ({ ...aColumn(...column), embedded: [] });
const item = (...column: Parameters<typeof aColumn>) => ({ ...aColumn(...column), is: 'field' });

it.each([
  ['größe', field('größe')],
  [' spaces around ', field('spaces around')],
  ['" spaces kept "', field(' spaces kept ')],
  [String.raw`"a \"quote\" and a \\"`, field('a "quote" and a \\')],
  [' name [0]', field('name')],
  ['"name"[007]', field('name')],
  ['a-b->c-d->>e', field('a-b', ['->', 'c-d'], ['->>', 'e'])],
  ['a->5k', field('a', ['->', '5k'])],
  ['a->"0"', field('a', ['->', '0'])],
  ['a->2147483647', field('a', ['->', 2147483647])],
  ['a->2147483648', field('a', ['->', '2147483648'])],
  ['a->b[0]', field('a', ['->', 'b[0]'])],
  ['items."own parts".data->>x', { ...field('data', ['->>', 'x']), embedded: ['items', 'own parts'] }],
])('the key of a filter is a column, which may be numbered, a path of JSON, or of embedded rows: %s', (text, key) => {
  expect(parseFilterKey(text)).toEqual(read(key));
});

describe("a filter's value", () => {
  const operation = (of: object) => read({ negated: false, operation: of });

  it.each(['', '"quoted"', 'not.eq.5', ' spaces ', 'a\nb'])('is everything after the operator: %j', value => {
    expect(parseFilter(`eq.${value}`)).toEqual(operation({ operator: 'eq', value }));
  });

  it.each([
    ['in.()', []],
    ['in. (a , b) ', ['a ', ' b']],
    ['in.("")', ['']],
    ['in.(,)', ['', '']],
    [String.raw`in.("a\"b","c\\d","(")`, ['a"b', String.raw`c\d`, '(']],
    ['in.("a"b,c"d")', ['"a"b', 'c"d"']],
    ['in.("open,b)', ['"open', 'b']],
  ])('is split into a list: %s', (text, values) => {
    expect(parseFilter(text)).toEqual(operation({ operator: 'in', values }));
  });

  it('may have a configuration with spaces, or a word in any case', () => {
    const search = { operator: 'plfts', configuration: 'simple', value: 'a b' };
    expect(parseFilter('plfts( simple ).a b')).toEqual(operation(search));
    expect(parseFilter('is.Not_Null')).toEqual(operation({ operator: 'is', value: 'not_null' }));
  });
});

describe('logic', () => {
  it.each<[key: string, expected?: object]>([
    ['not.or', { embedded: [], operator: 'not.or' }],
    ['items.parts.and', { embedded: ['items', 'parts'], operator: 'and' }],
    ['not.items.or', { embedded: ['items'], operator: 'not.or' }],
    ['items.not.or', { embedded: ['items'], operator: 'not.or' }],
    ['"my items".and', { embedded: ['my items'], operator: 'and' }],
    ...['', 'android', 'items.code', '"or"', 'OR', 'data->>x.or', 'not'].map((key): [string] => [key]),
  ])('may belong to embedded rows, and is no other key: %j', (key, expected) => {
    expect(parseLogicKey(key)).toEqual(expected);
  });

  const equals = (name: string, value: string) => ({ field: { name }, operation: { operator: 'eq', value } });
  const contains = (value: string) => ({ field: { name: 'a' }, operation: { operator: 'cs', value } });
  it.each([
    ['(a.eq."x"y)', [equals('a', '"x"y')]],
    ['("a.b".eq.1)', [equals('a.b', '1')]],
    ['(and.eq.1)', [equals('and', '1')]],
    ['(a.cs.{x,y},b.eq.2)', [contains('{x,y}'), equals('b', '2')]],
    ['(a.cs.{x,b.eq.2)', [contains('{x'), equals('b', '2')]],
    ['(a.not.in.(1,"2,3"))', [{ negated: true, operation: { operator: 'in', values: ['1', '2,3'] } }]],
  ])('holds conditions: %s', (text, conditions) => {
    expect(parseLogicTree('or', text)).toMatchObject(read({ is: 'or', negated: false, conditions }));
  });
});

it.each([
  [' *', [{ is: 'all' }]],
  ['"n:1":a', [{ ...item('a'), alias: 'n:1' }]],
  ['a::double precision', [{ ...item('a'), cast: 'double precision' }]],
  ['n:a->>b::int', [{ ...item('a', ['->>', 'b']), alias: 'n', cast: 'int' }]],
  ['a->-1', [item('a', ['->', -1])]],
  ['a::int.avg()::text', [{ ...item('a'), cast: 'int', aggregate: 'avg', aggregateCast: 'text' }]],
  ['n:count()::int', [{ is: 'count', alias: 'n', aggregateCast: 'int' }]],
])('select names columns, casts and aggregates: %s', (text, value) => {
  expect(parseSelect(text)).toEqual(read(value));
});

it('an order, and a list of columns, may have names in quotes or with spaces', () => {
  expect(parseOrder('"name.desc"')).toEqual(read([{ field: { name: 'name.desc', path: [] } }]));
  expect(parseColumns('columns', ' name ,"a,b",two words')).toEqual(read(['name', 'a,b', 'two words']));
});

/** Why a text was refused, in one line: `4: Expected "(", found "E".` */
const refusal = (result: Result<unknown, ParseError>): string =>
  result.ok ? 'accepted' : `${result.failure.character}: ${describeParseError('', result.failure).details}`;
const directions = '.asc, .desc, .nullsfirst, .nullslast, "," or the end';
const orOf = (text: string) => parseLogicTree('or', text);
const columnsOf = (text: string) => parseColumns('columns', text);

it.each<[string, (text: string) => Result<unknown, ParseError>, string]>([
  ['', parseFilterKey, '1: Expected a name, found the end.'],
  ['"open', parseFilterKey, String.raw`6: Expected "\"", found the end.`],
  ['a[1000]', parseFilterKey, '2: Expected the end, found "[".'],
  ['a->-2147483648', parseFilterKey, '4: Expected a key or an index, found "-".'],
  ['"🦅🦅"!', parseFilterKey, '5: Expected the end, found "!".'],
  ['in.EAGLE', parseFilter, '4: Expected "(", found "E".'],
  ['is.nullable', parseFilter, '8: Expected the end, found "a".'],
  ['not.', parseFilter, '5: Expected an operator (eq, gt, …), found the end.'],
  ['neq(any).{1}', parseFilter, '4: Expected ".", found "(".'],
  ['(a.eq.1', orOf, '8: Expected "," or ")", found the end.'],
  ['(id.eq.1,not.xor(id.eq.2))', orOf, '14: Expected an operator (eq, gt, …), found "x".'],
  ['a.median()', parseSelect, '3: Expected sum(), avg(), count(), max() or min(), found "m".'],
  ['id.nulsfist', parseOrder, `3: Expected ${directions}, found ".".`],
  ['a;b', columnsOf, '2: Expected the end, found ";".'],
])('a text is refused with what was found where: %s', (text, parse, reason) => {
  expect(refusal(parse(text))).toBe(reason);
});

it('any values of a list and of a logic tree that are quoted are parsed as they were', () => {
  const quoted = fc.string({ unit: 'grapheme' }).map(name => ({
    name,
    text: `"${name.replaceAll(/["\\]/g, '\\$&')}"`,
  }));
  fc.assert(
    fc.property(fc.array(quoted, { minLength: 1 }), values => {
      const names = values.map(({ name }) => name);
      const list = parseFilter(`in.(${values.map(({ text }) => text).join()})`);
      expect(list).toMatchObject({ value: { operation: { operator: 'in', values: names } } });
      const tree = parseLogicTree('and', `(${values.map(({ text }) => `a.eq.${text}`).join()})`);
      const conditions = names.map(value => ({ field: { name: 'a' }, operation: { operator: 'eq', value } }));
      expect(tree).toMatchObject({ value: { conditions } });
    }),
  );
});
