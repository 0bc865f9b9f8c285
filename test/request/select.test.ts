import { describe, expect, it } from 'vitest';
import { parseColumns, parseOrder, parseSelect } from '../../functions/request/select.ts';
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

const by = (name: string, more: object = {}) => ({ is: 'field', field: { name, path: [] }, ...more });

describe('an order', () => {
  it.each([
    ['name', [by('name')]],
    ['name.asc', [by('name', { direction: 'asc' })]],
    ['name.desc', [by('name', { direction: 'desc' })]],
    ['name.nullsfirst', [by('name', { nulls: 'first' })]],
    ['name.nullslast', [by('name', { nulls: 'last' })]],
    ['name.desc.nullslast', [by('name', { direction: 'desc', nulls: 'last' })]],
    ['name.desc, code', [by('name', { direction: 'desc' }), by('code')]],
    ['name , code.asc', [by('name'), by('code', { direction: 'asc' })]],
    ['"name.desc"', [by('name.desc')]],
  ])('names columns and directions: %s', (text, value) => {
    expect(parseOrder(text)).toEqual({ ok: true, value });
  });

  it.each([
    ['a->>b.desc', [{ arrow: '->>', operand: 'b' }], { direction: 'desc' }],
    ['a->0.desc', [{ arrow: '->', operand: 0 }], { direction: 'desc' }],
    [
      'a->!@#$%^&*_b.asc.nullslast',
      [{ arrow: '->', operand: '!@#$%^&*_b' }],
      { direction: 'asc', nulls: 'last' },
    ],
  ])('follows JSON paths: %s', (text, path, more) => {
    expect(parseOrder(text)).toEqual({
      ok: true,
      value: [{ is: 'field', field: { name: 'a', path }, ...more }],
    });
  });

  it.each([
    'items(name)',
    'items(data->>x).desc.nullsfirst',
    ' items( name )',
  ])('names embedded resources: %s', text => {
    expect(parseOrder(text)).toEqual({ ok: true, value: [{ is: 'embedding', name: 'items' }] });
  });

  it.each([
    ['', 'column 1: unexpected end of input expecting field name (* or [a..z0..9_$])'],
    ['name,', 'column 6: unexpected end of input expecting field name (* or [a..z0..9_$])'],
    ['id.ac', 'column 4: unexpected "c" expecting "asc", "desc", "nullsfirst" or "nullslast"'],
    ['id.smth34', 'column 4: unexpected "s" expecting "asc", "desc", "nullsfirst" or "nullslast"'],
    ['id.nulsfist', 'column 4: unexpected "n" expecting "asc", "desc", "nullsfirst" or "nullslast"'],
    ['id.descc', `column 8: unexpected 'c' expecting delimiter (.), "," or end of input`],
    ['id.asc.nlsfst', 'column 8: unexpected "l" expecting "nullsfirst" or "nullslast"'],
    ['id.asc.nullslasttt', `column 17: unexpected 't' expecting "," or end of input`],
    [
      'a"',
      `column 2: unexpected '"' expecting letter, digit, "-", "->>", "->", delimiter (.), "," or end of input`,
    ],
    [
      "a'",
      `column 2: unexpected '\\'' expecting letter, digit, "-", "->>", "->", delimiter (.), "," or end of input`,
    ],
    ['id.nullsfirst.desc', `column 14: unexpected '.' expecting "," or end of input`],
    [
      'clients(name,id)',
      `column 8: unexpected '(' expecting letter, digit, "-", "->>", "->", delimiter (.), "," or end of input`,
    ],
  ])('is refused at its first error: %s', (text, reason) => {
    expect(refusal(parseOrder(text))).toBe(reason);
  });

  it('is named in its errors', () => {
    expect(parseOrder('(')).toMatchObject({ failure: { parameter: 'order', input: '(' } });
  });
});

describe('a list of columns', () => {
  it.each([
    ['name', ['name']],
    ['name,code', ['name', 'code']],
    [' name , code ', ['name', 'code']],
    ['"a,b",two words,with-dash', ['a,b', 'two words', 'with-dash']],
    ['a,a', ['a', 'a']],
  ])('holds names: %s', (text, value) => {
    expect(parseColumns('columns', text)).toEqual({ ok: true, value });
  });

  it.each([
    ['', 'column 1: unexpected end of input expecting field name (* or [a..z0..9_$])'],
    ['a,', 'column 3: unexpected end of input expecting field name (* or [a..z0..9_$])'],
    ['a,,b', 'column 3: unexpected "," expecting field name (* or [a..z0..9_$])'],
    ['a;b', `column 2: unexpected ';' expecting letter, digit, "-", "," or end of input`],
    ['a->b', `column 4: unexpected '>'`],
    ['*', 'column 1: unexpected "*" expecting field name (* or [a..z0..9_$])'],
  ])('is refused at its first error: %s', (text, reason) => {
    expect(refusal(parseColumns('columns', text))).toBe(reason);
  });

  it.each(['columns', 'on_conflict'] as const)('is named after its parameter in errors: %s', parameter => {
    expect(parseColumns(parameter, '')).toMatchObject({ failure: { parameter: `${parameter} parameter` } });
  });
});
