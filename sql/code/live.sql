-- Live updates. builder.changes has a line for each row of a live collection that a transaction inserted, updated or
-- deleted, with the row's key only. The service reads the rows as each live client, so the policies of their tables
-- apply.
--
-- Lines are read by snapshots: a line that is visible now and was not visible in an earlier snapshot was committed in
-- between. So each line is read once, in whatever order transactions commit.
--
-- The rows of a live collection have an `id` and an `account_id`. A new collection needs three triggers and a case in
-- seen_lines().

-- Records what a statement did to the rows of the trigger's table. A row that moves to another account counts as
-- deleted from the first and inserted into the other. With the argument `deleted_at`, a row that has one counts as
-- deleted.
create or replace function builder.record_changes() returns trigger
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

-- Once per statement, so that 500 rows cost little more than one.
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

create or replace trigger record_inserts after insert on builder.quote_events referencing new table as new_rows
  for each statement execute function builder.record_changes();

create or replace trigger record_updates after update on builder.quote_events
  referencing old table as old_rows new table as new_rows
  for each statement execute function builder.record_changes();

create or replace trigger record_deletes after delete on builder.quote_events referencing old table as old_rows
  for each statement execute function builder.record_changes();

-- Records dismissals of messages to everyone: lines that concern only the user, whose other devices get them.
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

-- Returns the server's timeline, which changes when a standby is promoted; 0 where it can't be read.
create or replace function builder.server_timeline() returns text
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  return case when pg_is_in_recovery() then '0' else left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) end;
exception when others then
  return '0';
end
$$;

-- Returns a line of the feed as JSON. It has `user`, the only one that it concerns, if any; and `dismissed`, whether anyone has
-- dismissed the message.
create or replace function builder.change_json(one builder.changes) returns json
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select json_build_object('id', one.id::text, 'collection', one.collection, 'operation', one.operation,
    'account', one.account_id, 'user', one.user_id, 'key', one.key, 'at', one.at,
    'dismissed', case when one.collection = 'notifications' then
      exists (select from builder.dismissals d where d.notification_id = one.key::bigint) end)
$$;

-- Returns the id before the first line of a transaction that was in progress in a snapshot; usually there is none, and it is
-- `since_id`, the greatest id in the snapshot. A line of a transaction that this server has not had yet is not counted: it was
-- restored from another server. For a plain `min(id)` Postgres would search by id, from the oldest line on.
create or replace function builder.last_read(since pg_snapshot, since_id bigint) returns bigint
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select least(min(id + 0) - 1, since_id) from builder.changes
  where xid >= pg_snapshot_xmin(since) and xid < pg_snapshot_xmax(pg_current_snapshot()) and id <= since_id
    and not pg_visible_in_snapshot(xid, since)
$$;

-- Returns at most `most` lines that were committed since a cursor, by id (for each row, the order of its changes),
-- and the cursor behind the last of them. `partial`: there are more, to be read with that cursor.
--
-- A line is new when it was not visible in the cursor's snapshot, or has a greater id than every line that was. The
-- second also holds when transaction ids are reused after a crash: an id that was read was committed, and is never
-- reused.
--
-- A cursor is text: the server's timeline and the number of the table, which a restore changes, seconds since 1970, the snapshot up to which everything was read, and the
-- greatest id in it; after a partial read also the snapshot up to which it reads, and the last line's id. Without a
-- cursor there are no lines, and the returned cursor means now. `gap`: lines may be missing, because the cursor is
-- older than the feed, or from another timeline or table or a server that is ahead of this one; the returned cursor means now.
create or replace function builder.changes_since(cursor text, most integer,
  out next text, out gap boolean, out partial boolean, out lines json)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  timeline constant text := builder.server_timeline() || '.' || 'builder.changes'::regclass::oid;
  current constant pg_snapshot := pg_current_snapshot();
  seconds constant bigint := extract(epoch from now());
  reach constant bigint := 65 * 60;
  parts constant text[] := string_to_array(cursor, ' ');
  since constant pg_snapshot := parts[3];
  since_id constant bigint := parts[4];
  until constant pg_snapshot := coalesce(parts[5], current::text);
  read_id bigint := parts[6];
  last_id bigint;
