import { describe, expect, it } from 'vitest';
import { parseColumns, parseOrder, parseSelect } from '../../functions/request/select.ts';
import { refusal } from './refusal.ts';

const column = (name: string, more: object = {}) => ({ is: 'field', field: { name, path: [] }, ...more });
const all = { is: 'all' };

describe('a select parameter', () => {
  it.each([
    ['', [all]],
    [' *', [all]],
    ['*,code', [all, column('code')]],
    ['code, name ,\twidth', [column('code'), column('name'), column('width')]],
    ['"a,b"', [column('a,b')]],
    ['"n:1":code', [column('code', { alias: 'n:1' })]],
    ['code::double precision', [column('code', { cast: 'double precision' })]],
    ['n:code::text', [column('code', { alias: 'n', cast: 'text' })]],
  ])('names columns: %s', (text, value) => {
    expect(parseSelect(text)).toEqual({ ok: true, value });
  });

  it.each([
    ['a->0::int', [{ arrow: '->', operand: 0 }], { cast: 'int' }],
    ['n:a->>b::int', [{ arrow: '->>', operand: 'b' }], { alias: 'n', cast: 'int' }],
    ['a->-1::int', [{ arrow: '->', operand: -1 }], { cast: 'int' }],
    ['a->b.sum()', [{ arrow: '->', operand: 'b' }], { aggregate: 'sum' }],
  ])('follows JSON paths: %s', (text, path, more) => {
    const value = [{ ...column('a', more), field: { name: 'a', path } }];
    expect(parseSelect(text)).toEqual({ ok: true, value });
  });

  it.each([
    ['a.min()', [column('a', { aggregate: 'min' })]],
    [
      'n:a::int.avg()::text',
      [column('a', { alias: 'n', cast: 'int', aggregate: 'avg', aggregateCast: 'text' })],
    ],
    ['n:count()::int', [{ is: 'count', alias: 'n', aggregateCast: 'int' }]],
  ])('aggregates: %s', (text, value) => {
    expect(parseSelect(text)).toEqual({ ok: true, value });
  });

  it.each([
    ['code,', 'column 6: unexpected end of input'],
    ['(', 'column 1: unexpected "("'],
    ['code" from pg_user--', `column 5: unexpected '"'`],
    ['name!hint', `column 5: unexpected '!'`],
    ['name::text::int', `column 11: unexpected ':' expecting letter, digit, ".", ")", "," or end of input`],
    ['a.median()', 'column 3: unexpected "m" expecting "sum", "avg", "count", "max" or "min"'],
    ['a(b', 'column 4: unexpected end of input'],
    ['count(*)', `column 6: unexpected '('`],
    ["a'b", `column 2: unexpected '\\''`],
  ])('is refused at its first error: %s', (text, reason) => {
    expect(refusal(parseSelect(text)).slice(0, reason.length)).toBe(reason);
  });
});

const by = (name: string, more: object = {}) => ({ is: 'field', field: { name, path: [] }, ...more });

describe('an order', () => {
  it.each([
    ['name', [by('name')]],
    ['name.nullsfirst', [by('name', { nulls: 'first' })]],
    ['name.desc.nullslast', [by('name', { direction: 'desc', nulls: 'last' })]],
    ['name , code.asc', [by('name'), by('code', { direction: 'asc' })]],
    ['"name.desc"', [by('name.desc')]],
  ])('names columns and directions: %s', (text, value) => {
    expect(parseOrder(text)).toEqual({ ok: true, value });
  });

  it.each([
    ['', 'column 1: unexpected end of input expecting field name (* or [a..z0..9_$])'],
    ['id.nulsfist', 'column 4: unexpected "n" expecting "asc", "desc", "nullsfirst" or "nullslast"'],
    ['id.descc', `column 8: unexpected 'c' expecting delimiter (.), "," or end of input`],
    ['id.asc.nlsfst', 'column 8: unexpected "l" expecting "nullsfirst" or "nullslast"'],
    ['id.nullsfirst.desc', `column 14: unexpected '.' expecting "," or end of input`],
  ])('is refused at its first error: %s', (text, reason) => {
    expect(refusal(parseOrder(text))).toBe(reason);
  });
});

describe('a list of columns', () => {
  it.each([
    [' name , code ', ['name', 'code']],
    ['"a,b",two words,with-dash', ['a,b', 'two words', 'with-dash']],
  ])('holds names: %s', (text, value) => {
    expect(parseColumns('columns', text)).toEqual({ ok: true, value });
  });

  it.each([
    ['a,,b', 'column 3: unexpected "," expecting field name (* or [a..z0..9_$])'],
    ['a;b', `column 2: unexpected ';' expecting letter, digit, "-", "," or end of input`],
    ['a->b', `column 4: unexpected '>'`],
  ])('is refused at its first error: %s', (text, reason) => {
    expect(refusal(parseColumns('columns', text))).toBe(reason);
  });
});
