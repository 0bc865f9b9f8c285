/** The parts of statements that only some requests have. The service tests execute such requests. */
import { describe, expect, it } from 'vitest';
import type { Caller } from '../../functions/caller/caller.ts';
import { marked } from '../../functions/statement/marked.ts';
import { messageOf } from '../../functions/statement/statement.ts';
import { graphics } from '../../schema/graphics.ts';
import { notifications } from '../../schema/notifications.ts';
import { quotes } from '../../schema/quotes.ts';
import { planOf } from '../plan/plan-of.ts';
import { message, type PartialRequest, staff, statement } from './statement-of.ts';

const id = 'a0000000-0000-4000-8000-000000000001';
const customer: Caller = { kind: 'customer', audience: 'customer' };
const rows = { prefer: 'return=representation' };
const csv = { accept: 'text/csv' };
const graphic = { name: 'x', code: 'A', file_url: 'https://x.test', file_format: 'png' };

describe('a row of JSON', () => {
  const names = Object.keys(graphics.columns);
  const without = (name: string, ...instead: string[]) =>
    names.flatMap(other => (other === name ? instead : [other])).join();

  it('is a record where all columns are selected in their order, as by *', () => {
    expect(statement({ query: 'select=*' })).toContain('row_to_json(page.*)');
    expect(statement({ query: `select=${names}` })).toContain('row_to_json(page.*)');
    expect(statement({ query: 'select=*', headers: csv })).not.toContain('row_to_json');
  });

  it.each([
    ['a part of them', without('tags')],
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

describe('a line of CSV', () => {
  it('is a record of texts without its parentheses, in which true and false are a letter', () => {
    const line =
      'row(page."c0"::text, left(page."c1"::text, 1), page."c2"::text, left(page."c3"::text, 1), page."c4"::text)::text';
    const query = 'select=id,is_active,t:is_active::text,w:name::bool,x:is_active->a';
    expect(statement({ query, headers: csv })).toContain(`substring(${line}, 2, length(${line}) - 2) as row`);
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

describe('a body', () => {
  it('without columns is as many rows as it has elements', () => {
    const insert = (body: unknown) =>
      statement({ of: { ...graphics, columns: { id: graphics.columns.id } }, method: 'POST', body });
    expect(insert([{}, {}])).toContain(
      `insert into "builder"."graphics"\n  select  from json_array_elements(`,
    );
    expect(insert({})).toContain(`insert into "builder"."graphics"\n  select  from (values (1))`);
  });

  it.each([
    ['null', 'from (select * from json_to_recordset('],
    ['default', 'from (select * from json_array_elements('],
  ])('of a change is the first element of an array, with missing=%s', (missing, from) => {
    const request = {
      method: 'PATCH',
      query: 'name=eq.a',
      headers: { prefer: `missing=${missing}` },
    } as const;
    expect(statement({ ...request, body: [{ name: 'x' }] })).toContain(from);
    expect(statement({ ...request, body: [{ name: 'x' }] })).toContain(' limit 1) as ');
    expect(statement({ ...request, body: { name: 'x' } })).not.toContain(' limit 1) as ');
  });

  it('without columns changes nothing, and returns what the response is ordered by', () => {
    const request = { method: 'PATCH', body: {}, headers: { ...rows, 'if-match': '*' } } as const;
    const text = statement({ ...request, query: `id=eq.${id}&select=name&order=code` });
    expect(text).toContain(
      'select "graphics"."name", "graphics"."code", "graphics"."xmin"::text as version, 1 from "builder"."graphics" where false',
    );
    expect(text).not.toContain('expect_number');
  });
});

describe('an upsert', () => {
  const upsert = (body: unknown, query = '', resolution = 'merge') =>
    statement({ method: 'POST', query, body, headers: { prefer: `resolution=${resolution}-duplicates` } });

  it('says how many rows are new, and fails where it met a deleted one', () => {
    const text = upsert([graphic, { ...graphic, code: 'B' }], 'on_conflict=code');
    expect(text).toContain(
      'on conflict ("code", "deleted_at") do update set "name" = "excluded"."name", "file_url"',
    );
    expect(text).toContain('returning xmax = 0 as inserted, 1');
    expect(text).toContain('(select count(*) from written where inserted)::text as inserted');
    expect(text).toContain(`builder.expect_number('PG409', (select count(*) from written), 2, 2)`);
    const ignored = upsert([graphic], 'on_conflict=code', 'ignore');
    expect(ignored).toContain('on conflict ("code", "deleted_at") do nothing');
    expect(ignored).not.toMatch(/inserted|expect_number/);
  });

  it('by the key has no column beside it, and neither has any without soft deletes', () => {
    expect(upsert([{ ...graphic, id }])).toContain('on conflict ("id") do update');
    const body = [{ account_id: id, body: 'x', dismissed: false }];
    const headers = { prefer: 'resolution=merge-duplicates' };
    const text = statement({ of: notifications, method: 'POST', body, headers });
    expect(text).toContain('on conflict ("id") do update');
    expect(text).not.toContain('PG409');
  });

  it('of columns that are all compared sets them to what they are', () => {
    const of = { ...graphics, columns: { id: graphics.columns.id } };
    const headers = { prefer: 'resolution=merge-duplicates' };
    expect(statement({ of, method: 'POST', body: [{ id }], headers })).toContain(
      'do update set "id" = "excluded"."id"',
    );
    expect(statement({ of, method: 'POST', body: [{}], headers })).toContain('on conflict ("id") do nothing');
  });
});

describe('what a write returns', () => {
  it('has the columns of the response and of its order, and no others', () => {
    const request = { method: 'PATCH', body: { name: 'x' } } as const;
    const query = 'name=eq.a&select=name&order=code';
    expect(statement({ ...request, query, headers: rows })).toContain(
      'returning "graphics"."name", "graphics"."code", 1\n',
    );
    expect(statement({ ...request, query })).toContain('returning 1\n');
    const headers = { prefer: 'return=headers-only' };
    expect(statement({ ...request, query, headers })).toContain('returning 1\n');
    expect(statement({ ...request, query: `id=eq.${id}`, headers })).not.toContain(' as key');
  });

  it('has the key and the accounts of new rows, where a retry needs them', () => {
    const headers = { 'idempotency-key': 'k' };
    const once = (request: PartialRequest) =>
      statement({ method: 'POST', headers, fingerprint: 'f', ...request });
    const notification = { account_id: id, body: 'x', dismissed: false };
    const text = once({ of: notifications, body: notification });
    expect(text).toContain('returning "notifications"."id", "notifications"."account_id"');
    expect(text).toContain('(select json_agg(distinct written.account_id) from written) as accounts');
    expect(once({ body: graphic })).not.toContain('account');
    expect(statement({ of: notifications, method: 'POST', body: notification })).not.toContain('json_agg');
  });

  it('of a change by key is in the order of the body, unless the request has another or asks for groups', () => {
    const change = (query: string, body: unknown = [{ id, name: 'x' }]) =>
      statement({ method: 'PATCH', query, body, headers: rows });
    expect(change('select=name')).toContain('from written order by written.position\n');
    expect(change('select=name&order=code')).toContain('from written order by "written"."code"\n');
    expect(change('select=count()')).toContain('select count(*) as "c0"\n  from written\n');
    expect(change('select=name&name=eq.a', { name: 'x' })).toContain('from written\n)');
  });

  it('may be no more rows than a strict request allows', () => {
    const change = (prefer: string, method: 'PATCH' | 'POST' = 'PATCH') =>
      statement({
        method,
        query: method === 'PATCH' ? 'name=eq.a' : '',
        body: method === 'PATCH' ? { name: 'x' } : [graphic],
        headers: { prefer },
      });
    expect(change('handling=strict, max-affected=3')).toContain(
      `builder.expect_number('PG124', (select count(*) from written), 0, 3)`,
    );
    expect(change('handling=lenient, max-affected=3')).not.toContain('expect_number');
    expect(change('handling=strict')).not.toContain('expect_number');
    expect(change('handling=strict, max-affected=3', 'POST')).not.toContain('expect_number');
  });
});

describe('the session of a change', () => {
  const settings = (query: string, request: PartialRequest = {}) =>
    [
      ...message({ of: quotes, method: 'PATCH', body: { sport: 'golf' }, query, ...request }).matchAll(
        /set_config\('request\.(version|price|rows)', '(\w+)'/g,
      ),
    ].map(([, name, value]) => `${name} ${value}`);

  it('says what of its rows the request names', () => {
    expect(settings('status=eq.draft')).toEqual(['rows filtered']);
    expect(settings(`id=in.(${id})`)).toEqual([]);
    expect(settings(`id=eq.${id}`)).toEqual([]);
    expect(settings(`id=eq.${id}&updated_at=eq.2026-05-20&total_price=eq.1`)).toEqual([
      'version compared',
      'price compared',
    ]);
    expect(settings('updated_at=eq.2026-05-20&total_price=eq.1')).toEqual(['rows filtered']);
    expect(settings('', { body: [{ id, sport: 'golf' }] })).toEqual(['rows keyed']);
  });

  it('says nothing of other methods', () => {
    expect(settings('status=eq.draft', { method: 'DELETE' })).toEqual([]);
    expect(settings('status=eq.draft', { method: 'GET' })).toEqual([]);
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
