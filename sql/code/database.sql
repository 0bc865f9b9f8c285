-- Settings of the database. Every migration applies them, since a restored dump lacks them.
do $$
declare
  -- Whether the database has tables of other applications (extensions excepted). Then the privileges of public are
  -- kept.
  shared constant boolean := exists (
    select from pg_class
    where relpersistence <> 't'
      and relnamespace not in (select oid from pg_namespace where nspname ~ '^(pg_.*|information_schema|builder)$')
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
  );
  login text;
  setting text;
begin
  -- So that a name never means a function or table of another schema.
  foreach login in array array['builder_api', 'builder_jobs'] loop
    execute format('alter role %I in database %I set search_path = pg_catalog, pg_temp', login, current_database());
    -- If the owner may set these: clients get errors in English, on which no response depends, and the server's log does not
    -- get the statements that fail, which have the bodies of requests, nor parts of them as DETAIL.
    foreach setting in array array['lc_messages = ''C''', 'log_min_error_statement = panic', 'log_error_verbosity = terse'] loop
      begin
        execute format('alter role %I in database %I set %s', login, current_database(), setting);
      exception when insufficient_privilege then
        null;
      end;
    end loop;
  end loop;
  if not shared and pg_has_role((select datdba from pg_database where datname = current_database()), 'usage') then
    execute format('revoke temporary on database %I from public', current_database());
    if pg_has_role((select nspowner from pg_namespace where nspname = 'public'), 'usage') then
      revoke create on schema public from public;
    end if;
  end if;
end
$$;

-- Postgres grants the execution of a new function to public.
revoke execute on all functions in schema builder from public;
