/** The parts of reads that only some requests have. The service tests execute such requests. */
import { describe, expect, it } from 'vitest';
import type { Caller } from '../../functions/caller/caller.ts';
import { marked } from '../../functions/statement/session.ts';
import { messageOf } from '../../functions/statement/statement.ts';
import { graphics } from '../../schema/graphics.ts';
import { notifications } from '../../schema/notifications.ts';
import { quotes } from '../../schema/quotes.ts';
import { planOf, staff } from '../plan/plan-of.ts';
import { statement } from './statement-of.ts';

const customer: Caller = { kind: 'customer', audience: 'customer' };
const csv = { accept: 'text/csv' };

describe('a row of JSON', () => {
  const names = Object.keys(graphics.columns);
  const without = (name: string, ...instead: string[]) =>
    names.flatMap(other => (other === name ? instead : [other])).join();

  it('is a record where all columns are selected in their order, as by *', () => {
    expect(statement({ query: 'select=*' })).toContain('row_to_json(page.*)');
    expect(statement({ query: `select=${names}` })).toContain('row_to_json(page.*)');
    const line = statement({ query: 'select=*', headers: csv });
    expect(line).not.toContain('row_to_json');
    expect(line).toContain('as "c0"');
  });

  it.each([
    ['a part of them', without('tags')],
    ['all but the last', names.slice(0, -1).join()],
    ['the last one twice', `${names},${names.at(-1)}`],
    ['two in the place of each other', without('name', 'code').replace(',code,category', ',name,category')],
    ['one under another name', without('name', 'title:name')],
    ['another under its name', without('name', 'name:code')],
    ['one cast', without('name', 'name:name::text')],
    ['an element of a list under its name', without('tags', 'tags:tags->0')],
    ['an aggregate under its name', without('name', 'name:name.max()')],
    ['the number of rows under its name', without('name', 'name:count()')],
  ])('is none where the request selects %s', (_, select) => {
    expect(select).not.toBe(String(names));
    expect(statement({ query: `select=${select}` })).not.toContain('row_to_json');
  });

  it.each([
    [99, 1],
    [100, 2],
  ])('of %i values is formatted by %i calls, as many as arguments allow', (count, calls) => {
    const aliases = Array.from({ length: count }, (_, index) => `n${index}:name`);
    const text = statement({ query: `select=${aliases}` });
    const row = /from \(select (format.*) as row from/.exec(text)?.[1] ?? '';
    const templates = [...row.matchAll(/format\('([^']*)'/g)].map(([, template = '']) => template);
    expect(templates).toHaveLength(calls);
    expect(templates.join('')).toBe(`{${aliases.map((_, index) => `"n${index}":%s`)}}`);
    expect(row.match(/to_json\(page/g)).toHaveLength(count);
    expect(row.split(' || ')).toHaveLength(calls);
  });
});

it('a name of JSON is itself, whatever format() takes it for', () => {
  expect(statement({ query: 'select="100%25s":name' })).toContain(`format('{"100%%s":%s}', `);
});

describe('a line of CSV', () => {
  it('is a record of texts without its parentheses, in which true and false are a letter', () => {
    const line =
      'row(page."c0"::text, left(page."c1"::text, 1), page."c2"::text, left(page."c3"::text, 1), page."c4"::text)::text';
    const query = 'select=id,is_active,t:is_active::text,w:name::bool,x:is_active->a';
    expect(statement({ query, headers: csv })).toContain(`else right(left(${line}, -1), -1) end as row`);
  });

  it('has the text NULL in quotes, beside records of the other values', () => {
    const one = (column: string) => `right(left(row(page."${column}"::text)::text, -1), -1)`;
    expect(statement({ query: 'select=width,name,id', headers: csv })).toContain(
      `case when 'NULL' in (page."c1"::text) then ${one('c0')} || ',' || case when page."c1"::text = 'NULL' then '"NULL"' else ${one('c1')} end || ',' || ${one('c2')} else `,
    );
  });

  it('is a record alone where no value can be the text NULL', () => {
    expect(statement({ query: 'select=id,width', headers: csv })).toContain(
      'select right(left(row(page."c0"::text, page."c1"::text)::text, -1), -1) as row',
    );
  });

  it('has the number of values as it is, and a letter for what an aggregate of it is cast to', () => {
    const query = 'select=is_active.count(),b:sort_order.max()::bool';
    expect(statement({ query, headers: csv })).toContain(
      'row(page."c0"::text, left(page."c1"::text, 1))::text',
    );
  });

  it('follows the names, which are quoted where they must be, and counts with its line end', () => {
    const text = statement({ query: 'select=id,"a,b":name,"c\\"d":code', headers: csv });
    expect(text).toContain(`16777216 - octet_length('id,"a,b","c""d"')`);
    expect(text).toContain('sum(octet_length(row) + 1)');
    expect(text).toContain(`page.row end, '\n')`);
  });
});

describe('a page', () => {
  const keyset = 'json_build_array("graphics"."sort_order"::text, "graphics"."id"::text)::text as keyset';

  it.each([
    ['of short rows', {}],
    ['whose bytes are counted', csv],
  ])('%s has the place of its last row, where the order has one', (_, headers) => {
    const text = statement({ query: 'select=name&order=sort_order', headers });
    expect(text).toContain(`, ${keyset}`);
    expect(text).toContain('.keyset) filter (where');
    expect(text).toContain('select "graphics"."name", "graphics"."sort_order", "graphics"."id"\n');
    const unordered = statement({ query: 'select=name', headers });
    expect(unordered).toContain('null as last');
    expect(unordered).not.toContain('keyset');
  });

  it('that is to be one row has its version', () => {
    const headers = { accept: 'application/vnd.pgrst.object+json' };
    const text = statement({ query: 'select=name&order=code', headers });
    expect(text).toContain('max(page.version) filter (where page.position = 1) as version');
    expect(text).toContain('::text as keyset, "graphics"."version" from (');
    expect(statement({ query: 'select=name' })).not.toContain('version');
  });

  it('selects a column once, whatever is made of it', () => {
    const text = statement({
      of: quotes,
      query: 'select=customization->a->b->>c,d:customization->a->b,n:count()',
    });
    expect(text).toContain(`"quotes"."customization" #>> '{"a","b","c"}'`);
    expect(text).toContain(`"quotes"."customization" #> '{"a","b"}'`);
    expect(statement({ of: quotes, query: 'select=customization->a,d:customization->b' })).toContain(
      'select "quotes"."customization"\n',
    );
  });
});

it('a read without a filter has no condition, where no row is marked as deleted', () => {
  expect(statement({ of: notifications, query: 'select=id' })).toContain(
    'from "builder"."notifications" limit 1001\n',
  );
});

describe('the number of all rows', () => {
  const counted = `select from "builder"."graphics" where "graphics"."name" = 'A' and "graphics"."deleted_at" is null`;
  const planned = `builder.planned_rows('${counted.replaceAll("'", "''")}')`;
  const total = (as: Caller, count?: string) =>
    /page_total,\s+(.*) as total,/s.exec(
      statement({
        as,
        query: 'select=id&name=eq.A',
        headers: count === undefined ? {} : { prefer: `count=${count}` },
      }),
    )?.[1];
  const exact = `(${counted.replace('select from', 'select count(*) from')})::text`;

  it('is not counted unless it is asked for', () => {
    expect(total(staff)).toBe('null');
    expect(total(customer)).toBe('null');
  });

  it('is estimated for staff, beyond the rows of a response', () => {
    expect(total(staff, 'exact')).toBe(exact);
    expect(total(staff, 'planned')).toBe(`${planned}::text`);
    expect(total(staff, 'estimated')).toBe(`(
    select case when counted > 1000 then greatest(counted, ${planned}) else counted end
    from (select count(*) as counted from (${counted} limit 1001) as bounded) as few
  )::text`);
  });

  it.each(['exact', 'planned', 'estimated'])('is exact for a customer who prefers count=%s', count => {
    expect(total(customer, count)).toBe(exact);
  });
});

it('a message begins with the request that it belongs to', () => {
  const plan = planOf({ as: staff, of: graphics });
  const text = plan.ok
    ? marked(messageOf(plan.value), {
        requestId: 'r-1',
        traceParent: { text: '00-a-b-01', traceId: 'a', parentId: 'b' },
      }).text
    : '';
  expect(text).toMatch(/^\/\* request_id=r-1 traceparent=00-a-b-01 \*\/\nselect where set_config/);
});
