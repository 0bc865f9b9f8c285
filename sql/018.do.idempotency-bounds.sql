-- What is kept for Idempotency-Keys is bounded: an answer of more than 64 KiB is kept as its key and version alone, and so
-- are all but a caller's newest 64; of a customer at most 10,000 records of a day are kept. A record also tells of which
-- accounts it was, so that who left an account gets nothing of its rows by a retry.

alter table builder.idempotency_keys
  add column accounts uuid[],
  -- Whether the answer's body is here.
  add column has_body boolean not null default false;
create index idempotency_keys_with_a_body on builder.idempotency_keys (caller, created_at) where has_body;

-- Answers null where the key is new and now this transaction's, and what is on record where it is not. A key that
-- another transaction is just using is waited for: if that fails, the key is new.
create or replace function builder.claim_key(given_key text, given_fingerprint text) returns json
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  owner constant text := builder.key_owner();
  is_customer constant boolean := current_setting('role') = 'builder_customer';
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
        raise sqlstate 'PT429' using
          message = format('This caller has used %s Idempotency-Keys within a day, so nothing was written', most),
          hint = 'Write several rows by one request, or go on without the header.';
      end if;
      return null;
    end if;
    -- A statement of its own, which sees what the one before has waited for; nothing only when the sweep came between.
    select * into known from builder.idempotency_keys k where k.caller = owner and k.key = given_key;
    exit when found;
  end loop;
  if known.fingerprint <> given_fingerprint then
    raise sqlstate 'PT422' using
      message = 'The Idempotency-Key was used for another request, so nothing was written',
      detail = 'The body, the path, the query or a header of the first request with this key was another.',
      hint = 'Send a retry unchanged, and every new request with a key of its own.';
  end if;
  if is_customer and not coalesce(known.accounts, '{}') <@ builder.account_ids() then
    raise insufficient_privilege using
      message = 'permission denied: the Idempotency-Key was used for an account that this caller is no longer in';
  end if;
  return known.answer;
end
$$;

drop function builder.keep_answer(text, json);
create function builder.keep_answer(given_key text, given_answer json, given_accounts uuid[]) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  owner constant text := builder.key_owner();
  newest constant integer := 64;
  body constant text := coalesce(given_answer ->> 'body', '');
  keeps_body constant boolean := octet_length(body) between 1 and 65536;
begin
  update builder.idempotency_keys k
  set answer = case when keeps_body or body = '' then given_answer
      else (given_answer::jsonb || '{"body": null}')::json end,
    accounts = given_accounts,
    has_body = keeps_body
  where k.caller = owner and k.key = given_key;
  if keeps_body then
    update builder.idempotency_keys k
    set answer = (k.answer::jsonb || '{"body": null}')::json, has_body = false
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

-- Runs a statement that answers one row, as the caller, unless the key says that it has run: the row as JSON, of this
-- run or of the first. Its column `accounts` is of the accounts that the row is about. The statement reads the request's
-- body as $1: in its text the body would be quoted twice, and up to eight times as long.
drop function builder.run_once(text, text, text);
create function builder.run_once(key text, fingerprint text, statement text, body json) returns json
  language plpgsql volatile set search_path = pg_catalog, pg_temp
as $$
declare
  answer json := builder.claim_key(key, fingerprint);
  answered record;
begin
  if answer is null then
    execute statement into answered using body;
    answer := to_json(answered);
    perform builder.keep_answer(key, answer, array(
      select json_array_elements_text(case json_typeof(answer -> 'accounts') when 'array' then answer -> 'accounts' else '[]' end)::uuid
    ));
  end if;
  return answer;
end
$$;

revoke execute on function
  builder.keep_answer(text, json, uuid[]),
  builder.run_once(text, text, text, json)
  from public;
grant execute on function
  builder.keep_answer(text, json, uuid[]),
  builder.run_once(text, text, text, json)
  to builder_customer, builder_staff;
