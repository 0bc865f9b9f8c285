import type { Sql } from 'postgres';

/** The functions, columns, constraints, indexes, policies, triggers and privileges of a database, but not the order of columns. */
export const readStructure = async (sql: Sql): Promise<string[]> => {
  const rows = await sql<{ text: string }[]>`
    with relation as (select * from pg_class where relnamespace = 'builder'::regnamespace)
    select concat_ws(' ', oid::regprocedure, pg_get_functiondef(oid), (
      select string_agg(grantee::regrole::text, ',' order by grantee::regrole::text) from aclexplode(proacl) where grantee <> proowner
    )) as text from pg_proc where pronamespace = 'builder'::regnamespace
    union all select concat_ws(' ', relname, attname, format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid))
      from relation join pg_attribute on attrelid = relation.oid and attnum > 0 and not attisdropped
      left join pg_attrdef on adrelid = attrelid and adnum = attnum
    union all select concat_ws(' ', relname, conname, pg_get_constraintdef(c.oid)) from relation join pg_constraint c on conrelid = relation.oid and contype <> 'n'
    union all select pg_get_indexdef(oid) from relation where relkind = 'i'
    union all select concat_ws(' ', tablename, policyname, roles::text, cmd, qual, with_check) from pg_policies
    union all select pg_get_triggerdef(t.oid) from relation join pg_trigger t on tgrelid = relation.oid where not tgisinternal
    union all select concat_ws(' ', relname, grantee::regrole, privilege_type) from relation, aclexplode(relacl) where grantee <> relowner
    union all select concat_ws(' ', relname, attname, grantee::regrole, privilege_type)
      from relation join pg_attribute on attrelid = relation.oid, aclexplode(attacl)
    order by 1`;
  return rows.map(({ text }) => text);
};
