-- Who makes a request. The service puts the verified claims of the access token into request.jwt.claims. Functions that every
-- statement calls are in plpgsql, which starts four times as fast as SQL.

-- The user id (the token's sub); null for anonymous callers, the secret key and psql.
create or replace function builder.caller_id() returns uuid
  language plpgsql stable parallel safe set search_path = pg_catalog, pg_temp
as $$ begin return nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub'; end $$;

-- The account that stands for everyone: a notification addressed to it is a system message.
create or replace function builder.everyone() returns uuid
  language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$ select '00000000-0000-0000-0000-000000000000'::uuid $$;

-- The accounts a customer acts for: its personal one, whose id is the user's, and its teams. Nobody acts for everyone.
-- A deployment that keeps memberships in a table replaces this function, and nothing else.
create or replace function builder.account_ids() returns uuid[]
  language plpgsql stable parallel safe set search_path = pg_catalog, pg_temp
as $$
declare
  claims constant jsonb := nullif(current_setting('request.jwt.claims', true), '');
  teams constant jsonb := claims -> 'app_metadata' -> 'account_ids';
  ids uuid[] := array[(claims ->> 'sub')::uuid];
begin
  if teams is not null then
    ids := array(select unnest(ids) union select jsonb_array_elements_text(teams)::uuid);
  end if;
  return array_remove(array_remove(ids, null), builder.everyone());
end
$$;

-- Who makes the change at hand: a customer, staff, whatever has the secret key or writes as the owner, or the sweep.
create or replace function builder.caller_kind() returns text
  language plpgsql stable parallel safe set search_path = pg_catalog, pg_temp
as $$
begin
  return case
    when session_user = 'builder_sweeper' then 'sweep'
    when current_setting('role') = 'builder_customer' then 'customer'
    when current_setting('role') = 'builder_staff' and builder.caller_id() is not null then 'staff'
    else 'service'
  end;
end
$$;

grant execute on function
  builder.caller_id(),
  builder.everyone(),
  builder.account_ids()
  to builder_anon, builder_customer, builder_staff;
