-- The roles a request can run as, and the two that log in. Roles belong to the whole cluster, so another
-- database of it may have made them already.
do $$
declare
  role_name text;
begin
  foreach role_name in array array['builder_anon', 'builder_customer', 'builder_staff'] loop
    if not exists (select from pg_roles where rolname = role_name) then
      execute format('create role %I nologin noinherit', role_name);
    end if;
  end loop;
  foreach role_name in array array['builder_api', 'builder_sweeper'] loop
    if not exists (select from pg_roles where rolname = role_name) then
      execute format('create role %I login noinherit', role_name);
    end if;
  end loop;
end
$$;

grant builder_anon, builder_customer, builder_staff to builder_api;

create schema if not exists builder;
grant usage on schema builder to builder_anon, builder_customer, builder_staff, builder_sweeper;
