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

-- Returns who makes a change: staff, the sweep, `service` (the secret key, or who acts as the owner), and otherwise a customer.
create or replace function builder.caller_kind() returns text
  language plpgsql stable parallel safe set search_path = pg_catalog, pg_temp
as $$
declare
  role constant text := current_setting('role');
begin
  return case
    when role = 'builder_customer' then 'customer'
    when session_user = 'builder_jobs' then 'sweep'
    when role = 'builder_staff' then case when builder.caller_id() is null then 'service' else 'staff' end
    when pg_has_role(
      case role when 'none' then session_user else role end, (select relowner from pg_class where oid = 'builder.quotes'::regclass), 'usage'
    ) then 'service'
    else 'customer'
  end;
end
$$;

grant execute on function
  builder.caller_id(),
  builder.caller_kind(),
  builder.everyone(),
  builder.account_ids(),
  builder.caller_account_ids()
  to builder_anon, builder_customer, builder_staff;
