-- Databases that were restored or copied. The ids of webhook calls and e-mails are random, so a database repeats none of its
-- original for another event, whether these functions run or not.

-- Moves each sequence of a restored database on by a million. Otherwise the numbers that were lost would be used again, and a program
-- that reads the rows behind the last number it knows would miss rows.
create or replace function builder.skip_lost_numbers() returns void
  language sql security definer set search_path = pg_catalog, pg_temp
as $$
  select setval(format('%I.%I', schemaname, sequencename)::regclass, coalesce(last_value, 0) + 1000000)
  from pg_sequences where schemaname = 'builder'
$$;

-- Keeps a copy that runs beside its original from acting as it: it calls none of its webhooks, and sends nothing of what waited.
-- Returns how many webhooks and deliveries that ended.
create or replace function builder.silence_copy(out webhooks bigint, out deliveries bigint)
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  update builder.webhooks w set disabled_at = now(), disabled_because = 'copied database' where w.disabled_at is null;
  get diagnostics webhooks = row_count;
  update builder.deliveries d set due_at = null, state = 'skipped', reason = 'copied database', settled_at = now()
  where d.due_at is not null;
  get diagnostics deliveries = row_count;
end
$$;
