-- What differs by caller: its accounts, its own among them, and what it has dismissed.

-- The accounts a customer acts for: its own, whose id is the user's, and those of account_ids(), which a deployment may
-- replace. No list is an empty one, and nobody acts for everyone.
create function builder.caller_account_ids() returns uuid[]
  language plpgsql stable parallel safe set search_path = pg_catalog, pg_temp
as $$
begin
  return array_remove(
    array_remove(builder.caller_id() || builder.account_ids(), null), '00000000-0000-0000-0000-000000000000'
  );
end
$$;

alter policy customers_use_quotes_of_their_accounts on builder.quotes
  using (account_id = any ((select builder.caller_account_ids())::uuid[]))
  with check (account_id = any ((select builder.caller_account_ids())::uuid[]));
alter policy customers_read_their_and_system_notifications on builder.notifications
  using (account_id = any ((select builder.caller_account_ids() || builder.everyone())::uuid[]));
alter policy customers_dismiss_their_notifications on builder.notifications
  using (account_id = any ((select builder.caller_account_ids())::uuid[]))
  with check (account_id = any ((select builder.caller_account_ids())::uuid[]));
alter policy customers_delete_their_notifications on builder.notifications
  using (account_id = any ((select builder.caller_account_ids())::uuid[]));
alter policy customers_read_quote_events_of_their_accounts on builder.quote_events
  using (account_id = any ((select builder.caller_account_ids())::uuid[]));

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
    -- A new statement sees what the transaction that was waited for has written. It finds nothing only when the sweep
    -- has deleted the record in between; then the key is new.
    select * into known from builder.idempotency_keys k where k.caller = owner and k.key = given_key;
    exit when found;
  end loop;
  if known.fingerprint <> given_fingerprint then
    raise sqlstate 'PT422' using
      message = 'The Idempotency-Key was used for another request, so nothing was written',
      detail = 'This request has another body, path, query or header than the first one with this key.',
      hint = 'Send a retry unchanged, and every new request with a key of its own.';
  end if;
  if is_customer and not coalesce(known.accounts, '{}') <@ builder.caller_account_ids() then
    raise insufficient_privilege using
      message = 'permission denied: the Idempotency-Key was used for an account that this caller is no longer in';
  end if;
  return known.answer;
end
$$;

create or replace function builder.accounts_of_callers(callers json) returns json
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
declare
  claims json;
  accounts json[] := '{}';
begin
  for claims in select json_array_elements(callers) loop
    perform set_config('request.jwt.claims', claims::text, true);
    accounts := accounts || to_json(builder.caller_account_ids());
  end loop;
  return to_json(accounts);
end
$$;

-- Whom alone a line concerns; null where it concerns all who act for its account.
alter table builder.changes add column user_id uuid;
alter policy customers_read_changes_of_their_accounts_and_of_everyone on builder.changes
  using (
    account_id = any ((select builder.caller_account_ids() || builder.everyone())::uuid[])
    and (user_id is null or user_id = (select builder.caller_id()))
  );

-- The other pages of who dismisses a message to everyone are told.
create or replace function builder.record_dismissals() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  insert into builder.changes (collection, operation, account_id, user_id, key)
  select 'notifications', 'U', n.account_id, d.user_id, n.id::text
  from changed_rows d join builder.notifications n on n.id = d.notification_id and n.account_id = builder.everyone();
  return null;
end
$$;
create or replace trigger record_inserts after insert on builder.dismissals referencing new table as changed_rows
  for each statement execute function builder.record_dismissals();
create or replace trigger record_deletes after delete on builder.dismissals referencing old table as changed_rows
  for each statement execute function builder.record_dismissals();
drop trigger record_updates_of_dismissed on builder.notifications;

-- Whether the caller has dismissed a message to everyone.
create function builder.caller_dismissed(notification bigint) returns boolean
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
  return exists (
    select from builder.dismissals d where d.notification_id = notification and d.user_id = builder.caller_id()
  );
end
$$;

