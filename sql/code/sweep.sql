-- The scheduled jobs, which schema/sweep-jobs.ts lists. Each call handles at most `batch` rows in its own
-- transaction, and returns their number. Rows that another transaction has locked are left for the next call.

-- Sets quotes past their expires_at to expired, except those that failed before. If a batch fails, each of its rows is tried by itself.
-- Returns how many expired, the ids that failed, and the SQLSTATE of the first.
create or replace function builder.expire_quotes(
  batch integer, failed_before uuid[] default '{}', out swept integer, out failed uuid[], out code text
)
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  due constant uuid[] := array(
    select q.id from builder.quotes q
    where q.status in ('draft', 'submitted', 'quoted') and q.deleted_at is null and q.expires_at <= now()
      and q.id <> all (failed_before)
    order by q.expires_at
    limit batch
    for update skip locked
  );
  one uuid;
begin
  failed := '{}';
  begin
    update builder.quotes q set status = 'expired' where q.id = any (due);
    swept := cardinality(due);
    return;
  exception when others then
    swept := 0;
  end;
  foreach one in array due loop
    begin
      update builder.quotes q set status = 'expired' where q.id = one;
      swept := swept + 1;
    exception when others then
      failed := failed || one;
      code := coalesce(code, sqlstate);
    end;
  end loop;
end
$$;

-- Whether the account knows that an offer ends at this time: that was announced, or the offer was made, or its end changed, within
-- the setting `remind_before`.
create or replace function builder.end_is_announced(quote uuid, ends_at timestamp with time zone) returns boolean
  language sql stable set search_path = pg_catalog, pg_temp
as $$
  select exists (
    select from builder.quote_events e where e.quote_id = quote and (
      (e.event = 'quote.expiring' and e.expires_at = ends_at) or (
        e.event in ('quote.quoted', 'quote.repriced', 'quote.end_changed', 'quote.expiring')
        and e.created_at > now() - (select s.value from builder.settings s where s.name = 'remind_before')
      )
    )
  )
$$;

-- Inserts `quote.expiring` into the history of offers that end soon, once for each end.
create or replace function builder.announce_expiring_quotes(batch integer) returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  due uuid[];
  announced integer;
begin
  due := array(
    select q.id from builder.quotes q
    where q.status = 'quoted' and q.deleted_at is null and q.expires_at > now()
      and q.expires_at <= now() + (select s.value from builder.settings s where s.name = 'remind_before')
      and not builder.end_is_announced(q.id, q.expires_at)
    order by q.expires_at limit batch
    for update skip locked
  );
  -- Another sweep may have announced one before its lock was free: this statement sees that.
  insert into builder.quote_events (
    quote_id, account_id, event, status, previous_status, fulfillment_status, unit_price, total_price, currency, expires_at,
    offer, created_as
  )
  select q.id, q.account_id, 'quote.expiring', q.status, q.status, q.fulfillment_status, q.unit_price, q.total_price,
    q.currency, q.expires_at, (select max(o.number) from builder.quote_offers o where o.quote_id = q.id), 'sweep'
  from builder.quotes q where q.id = any (due) and not builder.end_is_announced(q.id, q.expires_at);
  get diagnostics announced = row_count;
  return announced;
end
$$;

-- Deletes at most `batch` rows of a table that are due by a condition, the oldest first, and returns their number.
create or replace function builder.prune(rows_of regclass, due text, oldest text, batch integer) returns integer
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  pruned integer;
begin
  execute format(
    'delete from %1$s where ctid = any (array(select ctid from %1$s where %2$s order by %3$I limit $1 for update skip locked))',
    rows_of, due, oldest
  ) using batch;
  get diagnostics pruned = row_count;
  return pruned;
end
$$;

-- Deletes notifications past their expires_at.
create or replace function builder.prune_notifications(batch integer) returns integer
  language sql security definer set search_path = pg_catalog, pg_temp
as $$ select builder.prune('builder.notifications', 'expires_at <= now()', 'expires_at', batch) $$;

-- Deletes Idempotency-Keys that are a day old.
create or replace function builder.prune_idempotency_keys(batch integer) returns integer
  language sql security definer set search_path = pg_catalog, pg_temp
as $$ select builder.prune('builder.idempotency_keys', $due$created_at <= now() - interval '1 day'$due$, 'created_at', batch) $$;

-- Deletes lines of the feed that are two hours old. Cursors are valid for less, since `at` is the start of a
-- transaction, which may have been long.
create or replace function builder.prune_changes(batch integer) returns integer
  language sql security definer set search_path = pg_catalog, pg_temp
as $$ select builder.prune('builder.changes', $due$at <= now() - interval '2 hours'$due$, 'id', batch) $$;

-- Deletes deliveries that were sent or skipped 30 days ago or failed 90 days ago, calls that have reported an erasure, and old refusals of
-- addresses.
create or replace function builder.prune_deliveries(batch integer) returns integer
  language sql security definer set search_path = pg_catalog, pg_temp
as $$
  delete from builder.deliveries d where d.webhook_id is not null and d.event_id is null and d.due_at is null;
  delete from builder.refused_addresses where refused_at <= now() - interval '7 days';
  select builder.prune(
    'builder.deliveries',
    $due$due_at is null and settled_at <= now() - case state when 'dead' then interval '90 days' else interval '30 days' end$due$,
    'settled_at', batch
  )
