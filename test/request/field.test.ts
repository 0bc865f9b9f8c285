import { describe, expect, it } from 'vitest';
import { parseFilterKey } from '../../functions/request/field.ts';
import { refusal } from './refusal.ts';

const column = (name: string, ...path: [string, string | number][]) => ({
  ok: true,
  value: { is: 'field', field: { name, path: path.map(([arrow, operand]) => ({ arrow, operand })) } },
});

describe('the key of a filter', () => {
  it.each([
    ['code', 'code'],
    ['_$1', '_$1'],
    ['größe', 'größe'],
    ['two words', 'two words'],
    [' spaces around ', 'spaces around'],
    ['with-dashes-in-it', 'with-dashes-in-it'],
    ['"quoted.name"', 'quoted.name'],
    ['" spaces kept "', ' spaces kept '],
    [String.raw`"a \"quote\" and a \\"`, String.raw`a "quote" and a \ `.trim()],
    ['"🦅"', '🦅'],
  ])('names a column: %s', (text, name) => {
    expect(parseFilterKey(text)).toEqual(column(name));
  });

  it.each([
    ['a->b', column('a', ['->', 'b'])],
    ['a->>b', column('a', ['->>', 'b'])],
    ['a-b->c-d->>e', column('a-b', ['->', 'c-d'], ['->>', 'e'])],
    ['a->0', column('a', ['->', 0])],
    ['a->>-1', column('a', ['->>', -1])],
    ['a->0->b', column('a', ['->', 0], ['->', 'b'])],
    ['a->5k', column('a', ['->', '5k'])],
    ['a->>"b.c"', column('a', ['->>', 'b.c'])],
    ['a->"0"', column('a', ['->', '0'])],
    ['a->!@#$%^&*_b', column('a', ['->', '!@#$%^&*_b'])],
    ['"a.b"->c', column('a.b', ['->', 'c'])],
    ['a->2147483647', column('a', ['->', 2147483647])],
    ['a->2147483648', column('a', ['->', '2147483648'])],
  ])('follows a JSON path: %s', (text, result) => {
    expect(parseFilterKey(text)).toEqual(result);
  });

  it.each([
    'items.code',
    'items.parts.code',
    'items.data->>x',
    'items."a.b"',
  ])('names an embedded resource when there are several names: %s', text => {
    expect(parseFilterKey(text)).toEqual({ ok: true, value: { is: 'embedding', name: 'items' } });
  });

  it.each([
    'name[0]',
    'name[1]',
    'name[42]',
    'name[999]',
    'name[007]',
    ' name [0]',
    '"name"[0]',
  ])('may have a number behind the column, as several filters of one column have: %s', text => {
    expect(parseFilterKey(text)).toEqual(column('name'));
  });

  it('may not: a number behind a JSON path is part of its key', () => {
    expect(parseFilterKey('a->b[0]')).toEqual(column('a', ['->', 'b[0]']));
  });

  it.each([
    ['', 'column 1: unexpected end of input expecting field name (* or [a..z0..9_$])'],
    [':', 'column 1: unexpected ":" expecting field name (* or [a..z0..9_$])'],
    ['   ', 'column 1: unexpected " " expecting field name (* or [a..z0..9_$])'],
    [
      'name;drop',
      `column 5: unexpected ';' expecting letter, digit, "-", delimiter (.), "->>", "->", "[" or end of input`,
    ],
    ['a.', 'column 3: unexpected end of input expecting field name (* or [a..z0..9_$])'],
    ['"open', String.raw`column 6: unexpected end of input expecting "\\" or "\""`],
    [String.raw`"open\ `.trim(), 'column 7: unexpected end of input'],
    ['"a"b', `column 4: unexpected 'b' expecting delimiter (.), "->>", "->", "[" or end of input`],
    [
      'a->>',
      'column 5: unexpected end of input expecting "-", digit or any non reserved character different from: .,>()',
    ],
    [
      'a->(b',
      'column 4: unexpected "(" expecting "-", digit or any non reserved character different from: .,>()',
    ],
    ['a[]', 'column 3: unexpected "]" expecting digit'],
    ['a[', 'column 3: unexpected end of input expecting digit'],
    ['a[x]', 'column 3: unexpected "x" expecting digit'],
    ['a[-1]', 'column 3: unexpected "-" expecting digit'],
    ['a[ 0]', 'column 3: unexpected " " expecting digit'],
    ['a[٣]', 'column 3: unexpected "٣" expecting digit'],
    ['a[0', 'column 4: unexpected end of input expecting digit or "]"'],
    ['a[12x]', 'column 5: unexpected "x" expecting "]"'],
    ['a[1000]', 'column 6: unexpected "0" expecting "]"'],
    ['a[0][]', `column 6: unexpected "]" expecting digit`],
    ['a[0]x', `column 5: unexpected 'x' expecting "[" or end of input`],
    ['a[0]->b', `column 5: unexpected '-' expecting "[" or end of input`],
    ['a[0].b', `column 5: unexpected '.' expecting "[" or end of input`],
    ['a->>--34', 'column 6: unexpected "-" expecting digit'],
    ['a->>-78xy', `column 8: unexpected 'x' expecting digit, "->", "::", ".", "," or end of input`],
    ['a->-2147483648', 'column 15: unexpected index beyond 2147483647'],
    ['🦅', 'column 1: unexpected "🦅" expecting field name (* or [a..z0..9_$])'],
    ['"🦅🦅"!', `column 5: unexpected '!' expecting delimiter (.), "->>", "->", "[" or end of input`],
  ])('is refused at its first error: %s', (text, reason) => {
    expect(refusal(parseFilterKey(text))).toBe(reason);
  });

  it('is called a tree path in its errors', () => {
    expect(parseFilterKey('a!')).toMatchObject({ failure: { parameter: 'tree path', input: 'a!' } });
  });
});
