import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCsv } from '../../functions/request/csv.ts';

const refused = (details: string) => ({
  ok: false,
  failure: { is: 'invalid body', message: 'Empty or invalid CSV', details },
});

describe('CSV', () => {
  it.each([
    [
      'a,b\n1,2\n3,4\n',
      [
        { a: '1', b: '2' },
        { a: '3', b: '4' },
      ],
    ],
    ['a,b\r\n1,2\r\n', [{ a: '1', b: '2' }]],
    ['a,b\n1,2', [{ a: '1', b: '2' }]],
    ['a,b', []],
    ['a,b\n\n1,2\n\n', [{ a: '1', b: '2' }]],
    ['a,b\n,\n', [{ a: '', b: '' }]],
    ['a\n 1 \n', [{ a: ' 1 ' }]],
  ])('has rows under the names of its first line: %j', (text, rows) => {
    expect(parseCsv(text)).toEqual({ ok: true, value: rows });
  });

  it.each([
    ['a,b\n"1,2",3', { a: '1,2', b: '3' }],
    ['a,b\n"say ""hi""",3', { a: 'say "hi"', b: '3' }],
    ['a,b\n"two\nlines",3', { a: 'two\nlines', b: '3' }],
    ['"a,b",c\n1,2', { 'a,b': '1', c: '2' }],
    ['a,b\nñandú,🦅', { a: 'ñandú', b: '🦅' }],
  ])('has quotes around what would end a field: %j', (text, row) => {
    expect(parseCsv(text)).toEqual({ ok: true, value: [row] });
  });

  it('takes NULL for null, and nothing else', () => {
    expect(parseCsv('a,b,c,d\nNULL,null,,NULL!\n')).toEqual({
      ok: true,
      value: [{ a: null, b: 'null', c: '', d: 'NULL!' }],
    });
  });

  it('leaves the last columns of a short line out', () => {
    expect(parseCsv('a,b,c\n1\n1,2\n')).toEqual({ ok: true, value: [{ a: '1' }, { a: '1', b: '2' }] });
  });

  it.each([
    ['name\nA;B\nC;D\n', [{ name: 'A;B' }, { name: 'C;D' }]],
    ['name;code\nA;B\n', [{ 'name;code': 'A;B' }]],
    ['name\tcode\nA\tB\n', [{ 'name\tcode': 'A\tB' }]],
    ['name|code\nA|B\n', [{ 'name|code': 'A|B' }]],
  ])('knows no separator but the comma: %j', (text, rows) => {
    expect(parseCsv(text)).toEqual({ ok: true, value: rows });
  });

  it.each(['', '\n', '\r\n\r\n'])('is refused without a line of names: %j', text => {
    expect(parseCsv(text)).toEqual(refused('The first line must name the columns.'));
  });

  it('is refused where a line has more fields than names', () => {
    expect(parseCsv('a,b\n1,2\n1,2,3\n')).toEqual(refused('Line 3 has more fields than the first.'));
  });

  it('is refused where a quote is not closed', () => {
    expect(parseCsv('a,b\n1,"2\n')).toMatchObject({ failure: { is: 'invalid body' } });
  });

  it('gives back any texts that were written in quotes', () => {
    const text = fc.string({ unit: 'binary' }).filter(value => value !== 'NULL' && !value.includes('\uFEFF'));
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text)), rows => {
        const quoted = rows.map(row => row.map(value => `"${value.replaceAll('"', '""')}"`).join(','));
        expect(parseCsv(['a,b', ...quoted].join('\n'))).toEqual({
          ok: true,
          value: rows.map(([a, b]) => ({ a, b })),
        });
      }),
    );
  });
});
