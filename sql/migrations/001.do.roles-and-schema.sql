-- The roles and the schema. Requests and live updates log in as builder_api: a request runs as builder_anon,
-- builder_customer, builder_staff or builder_reader (a read key), and the feed of live updates is read as builder_live. The
-- sweep and deliveries log in as builder_jobs, which has the privileges of builder_sweeper and builder_deliverer. To revoke
-- one of these two from it pauses the sweep or deliveries.
-- Roles belong to the server, so another of its databases may have created them.
do $$
declare
  definition text;
begin
  foreach definition in array array[
    'builder_anon nologin', 'builder_customer nologin', 'builder_staff nologin', 'builder_reader nologin',
    'builder_live nologin', 'builder_sweeper nologin', 'builder_deliverer nologin', 'builder_api login'
  ] loop
    begin
      execute format('create role %s noinherit', definition);
    exception when duplicate_object or unique_violation then
      null;
    end;
  end loop;
  -- A member from the beginning only, so that another database's migration does not resume what is paused.
  begin
    create role builder_jobs login inherit in role builder_sweeper, builder_deliverer;
  exception when duplicate_object or unique_violation then
    null;
  end;
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

-- The release whose files were applied last: one row. An older one refuses to migrate.
create table builder.release (
  id boolean not null default true,
  number integer not null,

  constraint release_pkey primary key (id),
  constraint there_is_one_row check (id)
);
alter table builder.release enable row level security;
insert into builder.release (number) values (1);

-- The functions below are for a deployment to replace. So they are not in code/, whose files are applied again when they
-- change: that would overwrite the replacement.

-- Returns the accounts of the caller's teams. The user's own account is added to them (caller_account_ids()).
create function builder.account_ids() returns uuid[]
  language plpgsql stable parallel safe set search_path = pg_catalog, pg_temp
as $$
begin
  return array(select jsonb_array_elements_text(nullif(
    nullif(current_setting('request.jwt.claims', true), '')::jsonb -> 'app_metadata' -> 'account_ids', 'null'
  ))::uuid);
end
$$;

-- Returns the address and the language of an account: the confirmed address in Supabase's auth.users, if that exists. It must
-- be quick, since moves of quotes wait for it. If it fails, the message is in English and the e-mail waits.
create function builder.email_of(account uuid, out address text, out language text)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
  language := 'en';
  if to_regclass('auth.users') is not null then
    execute 'select email from auth.users where id = $1 and email_confirmed_at is not null' into address using account;
  end if;
end
$$;

-- Returns the time zone in which messages to an account state times.
create function builder.time_zone_of(account uuid) returns text
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$ select 'UTC' $$;
