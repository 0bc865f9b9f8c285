-- What a POST with an Idempotency-Key was answered, so that the same request again is answered the same and writes
-- nothing more. The record is written in the transaction of the row itself: a write that fails leaves no key.

create table builder.idempotency_keys (
  -- Whose key it is: what one caller sends says nothing of another's.
  caller text not null,
  key text not null,
  -- The hash of the request that the key came with.
  fingerprint text not null,
  answer json,
  created_at timestamptz not null default now(),
  constraint idempotency_keys_pkey primary key (caller, key)
);
create index idempotency_keys_by_created_at on builder.idempotency_keys (created_at);
-- No role has a grant or a policy: the functions below are the only way, each to the caller's own records.
alter table builder.idempotency_keys enable row level security;

-- By the verified claims and the role that was set for them, since an answer to staff holds what customers may not read.
create function builder.key_owner() returns text
  language sql stable set search_path = ''
as $$ select concat_ws(' ', current_setting('role'), builder.caller_id()) $$;

-- Answers null where the key is new and now this transaction's, and what is on record where it is not. A key that
-- another transaction is just using is waited for: if that fails, the key is new.
create function builder.claim_key(given_key text, given_fingerprint text) returns json
  language plpgsql security definer set search_path = ''
as $$
declare
  owner constant text := builder.key_owner();
  known builder.idempotency_keys;
begin
  loop
    insert into builder.idempotency_keys (caller, key, fingerprint) values (owner, given_key, given_fingerprint)
      on conflict do nothing;
    if found then
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
  return known.answer;
end
$$;

create function builder.keep_answer(given_key text, given_answer json) returns void
  language sql security definer set search_path = ''
as $$
  update builder.idempotency_keys k set answer = given_answer
  where k.caller = builder.key_owner() and k.key = given_key
$$;

-- Runs a statement that answers one row, as the caller, unless the key says that it has run: the row as JSON, of this
-- run or of the first.
create function builder.run_once(key text, fingerprint text, statement text) returns json
  language plpgsql volatile set search_path = ''
as $$
declare
  answer json := builder.claim_key(key, fingerprint);
  answered record;
begin
  if answer is null then
    execute statement into answered;
    answer := to_json(answered);
    perform builder.keep_answer(key, answer);
  end if;
  return answer;
end
$$;

-- Records of a day ago and older are removed, for the sweep. Answers how many.
create function builder.prune_idempotency_keys(batch integer) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  pruned integer;
begin
  with due as (
    select k.caller, k.key from builder.idempotency_keys k
    where k.created_at <= now() - interval '1 day'
    order by k.created_at
    limit batch
    for update skip locked
  )
  delete from builder.idempotency_keys k using due where k.caller = due.caller and k.key = due.key;
  get diagnostics pruned = row_count;
  return pruned;
end
$$;

revoke execute on function
  builder.key_owner(),
  builder.claim_key(text, text),
  builder.keep_answer(text, json),
  builder.run_once(text, text, text),
  builder.prune_idempotency_keys(integer)
  from public;
grant execute on function
  builder.claim_key(text, text),
  builder.keep_answer(text, json),
  builder.run_once(text, text, text)
  to builder_customer, builder_staff;
grant execute on function builder.prune_idempotency_keys(integer) to builder_sweeper;
