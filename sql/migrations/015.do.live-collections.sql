-- Live updates: which collections have them is a table, the feed's own counter tells what is new, and one caller's share
-- of a reading is bounded.

-- The collections whose changes are recorded and told. Their rows have an `id` and an `account_id`; in one with a
-- deleted_column a row is gone while that timestamp is set. A new one costs a row here and the three triggers below.
create table builder.live_collections (
  name text primary key,
  deleted_column text
);
alter table builder.live_collections enable row level security;

-- Writes builder.seen_lines, which has a case for each of them: of these lines of the feed (numbers of `ids`), those of rows
-- that are there for whoever asks, and of rows that are gone. Its text is made here, so that it is one statement, which is
-- planned once in a session and asks once for the accounts of whoever asks.
create function builder.write_seen_lines() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  execute format(
    $body$create or replace function builder.seen_lines(candidates integer[], ids bigint[]) returns integer[]
  language plpgsql stable set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
as $function$
begin
  return array(
    select candidate from unnest(candidates) candidate
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
create trigger write_seen_lines after insert or update or delete on builder.live_collections
  for each statement execute function builder.write_seen_lines();

insert into builder.live_collections values ('notifications', null), ('quotes', 'deleted_at');

-- Records what a statement did to the rows of the trigger's table. A row that moves to another account is deleted for the
-- one and inserted for the other. With the argument `deleted_at`, rows that have one are not there.
create function builder.record_changes() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  marks_deleted constant boolean := tg_nargs > 0;
begin
  if tg_op = 'UPDATE' and marks_deleted then
    insert into builder.changes (collection, operation, account_id, key)
    select tg_table_name, case when later.id is null then 'D' when earlier.id is null then 'I' else 'U' end::"char",
      account_id, id::text
    from (select account_id, id from old_rows where deleted_at is null) earlier
      full join (select account_id, id from new_rows where deleted_at is null) later using (account_id, id)
    order by 2;
  elsif tg_op = 'UPDATE' then
    insert into builder.changes (collection, operation, account_id, key)
    select tg_table_name, case when later.id is null then 'D' when earlier.id is null then 'I' else 'U' end::"char",
      account_id, id::text
    from old_rows earlier full join new_rows later using (account_id, id)
    order by 2;
  elsif tg_op = 'INSERT' and marks_deleted then
    insert into builder.changes (collection, operation, account_id, key)
    select tg_table_name, 'I', account_id, id::text from new_rows where deleted_at is null;
  elsif tg_op = 'INSERT' then
    insert into builder.changes (collection, operation, account_id, key)
    select tg_table_name, 'I', account_id, id::text from new_rows;
  elsif marks_deleted then
    insert into builder.changes (collection, operation, account_id, key)
    select tg_table_name, 'D', account_id, id::text from old_rows where deleted_at is null;
  else
    insert into builder.changes (collection, operation, account_id, key)
    select tg_table_name, 'D', account_id, id::text from old_rows;
  end if;
  return null;
end
$$;

create or replace trigger record_inserts after insert on builder.notifications referencing new table as new_rows
  for each statement execute function builder.record_changes();
create or replace trigger record_updates after update on builder.notifications
  referencing old table as old_rows new table as new_rows
  for each statement execute function builder.record_changes();
create or replace trigger record_deletes after delete on builder.notifications referencing old table as old_rows
  for each statement execute function builder.record_changes();
create or replace trigger record_inserts after insert on builder.quotes referencing new table as new_rows
  for each statement execute function builder.record_changes('deleted_at');
create or replace trigger record_updates after update on builder.quotes
  referencing old table as old_rows new table as new_rows
  for each statement execute function builder.record_changes('deleted_at');
create or replace trigger record_deletes after delete on builder.quotes referencing old table as old_rows
  for each statement execute function builder.record_changes('deleted_at');
drop function builder.record_notification_changes();
drop function builder.record_quote_changes();

-- By the feed's own counter: what is new since a cursor, a line by its number, and what is old.
create index changes_by_id on builder.changes (id);

-- The timeline of this server, another one after each promotion of a standby; 0 where it can't be told.
create function builder.server_timeline() returns text
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  return case when pg_is_in_recovery() then '0' else left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) end;
exception when others then
  return '0';
end
$$;

-- The lines that were committed between two cursors, or since a cursor, at most so many, in the order of their ids, which
-- for each row is the order of its changes; and the cursor behind the last of them.
--
-- A line is new when it was not visible in the cursor's snapshot, or has a greater id than every line that was. The second
-- holds as well when transaction numbers come again, as after a crash: an id that was read was committed, and comes once.
--
-- A cursor is text: the server's timeline, seconds since 1970, the snapshot up to which all was read, and the greatest id
-- in it; when what is new since then was read in part only, the snapshot up to which it is read and the last line's id.
-- Without a cursor there are no lines, and the one returned means now. `gap`: the cursor reaches back further than the
-- feed, or is of a server that is ahead of this one, or of another timeline, so that what is new can't be told; the
-- cursor that is returned means now.
create or replace function builder.changes_since(cursor text, upto text, most integer,
  out next text, out gap boolean, out more boolean, out lines json)
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
  until constant pg_snapshot := coalesce(parts[5], split_part(upto, ' ', 3), current::text);
  -- The line behind which to go on.
  read_id bigint := parts[6];
  last_id bigint;
begin
  more := false;
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
  select coalesce(json_agg(json_build_array(
      xid::text, id::text, collection, operation, account_id, key, at) order by id), '[]'),
    count(*) = most, max(id)
  into lines, more, last_id
  from (
    select * from builder.changes
    where id > read_id
      and (id > since_id or not pg_visible_in_snapshot(xid, since))
      and pg_visible_in_snapshot(xid, until)
    order by id
    limit most
  ) changes;
  next := case
    when more then concat_ws(' ', timeline, parts[2], since, since_id, until, last_id)
    when parts[5] is not null then concat_ws(' ', timeline, parts[2], until, greatest(since_id, read_id, last_id))
    when upto is null then concat_ws(' ', timeline, seconds, until, greatest(since_id, last_id))
    else upto
  end;
end
$$;

-- What each of these callers sees of these lines of the feed: `callers` are claims and the numbers of the lines that may
-- concern them, from 1, and `ids` the lines. Runs as a caller of their role, so that its policies decide. Returns for each
-- caller a row with `caller`, the lines that it has `seen` and those `unread`, for which there was no time; and one with
-- `line`, `record` and `met` for each row that somebody sees, as of the same moment. Callers after the time is up have
-- none.
--
-- `queries` has a query for each collection that takes keys as $1 and the end of the time as $2. It returns `position`
-- (of the key), `record`, the JSON of each column (null in place of a large value), and `met`, whether the row meets each
-- of some conditions; `record` is null when the time is up. A record of more than `whole` bytes keeps its short values
-- alone. A caller has `share` milliseconds, all of them together `total`, and the records `most` bytes.
create function builder.read_changes(callers json, ids bigint[], queries json,
  whole integer, most integer, share integer, total integer)
  returns table (caller integer, seen integer[], unread integer[], line integer, record text[], met boolean[])
  language plpgsql stable set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  until constant timestamp with time zone := clock_timestamp() + total * interval '1 millisecond';
  is_read boolean[] := array_fill(false, array[cardinality(ids)]);
  size integer;
  bytes bigint := 0;
  one record;
  result record;
  collection_name text;
  wanted integer[];
  found_lines integer[];
  found_keys text[];
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
        cross join lateral (select * from builder.changes where id = ids[candidate] offset 0) changed
      where operation <> 'D' and not is_read[candidate]
      group by collection
    loop
      wanted := wanted || found_lines;
      for result in execute queries ->> collection_name
        using found_keys, least(until, clock_timestamp() + share * interval '1 millisecond')
      loop
        exit when result.record is null or bytes > most;
        line := found_lines[result.position];
        is_read[line] := true;
        record := result.record;
        met := result.met;
        size := octet_length(array_to_string(record, ''));
        if size > whole then
          record := array(
            select case when octet_length(value) <= 64 then value end
            from unnest(record) with ordinality given (value, number) order by number
          );
          size := octet_length(array_to_string(record, ''));
        end if;
        bytes := bytes + size;
        return query select null::integer, null::integer[], null::integer[], line, record, met;
      end loop;
    end loop;
    unread := array(select candidate from unnest(wanted) candidate where not is_read[candidate]);
    return query select one.number, array(select unnest(seen) except select unnest(unread)), unread,
      null::integer, null::text[], null::boolean[];
  end loop;
end
$$;

-- Deletes the lines that are two hours old, of the oldest so many. The feed reaches back for less: `at` is the beginning of
-- a transaction, which may have taken a while.
create or replace function builder.prune_changes(batch integer) returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  pruned integer;
begin
  with oldest as (
    select ctid, at from builder.changes
    order by id
    limit batch
    for update skip locked
  )
  delete from builder.changes using oldest
  where changes.ctid = oldest.ctid and oldest.at <= now() - interval '2 hours';
  get diagnostics pruned = row_count;
  return pruned;
end
$$;

revoke execute on function
  builder.write_seen_lines(),
  builder.seen_lines(integer[], bigint[]),
  builder.record_changes(),
  builder.server_timeline(),
  builder.read_changes(json, bigint[], json, integer, integer, integer, integer)
  from public;
grant execute on function
  builder.seen_lines(integer[], bigint[]),
  builder.read_changes(json, bigint[], json, integer, integer, integer, integer)
  to builder_customer, builder_staff;

-- builder.rows_for_callers is left to the workers of the version before; the next release drops it.
