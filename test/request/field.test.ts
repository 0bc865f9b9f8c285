import { describe, expect, it } from 'vitest';
import { parseFilterKey } from '../../functions/request/field.ts';
import { refusal } from './refusal.ts';

const column = (name: string, ...path: [string, string | number][]) => ({
  ok: true,
  value: { is: 'field', field: { name, path: path.map(([arrow, operand]) => ({ arrow, operand })) } },
});

describe('the key of a filter', () => {
  it.each([
    ['_$1', '_$1'],
    ['größe', 'größe'],
    [' spaces around ', 'spaces around'],
    ['" spaces kept "', ' spaces kept '],
    [String.raw`"a \"quote\" and a \\"`, String.raw`a "quote" and a \ `.trim()],
    ['name[0]', 'name'],
    ['name[999]', 'name'],
    [' name [0]', 'name'],
    ['"name"[007]', 'name'],
  ])('names a column, which may have a number behind it: %s', (text, name) => {
    expect(parseFilterKey(text)).toEqual(column(name));
  });

  it.each([
    ['a-b->c-d->>e', column('a-b', ['->', 'c-d'], ['->>', 'e'])],
    ['a->0', column('a', ['->', 0])],
    ['a->5k', column('a', ['->', '5k'])],
    ['a->>"b.c"', column('a', ['->>', 'b.c'])],
    ['a->"0"', column('a', ['->', '0'])],
    ['a->2147483647', column('a', ['->', 2147483647])],
    ['a->2147483648', column('a', ['->', '2147483648'])],
    ['a->b[0]', column('a', ['->', 'b[0]'])],
    ['items.data->>x', { ok: true, value: { is: 'embedding', name: 'items' } }],
  ])('is a path of JSON, or a resource that is embedded: %s', (text, result) => {
    expect(parseFilterKey(text)).toEqual(result);
  });

  it.each([
    ['', 'column 1: unexpected end of input expecting field name (* or [a..z0..9_$])'],
    ['a.', 'column 3: unexpected end of input expecting field name (* or [a..z0..9_$])'],
    ['"open', String.raw`column 6: unexpected end of input expecting "\\" or "\""`],
    ['"a"b', `column 4: unexpected 'b' expecting delimiter (.), "->>", "->", "[" or end of input`],
    ['a[]', 'column 3: unexpected "]" expecting digit'],
    ['a[12x]', 'column 5: unexpected "x" expecting "]"'],
    ['a[1000]', 'column 6: unexpected "0" expecting "]"'],
    ['a[0]->b', `column 5: unexpected '-' expecting "[" or end of input`],
    ['a->>--34', 'column 6: unexpected "-" expecting digit'],
    ['a->>-78xy', `column 8: unexpected 'x' expecting digit, "->", "::", ".", "," or end of input`],
    ['a->-2147483648', 'column 15: unexpected index beyond 2147483647'],
    ['"🦅🦅"!', `column 5: unexpected '!' expecting delimiter (.), "->>", "->", "[" or end of input`],
  ])('is refused at its first error, as by PostgREST: %s', (text, reason) => {
    expect(refusal(parseFilterKey(text))).toBe(reason);
  });
});