$$;

-- Refuses a setting that the sweep does not know, and an age of less than a day: one of a second removes quotes at once.
create or replace function builder.check_setting() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  known constant text[] := array['remind_before', 'remove_closed_after', 'remove_deleted_after', 'remove_drafts_after'];
begin
  if new.name <> all (known) then
    raise sqlstate '22023' using message = format('There is no setting "%s"', new.name),
      hint = format('The settings are %s.', array_to_string(known, ', '));
  elsif new.name like 'remove%' and new.value < interval '1 day' then
    raise sqlstate '22023' using message = format('%s must be a day or longer', new.name),
      hint = format($hint$To remove nothing: delete from builder.settings where name = '%s'.$hint$, new.name);
  end if;
  return new;
end
$$;
create or replace trigger check_setting before insert or update on builder.settings
  for each row execute function builder.check_setting();

-- Deletes links that ended a year ago.
create or replace function builder.prune_quote_links(batch integer) returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  pruned integer;
begin
  with ended as (
    select l.id from builder.quote_links l where l.ends_at <= now() - interval '1 year'
    order by l.ends_at limit batch for update skip locked
  )
  delete from builder.quote_links l using ended where l.id = ended.id;
  get diagnostics pruned = row_count;
  return pruned;
end
$$;

-- Removes quotes and graphics that were deleted longer ago than the setting `remove_deleted_after`. Without that
-- setting, nothing is removed.
create or replace function builder.remove_deleted(batch integer) returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  until constant timestamp with time zone :=
    now() - (select s.value from builder.settings s where s.name = 'remove_deleted_after');
  gone uuid[];
  removed integer;
begin
  if until is null then
    return 0;
  end if;
  select coalesce(array_agg(q.id), '{}') into gone from (
    select q.id from builder.quotes q where q.deleted_at <= until order by q.deleted_at limit batch for update skip locked
  ) q;
  perform builder.remove_quotes(gone);
  delete from builder.graphics g where g.id in (
    select g.id from builder.graphics g where g.deleted_at <= until order by g.deleted_at limit batch for update skip locked
  );
  get diagnostics removed = row_count;
  return removed + cardinality(gone);
end
$$;

-- Removes quotes that were not changed, or deleted, for longer than a setting: `remove_closed_after` for rejected, expired and
-- cancelled ones, `remove_drafts_after` for drafts. Without the setting, none. No event or message says so. Quotes are found by the time
-- of their creation, which precedes each change.
create or replace function builder.remove_old_quotes(batch integer) returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  gone constant uuid[] := array(
    select q.id from builder.settings s
      cross join lateral unnest(case s.name when 'remove_drafts_after' then array['draft'] else array['rejected', 'expired', 'cancelled'] end) kind
      cross join lateral (
        select q.id from builder.quotes q
        where q.status = kind and q.deleted_at is null and q.created_at <= now() - s.value and q.updated_at <= now() - s.value
        order by q.created_at limit batch for update skip locked
      ) q
    where s.name in ('remove_drafts_after', 'remove_closed_after')
    union all
    select q.id from builder.settings s cross join lateral (
      select q.id from builder.quotes q
      where q.deleted_at <= now() - s.value
        and case s.name when 'remove_drafts_after' then q.status = 'draft' else q.status in ('rejected', 'expired', 'cancelled') end
      order by q.deleted_at limit batch for update skip locked
    ) q
    where s.name in ('remove_drafts_after', 'remove_closed_after')
    limit batch
  );
begin
  perform builder.remove_quotes(gone);
  return cardinality(gone);
end
$$;

-- Records that a sweep has succeeded.
create or replace function builder.record_sweep() returns void
  language sql security definer set search_path = pg_catalog, pg_temp
as $$ update builder.sweeps set succeeded_at = now() $$;

-- Returns whether the last three runs, one each five minutes, have failed or not taken place.
create or replace function builder.sweep_is_late() returns boolean
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$ select succeeded_at < now() - interval '15 minutes' from builder.sweeps $$;

-- Writes to the database, and fails if that fails: a row, and a file, which a full disk refuses first. Many may try at once: the row
-- is written by one of them at a time.
create or replace function builder.try_writing() returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp set work_mem = '64kB'
as $$
begin
  update builder.sweeps s set succeeded_at = s.succeeded_at
  where s.id = (select one.id from builder.sweeps one for update skip locked);
  -- More than fits into the memory.
  perform from generate_series(1, 5000);
end
$$;

grant execute on function
  builder.expire_quotes(integer, uuid[]),
  builder.announce_expiring_quotes(integer),
  builder.prune_notifications(integer),
  builder.prune_idempotency_keys(integer),
  builder.prune_changes(integer),
  builder.prune_deliveries(integer),
  builder.prune_quote_links(integer),
  builder.remove_deleted(integer),
  builder.remove_old_quotes(integer),
  builder.record_sweep()
  to builder_sweeper;
grant execute on function builder.sweep_is_late(), builder.try_writing() to builder_anon;
