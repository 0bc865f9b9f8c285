/** The parts of writes that only some requests have. The service tests execute such requests. */
import { describe, expect, it } from 'vitest';
import { graphics } from '../../schema/graphics.ts';
import { notifications } from '../../schema/notifications.ts';
import { quotes } from '../../schema/quotes.ts';
import { id, quote } from '../plan/plan-of.ts';
import { message, type PartialRequest, statement } from './statement-of.ts';

const rows = { prefer: 'return=representation' };
const graphic = { name: 'x', code: 'A', file_url: 'https://x.test', file_format: 'png' };

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
    expect(statement({ ...request, body: [{ name: 'x' }] })).toContain('set "name" = "body"."name"\n');
    expect(statement({ ...request, body: { name: 'x' } })).not.toContain(' limit 1) as ');
  });

  it('that is one row is read as it is for its defaults, too', () => {
    const headers = { prefer: 'missing=default' };
    expect(statement({ method: 'PATCH', query: 'name=eq.a', headers, body: { name: 'x' } })).toContain(
      `from (select '{"name":"x"}'::json) as element(json),`,
    );
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
    const again = statement({ of: notifications, method: 'POST', body: [notification, notification] });
    expect(again).toContain('returning 1\n');
    expect(again).not.toContain('as accounts');
  });

  it('of a change by key is in the order of the body, unless the request has another or asks for groups', () => {
    const change = (query: string, body: unknown = [{ id, name: 'x' }]) =>
      statement({ method: 'PATCH', query, body, headers: rows });
    expect(change('select=name')).toContain(
      'body as materialized (\n  select "body"."name", "body"."id", array(select json_object_keys(element.json)) as present_keys',
    );
    expect(change('select=name')).toContain('from written order by written.position\n');
    expect(change('select=name&order=code')).toContain('from written order by "written"."code"\n');
    expect(change('select=count()')).toContain('select count(*) as "c0"\n  from written\n');
    expect(change('select=name&name=eq.a', { name: 'x' })).toContain('from written\n)');
  });

  it('has a version, where a row is there afterwards', () => {
    const changed = (method: 'PATCH' | 'DELETE') =>
      statement({ of: notifications, method, query: `id=eq.1`, body: { dismissed: true }, headers: rows });
    expect(changed('PATCH')).toContain('as version');
    expect(changed('DELETE')).not.toContain('as version');
  });

  it('is their number alone, when no rows are asked for', () => {
    expect(statement({ method: 'PATCH', query: 'name=eq.a', body: { name: 'x' } })).toMatch(
      /page as \(\n {2}select from written\n\)\nselect body, page_total\nfrom \(select '' as body, count\(\*\)::text as page_total from page\) as response$/,
    );
  });

  it('has the version that If-Match names, also where rows are counted', () => {
    const headers = { prefer: 'handling=strict, max-affected=1', 'if-match': '"1-a"' };
    const text = statement({ method: 'PATCH', query: `id=eq.${id}`, body: { name: 'x' }, headers });
    expect(text).toContain(`builder.expect_number('PG412', (select count(*) from written), 1, 1)`);
    expect(text).toContain(`"graphics"."xmin"::text = any ('{1}')`);
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
    expect(settings(`sport=eq.golf&id=in.(${id})`)).toEqual([]);
    expect(settings('sport=in.(golf)')).toEqual(['rows filtered']);
    expect(settings(`id=gt.${id}`)).toEqual(['rows filtered']);
    expect(settings(`id=not.in.(${id})`)).toEqual(['rows filtered']);
    const ifMatch = (tags: string) => settings(`id=eq.${id}`, { headers: { 'if-match': tags } });
    expect([ifMatch('"1-a"'), ifMatch('*')]).toEqual([['version compared'], []]);
    expect(settings(`id=eq.${id}`)).toEqual([]);
    expect(settings(`id=eq.${id}&updated_at=eq.2026-05-20&total_price=eq.1`)).toEqual([
      'version compared',
      'price compared',
    ]);
    expect(settings('updated_at=eq.2026-05-20&total_price=eq.1')).toEqual(['rows filtered']);
    expect(settings('', { body: [{ id, sport: 'golf' }] })).toEqual(['rows keyed']);
  });

  it('says of a PUT with If-Match what a change by its key does', () => {
    const body = { ...quote, id };
    const headers = { 'if-match': '"1-a"' };
    expect(settings(`id=eq.${id}`, { method: 'PUT', body, headers })).toEqual(['version compared']);
  });

  it('says nothing of other methods', () => {
    expect(settings('status=eq.draft', { method: 'DELETE' })).toEqual([]);
    expect(settings('status=eq.draft', { method: 'GET' })).toEqual([]);
  });
});

describe('a change with columns that its caller may only read', () => {
  const change = (body: object) =>
    statement({
      as: { kind: 'customer', audience: 'customer' },
      of: quotes,
      method: 'PATCH',
      query: `id=eq.${id}`,
      body,
    });

  it('compares them in what it assigns to its first column, and assigns nothing to them', () => {
    const differs = (name: string, bit: number) =>
      `case when "quotes"."${name}" is distinct from "body"."${name}" then ${bit} else 0 end`;
    const number = `(${differs('unit_price', 1)} + ${differs('total_price', 2)})`;
    expect(change({ unit_price: 1, sport: 'golf', total_price: 2, company: 'x' })).toContain(
      `set "sport" = case when ${number} = 0 or builder.expect_number('PG403', ${number}, 0, 0) is null then "body"."sport" end, "company" = "body"."company"\n`,
    );
  });

  it('costs nothing without any', () => {
    expect(change({ sport: 'golf', company: 'x' })).toContain(
      'set "sport" = "body"."sport", "company" = "body"."company"\n',
    );
  });
});
