import { describe, expect, it } from 'vitest';
import { argumentsOf, shapeOf } from '../../functions/statement/render.ts';
import { comment, empty, identifier, join, type Sql, sql } from '../../functions/statement/sql.ts';

describe('a literal', () => {
  it.each([
    ["it's", "'it''s'"],
    ['"quoted"', `'"quoted"'`],
    ['$$ /* -- */ $1', "'$$ /* -- */ $1'"],
    ['ñandú 🦤', "'ñandú 🦤'"],
    ["'; drop table builder.quotes; --", "'''; drop table builder.quotes; --'"],
  ])('has its quotes doubled: %j', (value, text) => {
    expect(sql`${value}`.text).toBe(text);
  });

  it.each([
    ["\\'", String.raw` E'\\'''`],
    ['\\x41\\u0041\\n', String.raw` E'\\x41\\u0041\\n'`],
    ['\\\\', String.raw` E'\\\\'`],
  ])('with a backslash is an E literal with doubled backslashes: %j', (value, text) => {
    expect(sql`${value}`.text).toBe(text);
  });

  it('begins with a space, so that its E does not join the word before it', () => {
    expect(sql`cast${'\\'}`.text).toBe(String.raw`cast E'\\'`);
  });

  it.each(['\0', 'a\0b', "\\'\0"])('cannot hold a NUL: %j', value => {
    expect(() => sql`select ${value}`).toThrow(RangeError);
  });
});

describe('the template', () => {
  it.each([
    [9007199254740991, '9007199254740991'],
    [true, 'true'],
    [false, 'false'],
    [null, 'null'],
  ])('writes %s without quotes', (value, text) => {
    expect(sql`${value}`.text).toBe(text);
  });

  it.each([1.5, Number.NaN, 2 ** 53])('refuses a number that is not exact: %s', value => {
    expect(() => sql`limit ${value}`).toThrow(RangeError);
  });

  it('inserts SQL unchanged', () => {
    const where = sql` where ${identifier('code')} = ${'A'}`;
    expect(sql`select 1 from t${where}${empty};`.text).toBe(`select 1 from t where "code" = 'A';`);
  });

  it('accepts neither strings nor objects that look like SQL', () => {
    const accept = (statement: Sql) => statement.text;
    // @ts-expect-error a string is not SQL
    accept('select 1');
    // @ts-expect-error nor is an object of the same shape
    accept({ text: 'select 1', strings: ['select 1'], values: [] });
    // @ts-expect-error and none can be interpolated
    expect(() => sql`${{ text: 'select 1' }}`).toThrow();
    // @ts-expect-error nor can a list of texts
    expect(() => join(['a', 'b'])).toThrow();
    expect(accept(sql`select 1`)).toBe('select 1');
  });
});

describe('the shape', () => {
  it('has a placeholder instead of every value', () => {
    const inner = sql`name = ${"it's"} and code = ${'A'}`;
    const statement = sql`select * from t where ${inner} and sport = ${'golf'} limit ${20}`;
    expect(shapeOf(statement)).toBe('select * from t where name = $1 and code = $2 and sport = $3 limit 20');
    expect(argumentsOf(statement)).toBe("('it''s','A','golf')");
    expect(statement.text).toBe(
      "select * from t where name = 'it''s' and code = 'A' and sport = 'golf' limit 20",
    );
  });
});

describe('an identifier', () => {
  it.each([
    [['"; drop table x; --'], '"""; drop table x; --"'],
    [['a.b', 'c'], '"a.b"."c"'],
  ])('is quoted: %j', (path, text) => {
    expect(identifier(...path).text).toBe(text);
  });
});

describe('a comment', () => {
  it('refuses characters that could end it', () => {
    for (const text of ['*/', '/*', "'", '"', ';', '\\', '\n', '\0', '$', 'é']) {
      expect(() => comment(text)).toThrow(RangeError);
    }
  });
});
