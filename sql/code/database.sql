-- Settings of the database itself. Every run of migrate makes them, because a dump that is restored elsewhere lacks them.
do $$
declare
  -- Whether others have tables in this database too, except for extensions: then what public may do is not ours to say.
  shared constant boolean := exists (
    select from pg_class
    where relpersistence <> 't'
      and relnamespace not in (select oid from pg_namespace where nspname ~ '^(pg_.*|information_schema|builder)$')
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
  );
  login text;
begin
  -- So that a name in a statement never means a function or table of another schema.
  foreach login in array array['builder_api', 'builder_sweeper', 'builder_deliverer'] loop
    execute format('alter role %I in database %I set search_path = pg_catalog, pg_temp', login, current_database());
    -- So that clients read the errors of Postgres in English, where the owner may say so. No answer depends on it.
    begin
      execute format('alter role %I in database %I set lc_messages = ''C''', login, current_database());
    exception when insufficient_privilege then
      null;
    end;
  end loop;
  if not shared and pg_has_role((select datdba from pg_database where datname = current_database()), 'usage') then
    execute format('revoke temporary on database %I from public', current_database());
    if pg_has_role((select nspowner from pg_namespace where nspname = 'public'), 'usage') then
      revoke create on schema public from public;
    end if;
  end if;
end
$$;

-- Postgres lets everybody call a new function.
revoke execute on all functions in schema builder from public;