-- Writes seen_lines(), which returns those of the candidates that the caller sees: a line about a message that it has
-- dismissed as its negative number.
create or replace function builder.write_seen_lines() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  execute format(
    $body$create or replace function builder.seen_lines(candidates integer[], ids bigint[]) returns integer[]
  language plpgsql stable set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
as $function$
begin
  return array(
    select case when collection = 'notifications' and account_id = '00000000-0000-0000-0000-000000000000'
        and builder.caller_dismissed(key::bigint) then -candidate else candidate end
    from unnest(candidates) candidate
      -- With an offset Postgres finds each line and each row by its id, and never reads a whole table instead.
      cross join lateral (select * from builder.changes where id = ids[candidate] offset 0) changed
    where case
      when operation = 'D' then true
%s
    end
  );
end
$function$
$body$,
    (
      select string_agg(
        format($case$      when collection = %L then exists (
        select from builder.%I r where r.id = changed.key::%s and r.account_id = changed.account_id%s offset 0)$case$,
          name, name, format_type(atttypid, atttypmod), ' and r.' || quote_ident(deleted_column) || ' is null'),
        E'\n' order by name)
      from builder.live_collections join pg_attribute on attrelid = ('builder.' || quote_ident(name))::regclass and attname = 'id'
    )
  );
  return null;
end
$$;
update builder.live_collections set name = name;

-- The lines that were committed since a cursor, at most so many, in the order of their ids, which for each row is the order
-- of its changes; and the cursor behind the last of them. `partial`: there are more, read with that cursor.
--
-- A line is new when it was not visible in the cursor's snapshot, or has a greater id than every line that was. The second
-- holds as well when transaction numbers come again, as after a crash: an id that was read was committed, and comes once.
--
-- A cursor is text: the server's timeline, seconds since 1970, the snapshot up to which all was read, and the greatest id
-- in it; when what is new since then was read in part only, the snapshot up to which it is read and the last line's id.
-- Without a cursor there are no lines, and the one returned means now. `gap`: the cursor reaches back further than the
-- feed, or is of a server that is ahead of this one, or of another timeline, so that what is new can't be told; the
-- cursor that is returned means now.
--
-- A line has `user`, whom alone it concerns if anybody, and of a message `dismissed`: whether anybody has dismissed it.
create or replace function builder.changes_since(cursor text, most integer,
  out next text, out gap boolean, out partial boolean, out lines json)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  timeline constant text := builder.server_timeline();
  current constant pg_snapshot := pg_current_snapshot();
  seconds constant bigint := extract(epoch from now());
  reach constant interval := '65 minutes';
  parts constant text[] := string_to_array(cursor, ' ');
  since constant pg_snapshot := parts[3];
  since_id constant bigint := parts[4];
  until constant pg_snapshot := coalesce(parts[5], current::text);
  -- The line behind which to go on.
  read_id bigint := parts[6];
  last_id bigint;
begin
  partial := false;
  lines := '[]';
  if cursor is null or timeline <> parts[1] or parts[2]::bigint < seconds - extract(epoch from reach)
    or pg_snapshot_xmax(since) > pg_snapshot_xmax(current) or since_id > (select last_value from builder.changes_id_seq)
  then
    gap := cursor is not null;
    next := concat_ws(' ', timeline, seconds, current, coalesce((select max(id) from builder.changes), 0));
    return;
  end if;
  gap := false;
  if read_id is null then
    -- Usually there is none: it is the first line of a transaction that was under way. Of `min(id)` alone Postgres would
    -- look for it by id, from the oldest line on.
    select least(min(id + 0) - 1, since_id) into read_id from builder.changes
    where xid >= pg_snapshot_xmin(since) and id <= since_id and not pg_visible_in_snapshot(xid, since);
  end if;
  select coalesce(json_agg(json_build_object('id', id::text, 'collection', collection, 'operation', operation,
      'account', account_id, 'user', user_id, 'key', key, 'at', at, 'dismissed', case when collection = 'notifications' then
        exists (select from builder.dismissals d where d.notification_id = key::bigint) end) order by id), '[]'),
    count(*) = most, max(id)
  into lines, partial, last_id
  from (
    select * from builder.changes
    where id > read_id
      and (id > since_id or not pg_visible_in_snapshot(xid, since))
      and pg_visible_in_snapshot(xid, until)
    order by id
    limit most
  ) changes;
  next := case
    when partial then concat_ws(' ', timeline, parts[2], since, since_id, until, last_id)
    when parts[5] is not null then concat_ws(' ', timeline, parts[2], until, greatest(since_id, read_id, last_id))
    else concat_ws(' ', timeline, seconds, until, greatest(since_id, last_id))
  end;
end
$$;

