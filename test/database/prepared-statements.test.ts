import { describe, expect, it } from 'vitest';
import {
  inlineText,
  PreparedStatements,
  preparedLimits,
  ShapeCounts,
} from '../../functions/database/prepared-statements.ts';
import { keyword, message, type Sql, sql } from '../../functions/statement/sql.ts';

const read = (id: string): Sql => sql`select * from t where id = ${id}`;
const asStatements = (...statements: Sql[]) => ({
  comment: '',
  statements: message(...statements).statements,
});

/** With the random part of the names cut out. */
function session(counts = new ShapeCounts()) {
  const prepared = new PreparedStatements(counts);
  return {
    render: (...statements: Sql[]) =>
      prepared.render(asStatements(...statements)).replace(/s[0-9a-f]{32}_/g, 's'),
    forget: (...statements: Sql[]) => prepared.forget(asStatements(...statements), '42P05'),
    miss: (...statements: Sql[]) => prepared.forget(asStatements(...statements), '26000'),
  };
}

describe('a statement', () => {
  it('is sent with its values at first, prepared when its shape comes again, and executed from then on', () => {
    const { render } = session();
    expect(render(read('a'))).toBe("select * from t where id = 'a'");
    expect(render(read('b'))).toBe("prepare s1 as select * from t where id = $1;\nexecute s1('b')");
    expect(render(read("it's \\"))).toBe("execute s1( E'it''s \\\\')");
  });

  it('is prepared by a session at once when others of the pool have seen it', () => {
    const counts = new ShapeCounts();
    const [first, second] = [session(counts), session(counts)];
    first.render(read('a'));
    expect(second.render(read('b'))).toMatch(/^prepare s1 as /);
  });

  it('without values is executed without parentheses', () => {
    const { render } = session();
    const texts = [1, 2, 3].map(() => render(sql`select 1`));
    expect(texts[2]).toBe('execute s1');
  });

  it('has another name behind another first statement, since that sets the role it is planned with', () => {
    const { render } = session();
    for (const role of ['a', 'b', 'a', 'b']) {
      render(keyword(`select set_config('role', '${role}', true)`), read('1'));
    }
    const [customer, staff] = ['a', 'b'].map(role =>
      render(keyword(`select set_config('role', '${role}', true)`), read('1')),
    );
    expect(customer).toBe("execute s1;\nexecute s2('1')");
    expect(staff).toBe("execute s3;\nexecute s4('1')");
  });

  it.each([
    'explain (format json) select 1',
    'rollback',
  ])('that cannot be prepared is sent as it is: %s', text => {
    const { render } = session();
    expect([1, 2, 3].map(() => render(keyword(text)))).toEqual([text, text, text]);
  });

  it('that is very long is sent as it is', () => {
    const { render } = session();
    const long = keyword(`select ${'1, '.repeat(preparedLimits.length)} 1`);
    expect([1, 2, 3].map(() => render(long))).toEqual(Array(3).fill(long.text));
  });

  it('that is forgotten is prepared again, by a new name', () => {
    const { render, forget } = session();
    render(read('a'));
    render(read('b'));
    forget(read('c'));
    expect(render(read('d'))).toMatch(/^prepare s2 as /);
  });
});

describe('a pool whose sessions lack what was prepared in them', () => {
  it('prepares nothing more', () => {
    const counts = new ShapeCounts();
    const { render, miss } = session(counts);
    for (let misses = 0; misses < preparedLimits.misses; misses++) {
      render(read('a'));
      render(read('b'));
      miss(read('c'));
    }
    const later = session(counts);
    expect([1, 2, 3].map(() => later.render(read('d')))).toEqual(Array(3).fill(read('d').text));
  });
});

describe('the prepared statements of a session', () => {
  const other = (n: number): Sql => keyword(`select ${n} as n`);

  it('are bounded: the one used least recently is deallocated in the message that prepares another', () => {
    const { render } = session();
    for (let n = 0; n < preparedLimits.statements; n++) {
      render(other(n));
      render(other(n));
    }
    const texts = [1, 2, 3].map(() => render(other(-1)));
    expect(texts[2]).toBe(
      `deallocate s1;\nprepare s${preparedLimits.statements + 1} as select -1 as n;\nexecute s${preparedLimits.statements + 1}`,
    );
  });

  it('are those that come often, whatever else comes a few times', () => {
    const { render } = session();
    for (let n = 0; n < 40; n++) {
      render(read('usual'));
    }
    let executed = 0;
    for (let n = 0; n < 1000; n++) {
      render(other(n));
      render(other(n));
      executed += render(read('usual')).startsWith('execute') ? 1 : 0;
    }
    expect(executed).toBe(1000);
  });
});

describe('without prepared statements', () => {
  it('a message has its values in its text', () => {
    expect(inlineText({ ...asStatements(read('a'), keyword('rollback')), comment: '/* c */\n' })).toBe(
      "/* c */\nselect * from t where id = 'a';\nrollback",
    );
  });
});
