-- The roles of the service. A request runs as builder_anon, builder_customer or builder_staff; builder_api and
-- builder_sweeper log in. Roles belong to the whole cluster, so another of its databases may have made them already.
do $$
declare
  definition text;
begin
  foreach definition in array array[
    'builder_anon nologin', 'builder_customer nologin', 'builder_staff nologin',
    'builder_api login', 'builder_sweeper login'
  ] loop
    begin
      execute format('create role %s noinherit', definition);
    exception when duplicate_object or unique_violation then
      null;
    end;
  end loop;
end
$$;

grant builder_anon, builder_customer, builder_staff to builder_api;

create schema if not exists builder;
grant usage on schema builder to builder_anon, builder_customer, builder_staff, builder_sweeper;