begin
  select false, false, '[]' into gap, partial, lines;
  if cursor is null or timeline <> parts[1] or parts[2]::bigint < seconds - reach
    or pg_snapshot_xmax(since) > pg_snapshot_xmax(current) or since_id > (select last_value from builder.changes_id_seq)
  then
    gap := cursor is not null;
    next := concat_ws(' ', timeline, seconds, current, coalesce((select max(id) from builder.changes), 0));
    return;
  end if;
  read_id := coalesce(read_id, builder.last_read(since, since_id));
  select coalesce(json_agg(builder.change_json(c) order by id), '[]'), count(*) = most, max(id)
  into lines, partial, last_id
  from (
    select c, id from builder.changes c
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

-- Returns the accounts of each caller, whose claims are given, in their order. Runs with the callers' role.
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

-- Returns whether the caller has dismissed a message to everyone.
create or replace function builder.caller_dismissed(notification bigint) returns boolean
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
  return exists (
    select from builder.dismissals d where d.notification_id = notification and d.user_id = builder.caller_id()
  );
end
$$;

-- Returns those of some lines (positions in `ids`) that the caller may see: of rows it can read, and of deleted rows.
-- A line about a message that the caller has dismissed is returned as its negative number.
create or replace function builder.seen_lines(candidates integer[], ids bigint[]) returns integer[]
  language plpgsql stable set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
as $$
begin
  return array(
    select case when collection = 'notifications' and account_id = '00000000-0000-0000-0000-000000000000'
        and builder.caller_dismissed(key::bigint) then -candidate else candidate end
    from unnest(candidates) candidate
      -- `offset 0` makes Postgres find each line and each row by its id, and never read a whole table.
      cross join lateral (select * from builder.changes where id = ids[candidate] offset 0) changed
    where case
      when operation = 'D' then true
      when collection = 'notifications' then exists (
        select from builder.notifications r
        where r.id = changed.key::bigint and r.account_id = changed.account_id
        offset 0)
      when collection = 'quote_events' then exists (
        select from builder.quote_events r where r.id = changed.key::bigint and r.account_id = changed.account_id offset 0)
      when collection = 'quotes' then exists (
        select from builder.quotes r
        where r.id = changed.key::uuid and r.account_id = changed.account_id and r.deleted_at is null offset 0)
    end
  );
end
$$;

-- Returns a query for rows by their keys ($1). After the deadline ($2) `record` is null; a value of more stored bytes
-- than $3 is left out. `reading` has the `table` or view, the `columns`, and `conditions` by name: SQL on a row `r`. The query returns
-- `position` (of the key), `record` (each column's JSON as text, by name), and `met` (the names of the conditions
-- that the row meets).
create or replace function builder.live_query(reading json) returns text
  language sql stable set search_path = pg_catalog, pg_temp
as $$
  select format(
    'select position::integer, case when clock_timestamp() < $2 then json_object(%L, array[%s]::text[]) end as record, '
      || 'array_remove(array[%s]::text[], null) as met '
      || 'from unnest($1::%s[]) with ordinality as given (key, position) join builder.%I r on r.id = key',
    array(select json_array_elements_text(reading -> 'columns'))::text,
    (
      select string_agg(
        format('case when r.%1$I is null then ''null'' when pg_column_size(r.%1$I) <= $3 then to_json(r.%1$I)::text end', name),
        ', ' order by number)
      from json_array_elements_text(reading -> 'columns') with ordinality as columns (name, number)
    ),
    (
      select string_agg(format('case when %s then %L end', value, key), ', ')
      from json_each_text(reading -> 'conditions')
    ),
    (
      select format_type(atttypid, atttypmod) from pg_attribute
      where attrelid = ('builder.' || quote_ident(reading ->> 'table'))::regclass and attname = 'id'
    ),
    reading ->> 'table'
  )
$$;

-- Returns a record of which more than `most` bytes would be sent with only its short values.
create or replace function builder.shorten_record(record json, most integer) returns json
  language sql immutable set search_path = pg_catalog, pg_temp
as $$
  select case
    when octet_length(record::text) > most and (select sum(octet_length(value)) from json_each_text(record)) > most
    then (select json_object_agg(key, case when octet_length(value) <= 64 then value end) from json_each_text(record))
    else record
  end
$$;

-- Reads the rows of lines (positions in `ids`) by the query of their collection (builder.live_query), until `until` or until
-- they have `most` bytes; the others are missing.
create or replace function builder.read_rows(
  lines integer[], ids bigint[], queries json, record_bytes integer, most bigint, until timestamp with time zone
)
  returns table (line integer, record json, met text[])
  language plpgsql stable set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
as $$
declare
  collected record;
  result record;
begin
  for collected in
    select c.collection, array_agg(given) as lines, array_agg(c.key) as keys
    from unnest(lines) given cross join lateral (select * from builder.changes where id = ids[abs(given)] offset 0) c
    group by c.collection
  loop
    for result in execute queries ->> collected.collection using collected.keys, until, record_bytes loop
      exit when result.record is null or most < 0;
      line := collected.lines[result.position];
      record := builder.shorten_record(result.record, record_bytes);
      met := result.met;
      most := most - octet_length(record::text);
      return next;
    end loop;
  end loop;
end
$$;

-- Reads the lines `ids` as each caller sees them. `callers` has for each the claims and the positions (from 1) of the
-- lines that may concern it. Runs with the callers' role, so the policies apply. Returns a row for each caller, with
-- the lines that it has `seen`, and `partial` when the time ended before later lines were read; and a row with
-- `line`, `record` and `met` (builder.live_query) for each row that a caller sees. Callers after the deadline have no
-- row.
--
-- `readings` says for each collection what to read of its rows. `bounds`: `record_bytes`, beyond which a record keeps
-- only its short values; `answer_bytes` of all records; `caller_ms` for one caller, `total_ms` for all.
--
-- The record of a message to everyone depends on whether the caller has dismissed it, so it is read once for each case: in
-- `seen` and `line`, the line is negative for callers who have.
create or replace function builder.read_changes(ids bigint[], callers json, readings json, bounds json)
  returns table (caller integer, seen integer[], partial boolean, line integer, record json, met text[])
  language plpgsql stable set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  whole constant integer := bounds ->> 'record_bytes';
  share constant interval := (bounds ->> 'caller_ms')::integer * interval '1 millisecond';
  until constant timestamp with time zone :=
    clock_timestamp() + (bounds ->> 'total_ms')::integer * interval '1 millisecond';
  queries constant json := (select json_object_agg(key, builder.live_query(value)) from json_each(readings));
  is_read boolean[] := array_fill(false, array[2 * cardinality(ids) + 1], array[-cardinality(ids)]);
  left_bytes bigint := bounds ->> 'answer_bytes';
  one record;
  wanted integer[];
  first_unread integer;
begin
  for one in select number::integer, value from json_array_elements(callers) with ordinality given (value, number) loop
    exit when clock_timestamp() > until or left_bytes < 0;
    perform set_config('request.jwt.claims', one.value ->> 0, true);
    seen := builder.seen_lines(array(select json_array_elements_text(one.value -> 1)::integer), ids);
    wanted := array(
      select candidate from unnest(seen) candidate
        cross join lateral (select operation from builder.changes where id = ids[abs(candidate)] offset 0) changed
      where operation <> 'D' and not is_read[candidate]
    );
    for line, record, met in
      select * from builder.read_rows(wanted, ids, queries, whole, left_bytes, least(until, clock_timestamp() + share))
    loop
      is_read[line] := true;
      left_bytes := left_bytes - octet_length(record::text);
      return query select null::integer, null::integer[], null::boolean, line, record, met;
    end loop;
    first_unread := (select min(abs(candidate)) from unnest(wanted) candidate where not is_read[candidate]);
    return query select one.number,
      array(select candidate from unnest(seen) candidate where first_unread is null or abs(candidate) < first_unread),
      first_unread is not null, null::integer, null::json, null::text[];
  end loop;
end
$$;

grant execute on function builder.changes_since(text, integer) to builder_live;
grant execute on function
  builder.accounts_of_callers(json),
  builder.caller_dismissed(bigint),
  builder.seen_lines(integer[], bigint[]),
  builder.live_query(json),
  builder.shorten_record(json, integer),
  builder.read_rows(integer[], bigint[], json, integer, bigint, timestamp with time zone),
  builder.read_changes(bigint[], json, json, json)
  to builder_customer, builder_staff;
