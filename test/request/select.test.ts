import { describe, expect, it } from 'vitest';
import { parseSelect } from '../../functions/request/select.ts';
import { refusal } from './refusal.ts';

const column = (name: string, more: object = {}) => ({ is: 'field', field: { name, path: [] }, ...more });
const all = { is: 'all' };
const embedding = (name: string) => ({ is: 'embedding', name });

describe('a select parameter', () => {
  it.each([
    ['', [all]],
    ['*', [all]],
    [' *', [all]],
    ['*,code', [all, column('code')]],
    ['code', [column('code')]],
    ['code,name', [column('code'), column('name')]],
    ['code, name ,\twidth', [column('code'), column('name'), column('width')]],
    ['code,code', [column('code'), column('code')]],
    ['"a,b"', [column('a,b')]],
    ['count', [column('count')]],
    ['n:code', [column('code', { alias: 'n' })]],
    ['"n:1":code', [column('code', { alias: 'n:1' })]],
    ['code::text', [column('code', { cast: 'text' })]],
    ['code::double precision', [column('code', { cast: 'double precision' })]],
    ['n:code::text', [column('code', { alias: 'n', cast: 'text' })]],
  ])('names columns: %s', (text, value) => {
    expect(parseSelect(text)).toEqual({ ok: true, value });
  });

  it.each([
    ['a->b', [{ arrow: '->', operand: 'b' }], {}],
    [
      'a->0->>b',
      [
        { arrow: '->', operand: 0 },
        { arrow: '->>', operand: 'b' },
      ],
      {},
    ],
    ['n:a->>b::int', [{ arrow: '->>', operand: 'b' }], { alias: 'n', cast: 'int' }],
    ['a->-1::int', [{ arrow: '->', operand: -1 }], { cast: 'int' }],
    ['a->b.sum()', [{ arrow: '->', operand: 'b' }], { aggregate: 'sum' }],
  ])('follows JSON paths: %s', (text, path, more) => {
    const value = [{ ...column('a', more), field: { name: 'a', path } }];
    expect(parseSelect(text)).toEqual({ ok: true, value });
  });

  it.each([
    ['a.sum()', [column('a', { aggregate: 'sum' })]],
    ['a.avg()', [column('a', { aggregate: 'avg' })]],
    ['a.count()', [column('a', { aggregate: 'count' })]],
    ['a.max()', [column('a', { aggregate: 'max' })]],
    ['a.min()', [column('a', { aggregate: 'min' })]],
    [
      'n:a::int.avg()::text',
      [column('a', { alias: 'n', cast: 'int', aggregate: 'avg', aggregateCast: 'text' })],
    ],
    ['count()', [{ is: 'count' }]],
    ['a,count()', [column('a'), { is: 'count' }]],
    ['n:count()::int', [{ is: 'count', alias: 'n', aggregateCast: 'int' }]],
  ])('aggregates: %s', (text, value) => {
    expect(parseSelect(text)).toEqual({ ok: true, value });
  });

  it.each([
    ['nope(*)', [embedding('nope')]],
    ['nope()', [embedding('nope')]],
    ['code,nope(*),name', [column('code'), embedding('nope'), column('name')]],
    ['...nope(a)', [embedding('nope')]],
    ['n:nope(a)', [embedding('nope')]],
    ['nope!inner(a)', [embedding('nope')]],
    ['nope!key!left(a)', [embedding('nope')]],
    ['n:nope!inner(a,b(c,...d(*)),e:f->g::text)', [embedding('nope')]],
    ['a(*),b(*)', [embedding('a'), embedding('b')]],
  ])('names embedded resources: %s', (text, value) => {
    expect(parseSelect(text)).toEqual({ ok: true, value });
  });

  it('nests 32 levels deep and no deeper', () => {
    const select = (depth: number) => `${'a('.repeat(depth)}*${')'.repeat(depth)}`;
    expect(parseSelect(select(32))).toEqual({ ok: true, value: [embedding('a')] });
    expect(refusal(parseSelect(select(33)))).toBe('column 66: unexpected nesting of more than 32 levels');
    expect(refusal(parseSelect(select(10_000)))).toBe('column 66: unexpected nesting of more than 32 levels');
  });

  const afterName = 'expecting letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input';

  it.each([
    [
      'code,',
      'column 6: unexpected end of input expecting "...", field name (* or [a..z0..9_$]), "*" or "count()"',
    ],
    ['(', 'column 1: unexpected "(" expecting "...", field name (* or [a..z0..9_$]), "*" or "count()"'],
    ['code" from pg_user--', `column 5: unexpected '"' ${afterName}`],
    ['code;drop', `column 5: unexpected ';' ${afterName}`],
    ['name!hint', `column 5: unexpected '!' ${afterName}`],
    ['id,clients(name[])', `column 16: unexpected '[' ${afterName}`],
    ['*!hint', `column 2: unexpected '!' expecting ")", "," or end of input`],
    ['name::', 'column 7: unexpected end of input expecting letter or digit'],
    ['name::text::int', `column 11: unexpected ':' expecting letter, digit, ".", ")", "," or end of input`],
    ['a.median()', 'column 3: unexpected "m" expecting "sum", "avg", "count", "max" or "min"'],
    ['a.sum', 'column 6: unexpected end of input expecting "()"'],
    ['data->>-78xy', `column 11: unexpected 'x' expecting digit, "->", "::", ".", "," or end of input`],
    [
      'a)',
      `column 2: unexpected ')' expecting letter, digit, "-", "->>", "->", "::", ".", "," or end of input`,
    ],
    [
      'a(b',
      'column 4: unexpected end of input expecting letter, digit, "-", "->>", "->", "::", ".", ")" or ","',
    ],
    ['count(*)', `column 6: unexpected '(' ${afterName}`],
    ["a'b", `column 2: unexpected '\\'' ${afterName}`],
  ])('is refused at its first error: %s', (text, reason) => {
    expect(refusal(parseSelect(text))).toBe(reason);
  });

  it('is named in its errors', () => {
    expect(parseSelect('(')).toMatchObject({ failure: { parameter: 'select parameter', input: '(' } });
  });
});
