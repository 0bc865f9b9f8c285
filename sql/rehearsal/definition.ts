/** How a database is made: tables, rules and functions, and who may do what; a line each, to be compared. */
import { readFile } from 'node:fs/promises';
import type { Sql } from 'postgres';

export async function readStructure(sql: Sql): Promise<string[]> {
  const rows = await sql<{ line: string }[]>`
    select 'migration ' || version || ' ' || md5 as line from builder.migrations where version > 0
    union all
    select format('column %s.%I (%s) %s%s%s', attrelid::regclass, attname,
      row_number() over (partition by attrelid order by attnum), format_type(atttypid, atttypmod),
      case when attnotnull then ' not null' end, ' default ' || pg_get_expr(adbin, adrelid))
    from pg_class join pg_attribute on attrelid = pg_class.oid
      left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relnamespace = 'builder'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
    union all
    select format('constraint of %s: %s %s%s', conrelid::regclass, conname, pg_get_constraintdef(oid),
      case when not convalidated then ' NOT VALIDATED' end)
    from pg_constraint where connamespace = 'builder'::regnamespace
    union all
    select case when indisvalid then '' else 'INVALID ' end || pg_get_indexdef(indexrelid)
    from pg_index join pg_class on pg_class.oid = indrelid where relnamespace = 'builder'::regnamespace
    union all
    select pg_get_triggerdef(pg_trigger.oid) || ' ' || tgenabled::text
    from pg_trigger join pg_class on pg_class.oid = tgrelid
    where relnamespace = 'builder'::regnamespace and not tgisinternal
    union all
    select format('function %s %s', oid::regprocedure, md5(pg_get_functiondef(oid)))
    from pg_proc where pronamespace = 'builder'::regnamespace
    union all
    select format('type %s: %s', enumtypid::regtype, string_agg(enumlabel, ', ' order by enumsortorder))
    from pg_enum join pg_type on pg_type.oid = enumtypid where typnamespace = 'builder'::regnamespace
    group by enumtypid
    order by 1`;
  return rows.map(({ line }) => line);
}

/** Those of the roles, the schema and all in it. What holds for a database itself, each run of migrate sets. */
export async function readPrivileges(sql: Sql): Promise<string[]> {
  const query = await readFile(new URL('../privileges.sql', import.meta.url), 'utf8');
  const rows = await sql.unsafe<{ line: string }[]>(query);
  let object = '';
  return rows.flatMap(({ line }) => {
    const [head = '', ...more] = line.split('\n');
    object = /^\S/.test(head) ? head : object;
    const text = /^\S/.test(head) ? more.join(' ') : line;
    return /^(database|schema public)$/.test(object)
      ? []
      : [`${object}: ${text.replace(/\s+/g, ' ').trim()}`];
  });
}

/** What only one of two lists has. */
export function compare(source: string[], restored: string[]): string[] {
  const [ours, theirs] = [new Set(source), new Set(restored)];
  return [
    ...source.filter(line => !theirs.has(line)).map(line => `missing  ${line}`),
    ...restored.filter(line => !ours.has(line)).map(line => `more     ${line}`),
  ];
}
