-- The feed of changes: a line for each row of a live collection that a transaction inserted, updated or deleted. It holds
-- keys alone. Whoever listens is told of a change by reading the row as itself, through the table's own policies.
--
-- Lines are read by snapshots: what is visible now and was not visible in an earlier snapshot was committed in between.
-- So nothing is missed and nothing told twice, in whatever order transactions commit.
--
-- The rows of a live collection have an `id` and an `account_id`. A new one costs three triggers here and a case in seen_lines().

-- Records what a statement did to the rows of the trigger's table. A row that moves to another account is deleted for the
-- one and inserted for the other. With the argument `deleted_at`, rows that have one are not there.
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

-- The other devices of who dismisses are told: the line is of the caller's own account.
create or replace function builder.record_dismissals() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if tg_op = 'INSERT' then
    insert into builder.changes (collection, operation, account_id, key)
    select 'notifications', 'U', d.user_id, d.notification_id::text from new_rows d;
  elsif tg_op = 'DELETE' then
    insert into builder.changes (collection, operation, account_id, key)
    select 'notifications', 'U', d.user_id, d.notification_id::text
    from old_rows d join builder.notifications n on n.id = d.notification_id;
  else
    -- What is sent of a changed message to everyone has the `dismissed` of nobody, so it is followed by each one's own.
    insert into builder.changes (collection, operation, account_id, key)
    select 'notifications', 'U', d.user_id, d.notification_id::text
    from new_rows n join builder.dismissals d on d.notification_id = n.id;
  end if;
  return null;
end
$$;

create or replace trigger record_inserts after insert on builder.dismissals referencing new table as new_rows
  for each statement execute function builder.record_dismissals();

create or replace trigger record_deletes after delete on builder.dismissals referencing old table as old_rows
  for each statement execute function builder.record_dismissals();

create or replace trigger record_updates_of_dismissed after update on builder.notifications referencing new table as new_rows
  for each statement execute function builder.record_dismissals();

-- The timeline of this server, another one after each promotion of a standby; 0 where it can't be told.
create or replace function builder.server_timeline() returns text
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  return case when pg_is_in_recovery() then '0' else left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) end;
exception when others then
  return '0';
end
$$;

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
      'account', account_id, 'key', key, 'at', at) order by id), '[]'),
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

-- The accounts of each of these callers, whose claims are given, in their order. Runs as one of their role.
create or replace function builder.accounts_of_callers(callers json) returns json
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
declare
  claims json;
  accounts json[] := '{}';
begin
  for claims in select json_array_elements(callers) loop
    perform set_config('request.jwt.claims', claims::text, true);
    accounts := accounts || coalesce(to_json(builder.account_ids()), '[]');
  end loop;
  return to_json(accounts);
end
$$;

-- Of these lines of the feed (numbers of `ids`), those of rows that are there for whoever asks, and of rows that are gone. A line
-- of an account may be about a message to everyone, which it has dismissed.
create or replace function builder.seen_lines(candidates integer[], ids bigint[]) returns integer[]
  language plpgsql stable set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
as $$
begin
  return array(
    select candidate from unnest(candidates) candidate
      -- With an offset Postgres finds each line and each row by its id, and never reads a whole table instead.
      cross join lateral (select * from builder.changes where id = ids[candidate] offset 0) changed
    where case
      when operation = 'D' then true
      when collection = 'notifications' then exists (
        select from builder.notifications r where r.id = changed.key::bigint and r.account_id in (changed.account_id, '00000000-0000-0000-0000-000000000000') offset 0)
      when collection = 'quote_events' then exists (
        select from builder.quote_events r where r.id = changed.key::bigint and r.account_id in (changed.account_id, '00000000-0000-0000-0000-000000000000') offset 0)
      when collection = 'quotes' then exists (
        select from builder.quotes r where r.id = changed.key::uuid and r.account_id in (changed.account_id, '00000000-0000-0000-0000-000000000000') and r.deleted_at is null offset 0)
    end
  );
end
$$;

-- The text of a condition on a row `r`: `column`, `operator` (its name in filters), `values`, and `negated`.
create or replace function builder.live_condition(condition json) returns text
  language sql immutable set search_path = pg_catalog, pg_temp
as $$
  select format(
    case when (condition ->> 'negated')::boolean then 'not (r.%1$I %2$s)' else 'r.%1$I %2$s' end,
    condition ->> 'column',
    case condition ->> 'operator'
      when 'eq' then format('= %L', condition -> 'values' ->> 0)
      when 'neq' then format('<> %L', condition -> 'values' ->> 0)
      when 'lt' then format('< %L', condition -> 'values' ->> 0)
      when 'lte' then format('<= %L', condition -> 'values' ->> 0)
      when 'gt' then format('> %L', condition -> 'values' ->> 0)
      when 'gte' then format('>= %L', condition -> 'values' ->> 0)
      when 'isdistinct' then format('is distinct from %L', condition -> 'values' ->> 0)
      when 'in' then format('= any (%L)', array(select json_array_elements_text(condition -> 'values'))::text)
      when 'is' then case condition -> 'values' ->> 0
        when 'null' then 'is null'
        when 'not_null' then 'is not null'
        when 'true' then 'is true'
        when 'false' then 'is false'
        when 'unknown' then 'is unknown'
      end
    end
  )
$$;

-- The query for rows: $1 are their keys, $2 is the end of the time, after which `record` is null, and $3
-- the bytes of a value as it is stored beyond which it is left out. `reading` has the `table` or view, the `columns`, and
-- `conditions` by name.
-- The query returns `position` (of the key), `record` (the text of each column's JSON, by the column's name), and `met`,
-- the names of the conditions that the row meets.
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
      select string_agg(format('case when %s then %L end', builder.live_condition(value), key), ', ')
      from json_each(reading -> 'conditions')
    ),
    (
      select format_type(atttypid, atttypmod) from pg_attribute
      where attrelid = ('builder.' || quote_ident(reading ->> 'table'))::regclass and attname = 'id'
    ),
    reading ->> 'table'
  )
$$;

-- What each of these callers sees of these lines of the feed: `ids` are the lines, and `callers` claims and the numbers of
-- the lines that may concern them, from 1. Runs as a caller of their role, so that its policies decide. Returns for each
-- caller a row with `caller` and the lines that it has `seen`; `partial` when there was no time for the lines behind these.
-- And one with `line`, `record` and `met` for each row that somebody sees, as of the same moment (builder.live_query).
-- Callers after the time is up have none.
--
-- `readings` says for each collection what is read of its rows. `bounds` are `record_bytes`, beyond which a record keeps its
-- short values alone; `answer_bytes` of all records; `caller_ms` of reading for one caller, and `total_ms` for all of them.
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
  is_read boolean[] := array_fill(false, array[cardinality(ids)]);
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
        cross join lateral (select * from builder.changes where id = ids[candidate] offset 0) changed
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
    first_unread := (select min(candidate) from unnest(wanted) candidate where not is_read[candidate]);
    return query select one.number,
      array(select candidate from unnest(seen) candidate where first_unread is null or candidate < first_unread),
      first_unread is not null, null::integer, null::json, null::text[];
  end loop;
end
$$;

grant execute on function builder.changes_since(text, integer) to builder_live;
grant execute on function
  builder.accounts_of_callers(json),
  builder.seen_lines(integer[], bigint[]),
  builder.live_condition(json),
  builder.live_query(json),
  builder.read_changes(bigint[], json, json, json)
  to builder_customer, builder_staff;
