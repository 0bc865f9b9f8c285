import { describe, expect, it } from 'vitest';
import { parseOrder } from '../../functions/request/order.ts';
import { refusal } from './refusal.ts';

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
