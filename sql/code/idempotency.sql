-- The responses to POSTs with an Idempotency-Key. A retry with the same key gets the same response, and writes
-- nothing. The key is recorded in the transaction that writes the rows: a write that fails leaves no key.
--
-- A customer has at most 10,000 keys a day. A response's body is kept if it has at most 64 KiB and is among the
-- caller's newest 64; otherwise only its version and Location are kept.

-- Names the owner of the caller's keys. The role is part of it, since a response to staff has columns that customers
-- can't read.
create or replace function builder.key_owner() returns text
  language sql stable set search_path = pg_catalog, pg_temp
as $$ select concat_ws(' ', current_setting('role'), builder.caller_id()) $$;

-- Returns null when the key is new, and records it in this transaction; otherwise returns the recorded response.
-- Waits for another transaction that uses the key; if that one fails, the key is new.
create or replace function builder.claim_key(given_key text, given_fingerprint text) returns json
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  owner constant text := builder.key_owner();
  is_customer constant boolean := builder.caller_kind() = 'customer';
  most constant integer := 10000;
  known builder.idempotency_keys;
begin
  loop
    insert into builder.idempotency_keys (caller, key, fingerprint) values (owner, given_key, given_fingerprint)
      on conflict do nothing;
    if found then
      if is_customer and (
        select count(*) from (select from builder.idempotency_keys k where k.caller = owner limit most + 1) kept
      ) > most then
        raise sqlstate 'PT429' using constraint = 'keys of a day',
          message = format('This caller has used %s Idempotency-Keys within a day, so nothing was written', most),
          hint = 'Write several rows in one request, or continue without the header.';
      end if;
      return null;
    end if;
    -- A new statement sees what the other transaction has written. It finds nothing only when the sweep has deleted the
    -- record in between; then the key is new.
    select * into known from builder.idempotency_keys k where k.caller = owner and k.key = given_key;
    exit when found;
  end loop;
  if known.fingerprint <> given_fingerprint then
    raise sqlstate 'PT422' using constraint = 'key of another request',
      message = 'The Idempotency-Key was used for another request, so nothing was written',
      detail = 'This request has another body, path, query or header than the first one with this key.',
      hint = 'Send a retry unchanged, and each new request with a new key.';
  end if;
  if is_customer and not coalesce(known.accounts, '{}') <@ builder.caller_account_ids() then
    raise insufficient_privilege using constraint = 'key of another account',
      message = 'permission denied: the Idempotency-Key was used for an account that this caller is no longer in';
  end if;
  return known.response;
end
$$;

-- Records the response of a key, and removes the bodies of the caller's older responses.
create or replace function builder.save_response(given_key text, given_response json, given_accounts uuid[]) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  owner constant text := builder.key_owner();
  newest constant integer := 64;
  body constant text := coalesce(given_response ->> 'body', '');
  keeps_body constant boolean := octet_length(body) between 1 and 65536;
begin
  update builder.idempotency_keys k
  set response = case when keeps_body or body = '' then given_response
      else (given_response::jsonb || '{"body": null}')::json end,
    accounts = given_accounts,
    has_body = keeps_body
  where k.caller = owner and k.key = given_key;
  if keeps_body then
    update builder.idempotency_keys k
    set response = (k.response::jsonb || '{"body": null}')::json, has_body = false
    from (
      select older.key from builder.idempotency_keys older
      where older.caller = owner and older.has_body
      order by older.created_at desc
      offset newest
      limit 10
      for update skip locked
    ) older
    where k.caller = owner and k.key = older.key;
  end if;
end
$$;

-- Runs a statement that returns one row, as the caller, unless the key is recorded. Returns that row, or the recorded
-- one, as JSON. Its column `accounts` lists the accounts that the row is about. The statement reads the request's
-- body as $1: within its text the body would be quoted twice, and up to eight times as long. It may be preceded by another
-- one and a semicolon, which writes what it reads.
create or replace function builder.run_once(key text, fingerprint text, statement text, body json) returns json
  language plpgsql volatile set search_path = pg_catalog, pg_temp
as $$
declare
  response json := builder.claim_key(key, fingerprint);
  result record;
begin
  if response is null then
    execute statement into result using body;
    response := to_json(result);
    perform builder.save_response(key, response, array(
      select json_array_elements_text(case json_typeof(response -> 'accounts') when 'array' then response -> 'accounts' else '[]' end)::uuid
    ));
  end if;
  return response;
end
$$;

grant execute on function
  builder.claim_key(text, text),
  builder.save_response(text, json, uuid[]),
  builder.run_once(text, text, text, json)
  to builder_customer, builder_staff;
