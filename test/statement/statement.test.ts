import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Caller } from '../../functions/caller/caller.ts';
import { sql } from '../../functions/statement/sql.ts';
import type { Claims } from '../../functions/token/claims.ts';
import type { Collection } from '../../schema/collection.ts';
import { graphics } from '../../schema/graphics.ts';
import { notifications } from '../../schema/notifications.ts';
import { quotes } from '../../schema/quotes.ts';
import { staff } from '../plan/plan-of.ts';
import { anyText } from '../setup/any-text.ts';
import { message, type PartialRequest, statement } from './statement-of.ts';

const id = 'a0000000-0000-4000-8000-000000000001';

/** The conditions of a read of quotes, without the one that excludes deleted rows. */
const where = (query: string, of: Collection = quotes) =>
  / where (.*?)(?: and "\w+"\."deleted_at" is null)?(?: group by [^"]*?)?(?: order by .*)? limit \d+/s.exec(
    statement({ of, query: `select=id&${query}` }),
  )?.[1];

describe('the session', () => {
  const claims: Claims = { role: 'authenticated', sub: id, app_metadata: { account_ids: [id] } };

  it.each<[Caller, string, string]>([
    [{ kind: 'anon', audience: 'anon' }, 'builder_anon', '{}'],
    [{ kind: 'customer', audience: 'customer', claims }, 'builder_customer', JSON.stringify(claims)],
    [{ kind: 'staff', audience: 'staff', claims }, 'builder_staff', JSON.stringify(claims)],
    [{ kind: 'service', audience: 'staff' }, 'builder_staff', '{}'],
  ])('of $kind begins every message, with its role and its claims', (as, role, json) => {
    expect(message({ as }).split(';\n')[0]).toBe(`select where set_config('role', '${role}', true) is not null
  and set_config('request.jwt.claims', '${json}', true) is not null
  and set_config('statement_timeout', '5000', true) is not null
  and set_config('client_connection_check_interval', '1000', true) is not null
  and set_config('datestyle', 'ISO, MDY', true) is not null
  and set_config('extra_float_digits', '1', true) is not null
  and set_config('array_nulls', 'on', true) is not null
  and set_config('timezone', 'UTC', true) is not null`);
  });

  it('has the preferred time zone', () => {
    expect(message({ headers: { prefer: 'timezone=Asia/Tokyo' } })).toContain(
      `set_config('timezone', 'Asia/Tokyo', true)`,
    );
  });

  it('is followed by one statement, and by a rollback with tx=rollback', () => {
    expect(message({}).split(';\n')).toHaveLength(2);
    expect(
      message({ headers: { prefer: 'tx=rollback' } })
        .split(';\n')
        .slice(2),
    ).toEqual(['rollback']);
  });
});

describe('a condition', () => {
  it.each([
    ['sport=eq.golf', `"quotes"."sport" = 'golf'`],
    ['sport=neq.golf', `"quotes"."sport" <> 'golf'`],
    ['roster_count=gt.5', `"quotes"."roster_count" > '5'`],
    ['roster_count=gte.5', `"quotes"."roster_count" >= '5'`],
    ['roster_count=lt.5', `"quotes"."roster_count" < '5'`],
    ['roster_count=lte.5', `"quotes"."roster_count" <= '5'`],
    ['sport=like.g*f', `"quotes"."sport" like 'g%f'`],
    ['sport=ilike.*G', `"quotes"."sport" ilike '%G'`],
    ['sport=match.^g*', `"quotes"."sport" ~ '^g*'`],
    ['sport=imatch.^G', `"quotes"."sport" ~* '^G'`],
    ['sport=isdistinct.golf', `"quotes"."sport" is distinct from 'golf'`],
    ['sport=in.(golf,"a,b")', `"quotes"."sport" = any ('{"golf","a,b"}')`],
    ['sport=in.()', `"quotes"."sport" = any ('{}')`],
    [String.raw`sport=in.("a\"b","c\\d")`, String.raw`"quotes"."sport" = any ( E'{"a\\"b","c\\\\d"}')`],
    ['company=is.null', '"quotes"."company" is null'],
    ['company=is.not_null', '"quotes"."company" is not null'],
    ['rush_order=is.true', '"quotes"."rush_order" is true'],
    ['rush_order=is.unknown', '"quotes"."rush_order" is unknown'],
    ['sport=not.eq.golf', `not "quotes"."sport" = 'golf'`],
    ['sport=eq(any).{golf,polo}', `"quotes"."sport" = any ('{golf,polo}')`],
    ['sport=like(all).{g*,*f}', `"quotes"."sport" like all ('{g%,%f}')`],
    ['colors=cs.{"primary":"red"}', `"quotes"."colors" @> '{"primary":"red"}'`],
    ['colors=cd.{}', `"quotes"."colors" <@ '{}'`],
    ['sport=fts.golf', `to_tsvector("quotes"."sport") @@ to_tsquery('golf')`],
    [
      'sport=plfts(english).golf',
      `to_tsvector('english', "quotes"."sport") @@ plainto_tsquery('english', 'golf')`,
    ],
    ['sport=phfts.a b', `to_tsvector("quotes"."sport") @@ phraseto_tsquery('a b')`],
    ['sport=wfts.a', `to_tsvector("quotes"."sport") @@ websearch_to_tsquery('a')`],
    ['customization->team=eq.1', `"quotes"."customization" -> 'team' = '1'`],
    ['customization->team->>0=eq.x', `"quotes"."customization" -> 'team' ->> '0'::int = 'x'`],
    ['customization->-1=is.null', `"quotes"."customization" -> '-1'::int is null`],
    ['sport->>a=eq.x', `to_jsonb("quotes"."sport") ->> 'a' = 'x'`],
    ['sport=eq.a&company=eq.b', `"quotes"."sport" = 'a' and "quotes"."company" = 'b'`],
    ['or=(sport.eq.a,company.eq.b)', `("quotes"."sport" = 'a' or "quotes"."company" = 'b')`],
    [
      'not.or=(sport.eq.a,not.and(company.is.null,sport.not.eq.b))',
      `not ("quotes"."sport" = 'a' or not ("quotes"."company" is null and not "quotes"."sport" = 'b'))`,
    ],
  ])('is written: %s', (query, text) => {
    expect(where(query)).toBe(text);
  });

  it.each([
    ['ov', '&&'],
    ['sl', '<<'],
    ['sr', '>>'],
    ['nxr', '&<'],
    ['nxl', '&>'],
    ['adj', '-|-'],
  ])('compares ranges and arrays too: %s', (operator, symbol) => {
    expect(where(`tags=${operator}.{a}`, graphics)).toBe(`"graphics"."tags" ${symbol} '{a}'`);
  });
});

describe('a read', () => {
  it('reads one row more than the page', () => {
    expect(
      statement({ query: 'select=code,n:name::text&width=gt.5&order=width.desc.nullslast&limit=5&offset=2' }),
    ).toBe(`select coalesce(string_agg(case when page.bytes > 16777216 - -2 or octet_length(page.row) > 3145728 then builder.refuse_answer(16777216) when page.position = 1 then '[' || page.row else page.row end, E', \\n ') filter (where page.position <= 5) || ']', '[]') as body,
  least(count(*), 5)::text as page_total,
  null as total,
  (count(*) > 5)::text as more,
  null as last
from (
  select *, row_number() over so_far as position, sum(octet_length(row) + 4) over so_far as bytes
  from (select format('{"code":%s,"n":%s}', coalesce(to_json(page."c0"), 'null'), coalesce(to_json(page."c1"), 'null')) as row from (
    select "graphics"."code", "graphics"."name"
    from "builder"."graphics" where "graphics"."width" > '5' and "graphics"."deleted_at" is null order by "graphics"."width" desc nulls last, "graphics"."id" limit 6 offset 2
  ) as "graphics", lateral (select "graphics"."code" as "c0", cast("graphics"."name" as text) as "c1") as page offset 0) as page
  window so_far as (rows unbounded preceding)
) as page`);
  });

  it('does not count the bytes of rows that are short by their columns’ sizes', () => {
    expect(
      statement({ query: 'select=code,w:width&order=code&limit=5' }),
    ).toBe(`select coalesce('[' || string_agg(format('{"code":%s,"w":%s}', coalesce(to_json(page."c0"), 'null'), coalesce(to_json(page."c1"), 'null')), E', \\n ') filter (where "graphics"."position" <= 5) || ']', '[]') as body,
  least(count(*), 5)::text as page_total,
  null as total,
  (count(*) > 5)::text as more,
  max("graphics".keyset) filter (where "graphics"."position" = 5) as last
from (
  select "graphics".*, row_number() over () as position, json_build_array("graphics"."code"::text, "graphics"."id"::text)::text as keyset
  from (
    select "graphics"."code", "graphics"."width", "graphics"."id"
    from "builder"."graphics" where "graphics"."deleted_at" is null order by "graphics"."code", "graphics"."id" limit 6
  ) as "graphics"
) as "graphics", lateral (select "graphics"."code" as "c0", "graphics"."width" as "c1") as page`);
  });

  it.each([
    ['a large column', { of: quotes, query: 'select=customization&limit=20' }],
    ['many rows of a long one', { query: 'select=description&limit=1000' }],
    ['a cast', { query: 'select=code::text&limit=1' }],
  ])('counts the bytes of %s, and fails beyond the limit', (_, request) => {
    expect(statement(request)).toContain('builder.refuse_answer(16777216)');
  });

  it('of a row by its key returns that row', () => {
    expect(
      statement({ query: 'select=n:name&id=eq.1' }),
    ).toBe(`select builder.within_bytes('[' || format('{"n":%s}', coalesce(to_json(page."c0"), 'null')) || ']', 3145728) as body, "graphics"."xmin"::text as version
from "builder"."graphics", lateral (select "graphics"."name" as "c0") as page where "graphics"."id" = '1' and "graphics"."deleted_at" is null`);
    const headers = { accept: 'application/vnd.pgrst.object+json;nulls=stripped' };
    expect(statement({ query: 'id=eq.1', headers })).toContain(
      'within_bytes(json_strip_nulls((row_to_json(page.*))::json)::text, ',
    );
    expect(statement({ method: 'HEAD', query: 'id=eq.1' })).toMatch(/^select '' as body, /);
  });

  it.each([
    'id=eq.1&limit=0',
    'id=eq.1&offset=1',
    'id=eq.1&select=count()',
    'id=in.(1)',
  ])('is of a page with %s', query => {
    expect(statement({ query })).toContain('row_number()');
  });

  it('groups by all outputs but the aggregates, and orders the groups', () => {
    expect(statement({ query: 'select=file_format,count(),width.max()::text' })).toContain(
      `select "graphics"."file_format" as "c0", count(*) as "c1", cast(max("graphics"."width") as text) as "c2"
    from "builder"."graphics" where "graphics"."deleted_at" is null group by 1 order by 1 limit 1001`,
    );
    expect(statement({ query: 'select=count()' })).not.toMatch(/group by|order by/);
    expect(statement({ query: 'select=width,count(),code&order=code.desc' })).toContain(
      ' group by 1, 3 order by "graphics"."code" desc, 1, 3 limit',
    );
  });

  it.each([
    ['exact', `(select count(*) from "builder"."graphics" where "graphics"."code" = 'A' and `],
    [
      'planned',
      `builder.planned_rows('select from "builder"."graphics" where "graphics"."code" = ''A'' and `,
    ],
    ['estimated', 'select case when counted > 1000 then greatest(counted, builder.planned_rows('],
  ])('counts according to the preference: %s', (count, text) => {
    expect(statement({ query: 'code=eq.A', headers: { prefer: `count=${count}` } })).toContain(text);
  });

  it.each([
    [
      'application/vnd.pgrst.object+json',
      `else page.row end, '') filter (where page.position = 1), 'null') as body,`,
    ],
    [
      'application/vnd.pgrst.array+json;nulls=stripped',
      `select json_strip_nulls((format('{"code":%s,"width":%s}', coalesce(`,
    ],
    ['text/csv', `when page.position = 1 then 'code,width\n' || page.row else page.row end, '\n')`],
    ['application/vnd.pgrst.plan+json; options=analyze', 'explain (format json, analyze) select coalesce('],
  ])('makes a body of %s', (accept, text) => {
    expect(statement({ query: 'select=code,width', headers: { accept } })).toContain(text);
  });

  it('has no body for HEAD', () => {
    expect(statement({ method: 'HEAD' })).toMatch(/^select '' as body,\n {2}least\(count\(\*\), 1000\)/);
  });
});

describe('a write', () => {
  const graphic = { name: "it's", code: 'A', file_url: 'https://x.test', file_format: 'png' };
  const record =
    'json_to_record(\'{"name":"it\'\'s","code":"A","file_url":"https://x.test","file_format":"png"}\'::json)';
  const records = `json_to_recordset('[${JSON.stringify(graphic).replaceAll("'", "''")},${JSON.stringify(graphic).replaceAll("'", "''")}]'::json)`;
  const columns = '"name", "code", "file_url", "file_format"';
  /** Those of the first eight columns, to which all of them belong. */
  const typed =
    'body("id" uuid, "name" text, "code" text, "category_id" uuid, "file_url" text, "file_format" text, "file_size" integer, "width" integer)';
  const values = '"body"."name", "body"."code", "body"."file_url", "body"."file_format"';
  /** The write of a statement that returns no rows, and the columns beside their number. */
  const parts = (request: PartialRequest) => {
    const text = statement(request);
    const [, write] = /^with written as \(\n {2}(.*?)\n\), page as \(/s.exec(text) ?? [];
    const [, extras = ''] = /select body, page_total(?:, )?(.*)\nfrom \(select/s.exec(text) ?? [];
    return { write, extras };
  };

  it('inserts rows from a body that Postgres parses', () => {
    expect(
      statement({
        method: 'POST',
        query: 'select=code&order=width',
        headers: { prefer: 'return=representation' },
        body: [graphic, graphic],
      }),
    ).toBe(`with written as (
  insert into "builder"."graphics" (${columns})
  select ${values} from ${records} as ${typed} returning "graphics"."code", "graphics"."width", 1
), page as (
  select "written"."code" as "c0"
  from written order by "written"."width"
)
select body, page_total
from (select coalesce(string_agg(case when page.bytes > 16777216 - -2 or octet_length(page.row) > 3145728 then builder.refuse_answer(16777216) when page.position = 1 then '[' || page.row else page.row end, E', \\n ') || ']', '[]') as body, count(*)::text as page_total from (
  select *, row_number() over so_far as position, sum(octet_length(row) + 4) over so_far as bytes
  from (select format('{"code":%s}', coalesce(to_json(page."c0"), 'null')) as row from page offset 0) as page
  window so_far as (rows unbounded preceding)
) as page) as response`);
  });

  it('of one row returns that row', () => {
    const headers = { prefer: 'return=representation' };
    expect(
      statement({ method: 'POST', query: 'select=code', headers, body: graphic }),
    ).toBe(`insert into "builder"."graphics" (${columns})
  select ${values} from ${record} as ${typed} returning (select builder.within_bytes('[' || format('{"code":%s}', coalesce(to_json(page."c0"), 'null')) || ']', 3145728) from (select "graphics"."code" as "c0") as page) as body, "graphics"."xmin"::text as version`);
    expect(statement({ of: notifications, method: 'DELETE', query: 'select=body&id=eq.1', headers })).toBe(
      `delete from "builder"."notifications" where "notifications"."id" = '1' returning (select builder.within_bytes('[' || format('{"body":%s}', coalesce(to_json(page."c0"), 'null')) || ']', 3145728) from (select "notifications"."body" as "c0") as page) as body`,
    );
  });

  it.each<[string, PartialRequest]>([
    ['an array of several', { method: 'POST', body: [graphic, graphic] }],
    ['an upsert', { method: 'POST', headers: { prefer: 'resolution=ignore-duplicates' }, body: graphic }],
    ['CSV', { method: 'POST', headers: { accept: 'text/csv' }, body: graphic }],
    [
      'a bound',
      { method: 'DELETE', query: 'id=eq.1', headers: { prefer: 'handling=strict, max-affected=0' } },
    ],
    ['another filter', { method: 'DELETE', query: 'code=eq.A' }],
    ['a body without columns', { method: 'PATCH', query: 'id=eq.1', body: {} }],
  ])('is a statement for many rows with %s', (_, request) => {
    expect(statement(request)).toMatch(/^with written as /);
  });

  it('inserts an array as a set of rows', () => {
    expect(parts({ method: 'POST', body: [graphic, graphic] }).write).toContain(
      `from json_to_recordset('[{"name":"it''s"`,
    );
  });

  it('merges an upsert into the row with the same key, or ignores it', () => {
    const body = { id, ...graphic };
    const merge = parts({ method: 'POST', headers: { prefer: 'resolution=merge-duplicates' }, body });
    expect(merge.write).toMatch(
      / on conflict \("id"\) do update set "name" = "excluded"."name", .* where "graphics"."deleted_at" is null returning /,
    );
    expect(merge.extras).toBe(
      "(select count(*) from written where inserted)::text as inserted, (select version from written limit 1) as version, builder.expect_number('PG409', (select count(*) from written), 1, 1)",
    );
    const ignore = parts({ method: 'POST', headers: { prefer: 'resolution=ignore-duplicates' }, body });
    expect(ignore.write).toMatch(
      / on conflict \("id"\) do nothing returning "graphics"\."xmin"::text as version, 1$/,
    );
  });

  it('has no conflict with a deleted row of the same code', () => {
    const headers = { prefer: 'resolution=merge-duplicates' };
    expect(parts({ method: 'POST', query: 'on_conflict=code', headers, body: graphic }).write).toContain(
      ' on conflict ("code", "deleted_at") do update set "name" = "excluded"."name", "file_url"',
    );
  });

  it('of a PUT is an upsert by the key', () => {
    const body = { id, ...graphic };
    const headers = { prefer: 'resolution=merge-duplicates' };
    expect(parts({ method: 'PUT', query: `id=eq.${id}`, body })).toEqual(
      parts({ method: 'POST', headers, body }),
    );
  });

  it('returns the key of a new row for its Location', () => {
    expect(statement({ method: 'POST', headers: { prefer: 'return=headers-only' }, body: graphic })).toMatch(
      / returning '' as body, "graphics"."xmin"::text as version, "graphics"."id"::text as key$/,
    );
    const headers = { prefer: 'return=headers-only, resolution=ignore-duplicates' };
    expect(parts({ method: 'POST', headers, body: graphic })).toMatchObject({
      write: expect.stringMatching(/ returning "graphics"."id", "graphics"."xmin"::text as version, 1$/),
      extras:
        '(select min("written"."id"::text) from written having count(*) = 1) as key, (select version from written limit 1) as version',
    });
  });

  it('updates from the body', () => {
    const body = { billing_address: null, tool_2d: 'x' };
    const update = `update "builder"."quotes"
  set "billing_address" = "body"."billing_address", "tool_2d" = "body"."tool_2d"
  from json_to_record('{"billing_address":null,"tool_2d":"x"}'::json) as body("contact_phone" text, "shipping_address" jsonb, "company" text, "event_date" date, "rush_order" boolean, "delivery_method" text, "billing_address" jsonb, "tool_2d" text)`;
    expect(parts({ of: quotes, method: 'PATCH', query: 'sport=eq.polo', body })).toEqual({
      write: `${update} where "quotes"."sport" = 'polo' and "quotes"."deleted_at" is null returning 1`,
      extras: '',
    });
    expect(statement({ of: quotes, method: 'PATCH', query: `id=eq.${id}`, body })).toBe(
      `${update} where "quotes"."id" = '${id}' and "quotes"."deleted_at" is null returning '' as body, "quotes"."xmin"::text as version`,
    );
  });

  it('leaves out what columns= ignores, which may not fit the columns of its record', () => {
    const chosen = (row: string) =>
      `(select coalesce(json_object_agg(key, value), '{}') from json_each(${row}) where key = any ('{"sort_order"}'))`;
    const request = { method: 'PATCH', query: 'id=eq.1&columns=sort_order' } as const;
    const row = { sort_order: 1, tags: 'x' };
    expect(statement({ ...request, body: row })).toContain(
      `from json_to_record(${chosen(`'${JSON.stringify(row)}'::json`)}) as body(`,
    );
    expect(statement({ ...request, body: [row] })).toContain(
      `json_to_recordset((select json_agg(${chosen('value')}) from json_array_elements('${JSON.stringify([row])}'::json))) as body(`,
    );
    expect(statement({ ...request, body: { sort_order: 1 } })).toContain(
      `json_to_record('{"sort_order":1}'::json)`,
    );
  });

  it('changes each row by its key, locked in the order of keys, and fails when one is missing', () => {
    const body = [{ id, sport: 'golf' }, { id: id.replace('a', 'b') }];
    const text = statement({ of: quotes, method: 'PATCH', body });
    expect(text).toContain(`locked as (
  select "quotes"."id" from "builder"."quotes" where "quotes"."id" in (select "id" from body) and "quotes"."deleted_at" is null order by 1 for no key update
)`);
    expect(text).toContain(`update "builder"."quotes"
  set "sport" = case when 'sport' = any (body.present_keys) then "body"."sport" else "quotes"."sport" end
  from body, locked
  where "quotes"."id" = "body"."id" and "quotes"."id" = "locked"."id" returning body.position, 1`);
    expect(text).toContain(`builder.expect_number('PG404', (select count(*) from written), 2, 2)`);
  });

  it('uses the default of a column that a row leaves out, with missing=default', () => {
    const headers = { prefer: 'missing=default' };
    const query = 'columns=name,code,file_url,file_format,sort_order';
    expect(parts({ method: 'POST', query, headers, body: [graphic, graphic] }).write).toContain(
      `case when 'sort_order' = any (present.keys) then "body"."sort_order" else 0 end from json_array_elements(`,
    );
  });

  it('marks rows as deleted, or removes them without soft deletes', () => {
    expect(parts({ of: quotes, method: 'DELETE', query: 'sport=eq.golf' }).write).toBe(
      `update "builder"."quotes" set "deleted_at" = now() where "quotes"."sport" = 'golf' and "quotes"."deleted_at" is null returning 1`,
    );
    expect(parts({ of: notifications, method: 'DELETE', query: 'id=gt.1' }).write).toBe(
      `delete from "builder"."notifications" where "notifications"."id" > '1' returning 1`,
    );
  });

  it.each([
    [
      { prefer: 'max-affected=2, handling=strict' },
      `builder.expect_number('PG124', (select count(*) from written), 0, 2)`,
    ],
    [{ prefer: 'max-affected=2' }, ''],
    [
      { accept: 'application/vnd.pgrst.object+json' },
      `(select version from written limit 1) as version, builder.expect_number('PG116', (select count(*) from written), 1, 1)`,
    ],
  ])('is undone when the number of rows is not allowed by %j', (headers, extras) => {
    const request = { of: quotes, query: 'sport=eq.golf', headers: headers as Record<string, string> };
    expect(parts({ ...request, method: 'DELETE' }).extras).toBe(extras);
    expect(parts({ ...request, method: 'PATCH', body: { sport: 'polo' } }).extras).toBe(extras);
  });
});

describe('a write with an Idempotency-Key', () => {
  const body = { name: "it's", code: 'A', file_url: 'https://x.test', file_format: 'png' };
  const fingerprint = 'f1';
  const key = { 'idempotency-key': "k'1" };

  it('passes its statement as text to the function that runs it once', () => {
    const [, write = ''] =
      / 'f1', (.*), '\{.*\}'\)\)\n/s.exec(statement({ method: 'POST', body, headers: key, fingerprint })) ??
      [];
    expect(write).toBe(sql`${write.slice(1, -1).replaceAll("''", "'")}`.text);
    expect(write).toMatch(/^'with written as \(\n {2}insert into /);
    expect(statement({ method: 'POST', body, headers: key, fingerprint })).toBe(`select stored.*
from json_to_record(builder.run_once('k''1', 'f1', ${write}, '${JSON.stringify(body).replaceAll("'", "''")}'))
  as stored(body text, page_total text, inserted text, key text, version text)`);
  });

  it('does not use the key when it is only explained', () => {
    const headers = { accept: 'application/vnd.pgrst.plan+json' };
    expect(statement({ method: 'POST', body, headers: { ...headers, ...key }, fingerprint })).not.toContain(
      'run_once',
    );
  });
});

describe('the version of a row', () => {
  const column = '"graphics"."xmin"::text as version';

  it.each<[string, PartialRequest]>([
    ['a row by its key', { query: 'select=code&id=eq.1' }],
    ['a row by its key and more', { query: 'select=code&code=eq.A&id=eq.1' }],
    ['a single object', { headers: { accept: 'application/vnd.pgrst.object+json' } }],
    ['one new row', { method: 'POST' }],
    ['a row that is put', { method: 'PUT', query: `id=eq.${id}`, body: { id } }],
  ])('is returned for %s', (_, request) => {
    const body = { id, name: 'A', code: 'A', file_url: 'https://x.test', file_format: 'png' };
    expect(statement({ ...request, ...(request.method && { body }) })).toContain(column);
  });

  it.each<[string, PartialRequest]>([
    ['a list', { query: 'select=code&code=eq.A' }],
    ['keys in a list or a tree', { query: 'id=in.(1,2)&or=(id.eq.1,code.eq.A)' }],
    ['another row than the one', { query: 'id=not.eq.1' }],
    ['an aggregate', { query: 'select=count()&id=eq.1' }],
    ['a row that is removed', { of: notifications, method: 'DELETE', query: 'id=eq.1' }],
    [
      'a write that is taken back',
      { of: quotes, method: 'DELETE', query: 'id=eq.1', headers: { prefer: 'tx=rollback' } },
    ],
  ])('is not returned for %s', (_, request) => {
    expect(statement(request)).not.toContain('xmin');
  });

  it('in If-Match is a condition of the write', () => {
    const headers = { 'if-match': '"741-a", "742-b"' };
    const text = statement({
      of: quotes,
      method: 'PATCH',
      query: 'id=eq.1',
      headers,
      body: { sport: 'golf' },
    });
    expect(text).toContain(` where "quotes"."xmin"::text = any ('{741,742}') and "quotes"."id" = '1' and `);
    const accept = 'text/csv';
    expect(
      statement({ of: quotes, method: 'DELETE', query: 'id=eq.1', headers: { ...headers, accept } }),
    ).toContain(`builder.expect_number('PG412', (select count(*) from written), 1, 1)`);
    const any = statement({
      of: notifications,
      method: 'DELETE',
      query: 'id=eq.1',
      headers: { 'if-match': '*' },
    });
    expect(any).toContain(` where "notifications"."id" = '1' returning`);
  });

  it('turns a PUT into an update of the existing row', () => {
    const body = { id, name: 'A', code: 'A', file_url: 'https://x.test', file_format: 'png' };
    const text = statement({ method: 'PUT', query: `id=eq.${id}`, headers: { 'if-match': '*' }, body });
    expect(text).toContain('update "builder"."graphics"');
    expect(text).not.toContain('insert into');
  });
});

describe('text of a request', () => {
  const token = / E'(?:[^'\\]|''|\\\\)*'|'(?:[^']|'')*'|"(?:[^"]|"")*"/g;
  /** The statement with the contents of literals and quoted identifiers removed. */
  const skeleton = (text: string) => text.replace(token, found => (found[0] === '"' ? '""' : "''"));
  const literals = (text: string) =>
    (text.match(token) ?? [])
      .filter(found => found[0] !== '"')
      .map(found =>
        found.startsWith(' E') ? found.slice(3, -1).replaceAll('\\\\', '\\') : found.slice(1, -1),
      )
      .map(inside => inside.replaceAll("''", "'"));

  const character = fc.oneof(
    fc.constantFrom(`'`, `"`, `\\`, ';', '-', '/', '*', '$', 'E', ' ', '\n', ',', '(', ')', '{', '}', ':'),
    anyText({ minLength: 1, maxLength: 1 }).filter(text => text !== '\0'),
  );
  const hostileText = fc.string({ unit: character, minLength: 1, maxLength: 15 });
  const encoded = (text: string) => encodeURIComponent(text);
  const inQuotes = (text: string) => encoded(`"${text.replace(/["\\]/g, String.raw`\$&`)}"`);

  it.each<[string, (text: string) => PartialRequest]>([
    ['the value of a filter', text => ({ query: `code=eq.${encoded(text)}` })],
    ['a pattern', text => ({ query: `code=like(any).${encoded(text)}` })],
    ['a value of a list', text => ({ query: `code=in.(x,${inQuotes(text)})` })],
    ['a value of a logic tree', text => ({ query: `or=(code.eq.${inQuotes(text)},name.is.null)` })],
    ['a search', text => ({ query: `code=wfts(english).${encoded(text)}` })],
    ['an alias', text => ({ query: `select=${inQuotes(text)}:code` })],
    [
      'an alias of CSV',
      text => ({ query: `select=${inQuotes(text)}:code`, headers: { accept: 'text/csv' } }),
    ],
    [
      'an alias of what a write returns',
      text => ({
        method: 'DELETE',
        query: `id=eq.1&select=${inQuotes(text)}:code`,
        headers: { prefer: 'return=representation' },
      }),
    ],
    ['a key of JSON', text => ({ of: quotes, query: `select=id&customization->${inQuotes(text)}=is.null` })],
    [
      'a key of JSON that is selected',
      text => ({ of: quotes, query: `select=customization->>${inQuotes(text)}` }),
    ],
    [
      'a key of JSON to order by',
      text => ({ of: quotes, query: `select=id&order=colors->${inQuotes(text)}` }),
    ],
    ['a body', text => ({ of: quotes, method: 'PATCH', query: 'id=eq.1', body: { sport: text } })],
    [
      'a key inside a body',
      text => ({ of: quotes, method: 'PATCH', query: 'id=eq.1', body: { customization: { [text]: text } } }),
    ],
    [
      'a body under an Idempotency-Key',
      text => ({
        method: 'POST',
        body: { name: text, code: 'A', file_url: 'https://a.test', file_format: 'png' },
        headers: { 'idempotency-key': 'k' },
        fingerprint: 'f',
      }),
    ],
    ['the key of a PUT', text => ({ of: notifications, method: 'DELETE', query: `id=eq.${encoded(text)}` })],
    [
      'a claim',
      text => ({
        as: { ...staff, claims: { role: 'authenticated', sub: text, app_metadata: {} } },
      }),
    ],
  ])('%s stays inside literals and quoted identifiers', (_, ask) => {
    const harmless = skeleton(message(ask('x')));
    expect(harmless).not.toMatch(/--|\/\*|\$|\\/);
    fc.assert(
      fc.property(hostileText, text => {
        expect(skeleton(message(ask(text)))).toBe(harmless);
      }),
    );
  });

  it('reaches Postgres unchanged', () => {
    fc.assert(
      fc.property(hostileText, text => {
        expect(literals(message({ query: `code=eq.${encoded(text)}` }))).toContain(text);
        const body = { sport: text };
        const written = message({ of: quotes, method: 'PATCH', query: 'id=eq.1', body });
        expect(literals(written)).toContain(JSON.stringify(body));
      }),
    );
  });

  it('stays inside the literals of a query that is itself a literal', () => {
    const inner = (text: string) => {
      const headers = { prefer: 'count=planned' };
      const found = literals(message({ query: `code=eq.${encoded(text)}`, headers }));
      return skeleton(found.find(value => value.startsWith('select from ')) ?? '');
    };
    expect(inner('x')).toBe(`select from ""."" where ""."" = '' and ""."" is null`);
    fc.assert(
      fc.property(hostileText, text => {
        expect(inner(text)).toBe(inner('x'));
      }),
    );
  });
});
