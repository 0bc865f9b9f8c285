-- Who makes a request. The service sets request.jwt.claims to the verified claims of the access token. Functions that
-- every statement calls are in plpgsql, which starts four times as fast as SQL.

-- Returns the user id (the token's `sub`); null for anonymous callers, the secret key and psql.
create or replace function builder.caller_id() returns uuid
  language plpgsql stable parallel safe set search_path = pg_catalog, pg_temp
as $$ begin return nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub'; end $$;

-- Returns the account that represents everyone: a notification for it is a message to everyone.
create or replace function builder.everyone() returns uuid
  language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$ select '00000000-0000-0000-0000-000000000000'::uuid $$;

-- Returns the accounts that a customer acts for: its own, whose id is the user's, and those of account_ids(), which may be null.
-- The nil uuid is removed, since no caller acts for everyone.
create or replace function builder.caller_account_ids() returns uuid[]
  language plpgsql stable parallel safe set search_path = pg_catalog, pg_temp
as $$
begin
  return array_remove(
    array_remove(builder.caller_id() || builder.account_ids(), null), '00000000-0000-0000-0000-000000000000'
  );
end
$$;

-- Returns who makes a change: a customer, staff, the sweep, or otherwise `service` (the secret key, or the owner).
create or replace function builder.caller_kind() returns text
  language plpgsql stable parallel safe set search_path = pg_catalog, pg_temp
as $$
begin
  return case
    when session_user = 'builder_jobs' then 'sweep'
    when current_setting('role') = 'builder_customer' then 'customer'
    when current_setting('role') = 'builder_staff' and builder.caller_id() is not null then 'staff'
    else 'service'
  end;
end
$$;

grant execute on function
  builder.caller_id(),
  builder.everyone(),
  builder.account_ids(),
  builder.caller_account_ids()
  to builder_anon, builder_customer, builder_staff;
