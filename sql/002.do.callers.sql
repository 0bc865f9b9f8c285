-- Who is asking. The service puts the verified claims of the access token into request.jwt.claims.

-- The user id (the token's sub); null for anonymous callers, the secret key and psql.
create function builder.caller_id() returns uuid
  language sql stable parallel safe set search_path = ''
as $$
  select (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid
$$;

-- The account that stands for everyone: a notification addressed to it is a system message.
create function builder.everyone() returns uuid
  language sql immutable parallel safe set search_path = ''
as $$ select '00000000-0000-0000-0000-000000000000'::uuid $$;

-- The accounts a customer acts for: its personal one, whose id is the user's, and its teams. Nobody acts for
-- everyone. A deployment that keeps memberships in a table replaces this function, and nothing else.
create function builder.account_ids() returns uuid[]
  language sql stable parallel safe set search_path = ''
as $$
  select array(
    select builder.caller_id() where builder.caller_id() is not null
    union
    select jsonb_array_elements_text(
      nullif(current_setting('request.jwt.claims', true), '')::jsonb -> 'app_metadata' -> 'account_ids'
    )::uuid
    except
    select builder.everyone()
  )
$$;