-- What each of these callers sees of these lines of the feed: `ids` are the lines, and `callers` claims and the numbers of
-- the lines that may concern them, from 1. Runs as a caller of their role, so that its policies decide. Returns for each
-- caller a row with `caller` and the lines that it has `seen`; `partial` when there was no time for the lines behind these.
-- And one with `line`, `record` and `met` for each row that somebody sees, as of the same moment (builder.live_query).
-- Callers after the time is up have none.
--
-- `readings` says for each collection what is read of its rows. `bounds` are `record_bytes`, beyond which a record keeps its
-- short values alone; `answer_bytes` of all records; `caller_ms` of reading for one caller, and `total_ms` for all of them.
--
-- The record of a message to everyone differs by whether the caller has dismissed it, so it is read once for either: a line
-- is negative, in `seen` and in `line`, for a caller who has.
create or replace function builder.read_changes(ids bigint[], callers json, readings json, bounds json)
  returns table (caller integer, seen integer[], partial boolean, line integer, record json, met text[])
  language plpgsql stable set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  whole constant integer := bounds ->> 'record_bytes';
  most constant integer := bounds ->> 'answer_bytes';
  share constant interval := (bounds ->> 'caller_ms')::integer * interval '1 millisecond';
  until constant timestamp with time zone :=
    clock_timestamp() + (bounds ->> 'total_ms')::integer * interval '1 millisecond';
  collections constant text[] := array(select key from json_each(readings) with ordinality order by ordinality);
  queries constant text[] := array(
    select builder.live_query(value) from json_each(readings) with ordinality order by ordinality
  );
  is_read boolean[] := array_fill(false, array[2 * cardinality(ids) + 1], array[-cardinality(ids)]);
  size integer;
  bytes bigint := 0;
  one record;
  result record;
  collection_name text;
  wanted integer[];
  found_lines integer[];
  found_keys text[];
  first_unread integer;
begin
  for one in
    select number::integer, value -> 0 as claims,
      array(select json_array_elements_text(value -> 1)::integer) as candidates
    from json_array_elements(callers) with ordinality given (value, number)
  loop
    exit when clock_timestamp() > until or bytes > most;
    perform set_config('request.jwt.claims', one.claims::text, true);
    seen := builder.seen_lines(one.candidates, ids);
    wanted := '{}';
    for collection_name, found_lines, found_keys in
      select collection, array_agg(candidate), array_agg(key)
      from unnest(seen) candidate
        cross join lateral (select * from builder.changes where id = ids[abs(candidate)] offset 0) changed
      where operation <> 'D' and not is_read[candidate]
      group by collection
    loop
      wanted := wanted || found_lines;
      for result in execute queries[array_position(collections, collection_name)]
        using found_keys, least(until, clock_timestamp() + share), whole
      loop
        exit when result.record is null or bytes > most;
        line := found_lines[result.position];
        is_read[line] := true;
        record := result.record;
        met := result.met;
        size := octet_length(record::text);
        if size > whole and (select sum(octet_length(value)) from json_each_text(record)) > whole then
          record := (
            select json_object_agg(key, case when octet_length(value) <= 64 then value end) from json_each_text(record)
          );
          size := octet_length(record::text);
        end if;
        bytes := bytes + size;
        return query select null::integer, null::integer[], null::boolean, line, record, met;
      end loop;
    end loop;
    first_unread := (select min(abs(candidate)) from unnest(wanted) candidate where not is_read[candidate]);
    return query select one.number,
      array(select candidate from unnest(seen) candidate where first_unread is null or abs(candidate) < first_unread),
      first_unread is not null, null::integer, null::json, null::text[];
  end loop;
end
$$;

create or replace function builder.rule_quote() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  by_customer constant boolean := current_user = 'builder_customer';
  moved constant boolean := new.status <> coalesce(old.status, 'draft');
  priced boolean := false;
  present boolean := false;
