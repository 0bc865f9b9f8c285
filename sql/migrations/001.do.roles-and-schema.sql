-- The roles and the schema. The workers log in as builder_api, the sweep as builder_sweeper, the worker `delivery` as
-- builder_deliverer. A request runs as builder_anon, builder_customer, builder_staff or builder_reader (a read key),
-- and the feed of live updates is read as builder_live. Roles belong to the server, so another of its databases may
-- have created them.
do $$
declare
  definition text;
begin
  foreach definition in array array[
    'builder_anon nologin', 'builder_customer nologin', 'builder_staff nologin', 'builder_reader nologin',
    'builder_live nologin', 'builder_api login', 'builder_sweeper login', 'builder_deliverer login'
  ] loop
    begin
      execute format('create role %s noinherit', definition);
    exception when duplicate_object or unique_violation then
      null;
    end;
  end loop;
end
$$;

grant builder_anon, builder_customer, builder_staff, builder_reader, builder_live to builder_api;

create schema if not exists builder;
grant usage on schema builder
  to builder_anon, builder_customer, builder_staff, builder_reader, builder_live, builder_sweeper, builder_deliverer;

-- The files of code/ that are applied.
create table builder.code (
  name text not null,
  md5 text not null,

  constraint code_pkey primary key (name)
);
alter table builder.code enable row level security;
