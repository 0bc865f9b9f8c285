import { describe, expect, it } from 'vitest';
import { limits } from '../../../functions/common/limits.ts';
import { parseCsv } from '../../../functions/rest/request/csv.ts';

const refused = (details: string) => ({
  ok: false,
  failure: { is: 'invalid body', message: 'Empty or invalid CSV', details },
});

describe('CSV', () => {
  it.each([
    ['a,b', []],
    ['\r\n\r\na,b\r\n\r\n1,2', [{ a: '1', b: '2' }]],
    ['a\r 1 \r', [{ a: ' 1 ' }]],
    ['a,b,c\n1\n1,2\n', [{ a: '1' }, { a: '1', b: '2' }]],
    ['name\nA;B\nC|D\n', [{ name: 'A;B' }, { name: 'C|D' }]],
  ])('takes the names of the columns from its first line: %j', (text, rows) => {
    expect(parseCsv(text)).toEqual({ ok: true, value: rows });
  });

  it.each([
    ['a,b\n"say ""hi""",3', { a: 'say "hi"', b: '3' }],
    ['a,b\n"1"  ,"2" ', { a: '1', b: '2' }],
    ['a,b\n"""""","""x"', { a: '""', b: '"x' }],
    ['a,b\n5" wide, "x"', { a: '5" wide', b: ' "x"' }],
  ])('has quotes around fields with special characters: %j', (text, row) => {
    expect(parseCsv(text)).toEqual({ ok: true, value: [row] });
  });

  it('reads an empty field and NULL as null, and neither in quotes', () => {
    expect(parseCsv('a,b,c,d,e,f\nNULL,null,,NULL!,"NULL",""\n')).toEqual({
      ok: true,
      value: [{ a: null, b: 'null', c: null, d: 'NULL!', e: 'NULL', f: '' }],
    });
  });

  it.each([
    ['a record of Postgres', 'a,b\n"back\\\\slash","2026-05-20 10:00:00+00"\n', 'back\\slash'],
    ['a record with an array', 'a\n"{""c\\\\""""d""}"\n', '{"c\\""d"}'],
    ['fields that are all in quotes', '"a","b"\n"back\\\\slash","x"\n', 'back\\\\slash'],
    ['a single backslash', 'a,b\n"\\\\server\\share, 1",x\n', '\\\\server\\share, 1'],
  ])('has single backslashes only where Postgres doubled them: %s', (_, text, a) => {
    expect(parseCsv(text)).toMatchObject({ ok: true, value: [{ a }] });
  });

  it.each([';', '\t', '|'])('is refused with a hint when its columns are separated by %j', separator => {
    expect(parseCsv(`name${separator}code\nA${separator}B,C\n`)).toMatchObject({
      failure: { is: 'invalid body', hint: 'Separate columns with commas.' },
    });
  });

  it.each([
    ['\r\n\r\n', 'The first line must name the columns.'],
    ['a,b\r\n"1\r\n\r\n2",3\r\n\r\n4,5,6', 'Line 6 has more fields than the first.'],
    ['a,b\r"1\r2",3\r4,5,', 'Line 4 has more fields than the first.'],
    ['a\n\n1\n"', 'Line 4: A field begins with a quote that is not closed.'],
    ['a,b\n\n"1" "2",3', 'Line 3: A closing quote is followed by something other than a comma.'],
  ])('is refused with the line of its error: %j', (text, details) => {
    expect(parseCsv(text)).toEqual(refused(details));
  });
});

it('the size of CSV is limited by its length as JSON, where each row repeats the names', () => {
  const name = 'n'.repeat(1000);
  const accepted = parseCsv(`${name}\n${'1\n'.repeat(4000)}`);
  expect(accepted.ok && JSON.stringify(accepted.value).length).toBeLessThan(limits.body.csvAsJson);
  const refused = { ok: false, failure: { is: 'too complex' } };
  expect(parseCsv(`${name}\n${'1\n'.repeat(4200)}`)).toMatchObject(refused);
});