begin
  if by_customer then
    -- The policy would refuse it too, with an error that names no column and that an upsert of a hidden row has as well.
    if new.account_id is distinct from old.account_id and new.account_id <> all (builder.caller_account_ids()) then
      raise insufficient_privilege using
        message = 'new row violates row-level security policy for table "quotes"',
        schema = 'builder', table = 'quotes', column = 'account_id';
    end if;
    if tg_op = 'INSERT' then
      if moved or new.source = 'admin_created' or new.created_by is not null then
        -- A row that is there is updated by an upsert, and the rules apply to that. Constraints are checked before it, of the
        -- row as it would be inserted, so that this gets what they demand of the columns that a customer can't write.
        select coalesce(q.unit_price, 0), coalesce(q.total_price, 0), case when new.status = 'ordered' then q.fulfillment_status end
        into new.unit_price, new.total_price, new.fulfillment_status
        from builder.quotes q where q.id = new.id for key share;
        present := found;
        if not present then
          perform builder.check_customer_insert(new);
        end if;
      end if;
    elsif moved or old.status <> 'draft' or old.deleted_at is not null or new.deleted_at is not null
      or new.source <> old.source or new.created_by is distinct from old.created_by
    then
      perform builder.check_customer_update(old, new);
    end if;
    new.submitted_at := old.submitted_at;
    new.approved_at := old.approved_at;
    new.created_at := coalesce(old.created_at, now());
    if new.deleted_at is not null then
      new.deleted_at := now();
    end if;
    if old.status <> 'draft' then
      perform builder.mark_changed(new.id);
    elsif (new.unit_price is not null or new.total_price is not null) and old.status = 'draft' and builder.is_edited(old, new) then
      new.unit_price := null;
      new.total_price := null;
    end if;
  else
    if new.status <> 'draft' and (new.quote_number is distinct from old.quote_number or old.status = 'draft') then
      perform builder.note_brought_number(new.quote_number);
    end if;
    if tg_op = 'INSERT' then
      perform set_config('builder.upserted_quote', concat_ws('|', statement_timestamp(), new.id), true);
    else
      -- A quote that would be quoted without its prices is refused by a constraint, with a message of its own.
      priced := (new.status <> 'quoted' or (new.unit_price is not null and new.total_price is not null)) and (
        (moved and new.status = 'quoted') or new.currency <> old.currency
        or new.unit_price is distinct from old.unit_price or new.total_price is distinct from old.total_price
      );
      if priced then
        perform builder.check_pricing(old.id, old.status, new.status, new.currency);
      end if;
      -- Who puts it there may not have read it, as a customer has who submits.
      if moved and (new.status = 'draft' or (new.status = 'submitted' and old.status <> 'quoted')) then
        perform builder.mark_changed(new.id);
      end if;
    end if;
  end if;
  if new.status = 'quoted' and new.expires_at <= now() then
    if tg_op = 'UPDATE' and new.expires_at is not distinct from old.expires_at then
      new.expires_at := case when not (moved or priced) then new.expires_at end;
    elsif current_user = 'builder_staff' then
      perform builder.refuse_value('quotes', 'an_offer_ends_after_it_is_made');
    end if;
  end if;
  if tg_op = 'INSERT' then
    if not present then
      new.created_by := coalesce(new.created_by, builder.caller_id());
    end if;
  elsif new.status = 'approved' then
    perform builder.meet_quote('approve', new.id, moved);
  elsif moved and new.status = 'submitted' and old.status <> 'draft' then
    -- What is asked for again has no price yet. What the request itself writes stays.
    new.unit_price := case when new.unit_price is distinct from old.unit_price then new.unit_price end;
    new.total_price := case when new.total_price is distinct from old.total_price then new.total_price end;
    new.expires_at := case when new.expires_at is distinct from old.expires_at then new.expires_at end;
  end if;
  if tg_op = 'UPDATE' or by_customer then
    -- A filter on updated_at names one version: of two transactions that begin in one microsecond, or that wait for each
    -- other, each writes another time than those before. Further ahead is what an import brought.
    new.updated_at := case when old.updated_at >= now() and old.updated_at < now() + interval '1 minute'
      then old.updated_at + interval '1 microsecond' else now() end;
  end if;
  if moved then
    if old.status = 'ordered' then
      new.fulfillment_status := null;
    end if;
    if new.status in ('submitted', 'quoted', 'approved') then
      new := builder.stamp_move(old, new);
    end if;
  end if;
  return new;
end
$$;

-- Everything of an account that the feed has.
create or replace function builder.erase_changes(account uuid) returns void
  language sql set search_path = pg_catalog, pg_temp
as $$ delete from builder.changes c where c.account_id = account or c.user_id = account $$;

alter table builder.quotes add constraint a_quote_belongs_to_one_account
  check (account_id <> '00000000-0000-0000-0000-000000000000') not valid;

revoke execute on function builder.caller_account_ids(), builder.caller_dismissed(bigint) from public;
grant execute on function builder.caller_account_ids() to builder_anon, builder_customer, builder_staff;
grant execute on function builder.caller_dismissed(bigint) to builder_customer, builder_staff;
