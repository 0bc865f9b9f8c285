import { describe, expect, it } from 'vitest';
import { parseColumns } from '../../functions/request/columns.ts';
import { refusal } from './refusal.ts';

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
