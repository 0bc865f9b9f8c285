/** Which statements a session prepares, by which names, and how many. */
import { expect, it } from 'vitest';
import { PreparedStatements, preparedLimits } from '../../functions/database/prepared-statements.ts';
import { keyword, message, type Sql, sql } from '../../functions/database/sql.ts';

const read = (id: string): Sql => sql`select * from t where id = ${id}`;
/** With the random part of the names cut out. */
function session() {
  const prepared = new PreparedStatements();
  return (...statements: Sql[]) =>
    prepared
      .render({ comment: '', statements: message(...statements).statements })
      .replace(/s[0-9a-f]{32}_/g, 's');
}

it('a statement is sent with its values at first, prepared when its shape comes again, and executed from then on', () => {
  const render = session();
  expect(render(read('a'))).toBe("select * from t where id = 'a'");
  expect(render(read('b'))).toBe("prepare s1 as select * from t where id = $1;\nexecute s1('b')");
  expect(render(read("it's \\"))).toBe("execute s1( E'it''s \\\\')");
});

it.each([
  ...['explain (format json) select 1', 'rollback', `select ${'1, '.repeat(preparedLimits.length)} 1`],
])('a statement that cannot be prepared, or is very long, is sent as it is: %#', text => {
  const render = session();
  expect([1, 2, 3].map(() => render(keyword(text)))).toEqual([text, text, text]);
});

const other = (n: number): Sql => keyword(`select ${n} as n`);

it('the statement used least recently is deallocated in the message that prepares one more than a session may have', () => {
  const render = session();
  for (let n = 0; n < preparedLimits.statements; n++) {
    render(other(n));
    render(other(n));
  }
  render(other(-1));
  const name = `s${preparedLimits.statements + 1}`;
  expect(render(other(-1))).toBe(`deallocate s1;\nprepare ${name} as select -1 as n;\nexecute ${name}`);
});

it('a statement that comes often stays prepared, whatever else comes a few times', () => {
  const render = session();
  for (let n = 0; n < 40; n++) {
    render(read('usual'));
  }
  for (let n = 0; n < 1000; n++) {
    render(other(n));
    render(other(n));
    expect(render(read('usual'))).toMatch(/^execute/);
  }
});
