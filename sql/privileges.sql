-- Who may do what, a line each, as the catalogs have it. Its result for a migrated database is in test/sql/privileges.txt
-- (`psql -At -f sql/privileges.sql`). Owners may do everything, so that is left out.
with ours as (
  select oid, rolname::text as name from pg_roles where rolname ~ '^builder_'
),
-- The privileges of an access control list, by grantee.
held as (
  select part, described.name, item, coalesce(nullif(grantee, 0)::regrole::text, 'PUBLIC') as who,
    string_agg(lower(privilege_type) || case when is_grantable then ' with grant option' else '' end, ', '
      order by array_position('{SELECT,INSERT,UPDATE,DELETE}', privilege_type), privilege_type) as may
  from (
    select 1 as part, 'database' as name, null as item, datdba as owner, coalesce(datacl, acldefault('d', datdba)) as acl
    from pg_database where datname = current_database()
    union all
    select 2, 'schema ' || nspname, null, nspowner, coalesce(nspacl, acldefault('n', nspowner))
    from pg_namespace where nspname in ('builder', 'public')
    union all
    select case when relkind = 'S' then 5 else 4 end,
      case when relkind = 'S' then 'sequence ' else 'table ' end || oid::regclass, null, relowner,
      coalesce(relacl, acldefault(case when relkind = 'S' then 's' else 'r' end::"char", relowner))
    from pg_class where relnamespace = 'builder'::regnamespace and relkind not in ('i', 'I', 't', 'c')
    union all
    select 4, 'table ' || oid::regclass, case when attnum < 0 then 'hidden ' else '' end || 'column ' || attname,
      relowner, attacl
    from pg_class join pg_attribute on attrelid = oid
    where relnamespace = 'builder'::regnamespace and attacl is not null
    union all
    select 6, 'type ' || oid::regtype, null, typowner, coalesce(typacl, acldefault('T', typowner))
    from pg_type where typnamespace = 'builder'::regnamespace and typtype in ('e', 'd', 'r')
    union all
    select 7, 'function ' || oid::regprocedure, null, proowner, coalesce(proacl, acldefault('f', proowner))
    from pg_proc where pronamespace = 'builder'::regnamespace
  ) described, aclexplode(acl)
  where grantee <> owner
  group by part, described.name, item, grantee
),
lines as (
  select 0 as part, 'role ' || name as name, 1 as place, '' as item,
    concat_ws(', ', case when rolcanlogin then 'logs in' else 'does not log in' end,
      case when rolinherit then 'INHERITS' end, case when rolsuper then 'SUPERUSER' end,
      case when rolbypassrls then 'BYPASSES ROW SECURITY' end, case when rolcreaterole then 'CREATES ROLES' end,
      case when rolcreatedb then 'CREATES DATABASES' end, case when rolreplication then 'REPLICATES' end,
      array_to_string(rolconfig, ', ')) as line
  from pg_roles join ours using (oid)
  union all
  select 0, 'role ' || member::regrole, 2, roleid::regrole::text, 'may become ' || roleid::regrole
    || case when admin_option then ', AND LET OTHERS' else '' end
    || case when (to_jsonb(membership) ->> 'inherit_option')::boolean then ', AND HAS ITS RIGHTS WITHOUT' else '' end
  from pg_auth_members membership where member in (select oid from ours)
  union all
  select 0, 'role ' || setrole::regrole, 3, '', 'in this database ' || array_to_string(setconfig, ', ')
  from pg_db_role_setting where setrole in (select oid from ours)
    and setdatabase = (select oid from pg_database where datname = current_database())
  union all
  select part, name, case when item is null then 2 else 3 end, coalesce(item, ''),
    concat_ws(' ', item || ':', who, may)
  from held
  union all
  select 4, 'table ' || oid::regclass, 1, '', 'row level security ' || case
      when relrowsecurity then 'on' || case when relforcerowsecurity then ', for the owner too' else '' end
      else 'OFF' end || case when relowner = any (array(select oid from ours)) then ', OWNED BY ' || relowner::regrole else '' end
  from pg_class where relnamespace = 'builder'::regnamespace and relkind not in ('i', 'I', 't', 'c', 'S')
  union all
  select 4, 'table ' || polrelid::regclass, 4, polname,
    format('policy %s: %s%s of %s%s%s', polname, case when polpermissive then '' else 'RESTRICTIVE ' end,
      case polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
      (select string_agg(coalesce(nullif(role, 0)::regrole::text, 'PUBLIC'), ', ' order by role::regrole::text) from unnest(polroles) role),
      E'\n      using ' || pg_get_expr(polqual, polrelid), E'\n      check ' || pg_get_expr(polwithcheck, polrelid))
  from pg_policy join pg_class on pg_class.oid = polrelid where relnamespace = 'builder'::regnamespace
  union all
  select 4, 'table ' || tgrelid::regclass, 5, tgname,
    'trigger ' || tgname || ': ' || tgfoid::regprocedure || case when tgenabled = 'O' then '' else ' NOT ENABLED' end
  from pg_trigger join pg_class on pg_class.oid = tgrelid where relnamespace = 'builder'::regnamespace and not tgisinternal
  union all
  select 7, 'function ' || oid::regprocedure, 1, '', concat_ws(', ',
      'runs as ' || case when prosecdef then 'its OWNER' else 'its caller' end,
      case provolatile when 'v' then 'volatile' when 's' then 'stable' else 'immutable' end,
      coalesce(array_to_string(proconfig, ', '), 'NOTHING PINNED'),
      case when proleakproof then 'LEAKPROOF' end,
      case when proowner = any (array(select oid from ours)) then 'OWNED BY ' || proowner::regrole end)
  from pg_proc where pronamespace = 'builder'::regnamespace
  union all
  select 8, 'default privileges', 1, '', format('of %s in %s: %s', defaclrole::regrole,
    coalesce(nullif(defaclnamespace, 0)::regnamespace::text, 'every schema'), defaclacl)
  from pg_default_acl
  where defaclrole in (select oid from ours) or defaclnamespace in (0, 'builder'::regnamespace)
  union all
  -- Whatever else our roles own, or have privileges on, in this database or for the whole cluster.
  select 9, 'elsewhere', 1, '', concat_ws(' ', refobjid::regrole, case deptype when 'o' then 'OWNS' else 'is named by' end,
    pg_describe_object(classid, objid, objsubid))
  from pg_shdepend
  where refclassid = 'pg_authid'::regclass and refobjid in (select oid from ours)
    and (dbid = (select oid from pg_database where datname = current_database())
      or dbid = 0 and classid <> 'pg_auth_members'::regclass)
    and not (classid = 'pg_namespace'::regclass and objid = 'builder'::regnamespace)
    and (classid = 'pg_policy'::regclass) is not true
    and (pg_identify_object(classid, objid, objsubid)).schema is distinct from 'builder'
)
select case when place = 1 and item = '' or row_number() over whole = 1 then name || E'\n' else '' end || '  ' || line as line
from lines
window whole as (partition by part, name order by place, item collate "C", line collate "C")
order by part, name collate "C", place, item collate "C", line collate "C";
