-- The scheduled jobs, which schema/sweep-jobs.ts lists. Each call does one bounded batch, in a transaction of its own,
-- and returns how many rows it did. Rows that another transaction has locked are left for the next call.

-- Sets quotes past their expires_at to expired.
create function builder.expire_quotes(batch integer) returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  expired integer;
begin
  with due as (
    select id from builder.quotes
    where status in ('draft', 'submitted', 'quoted') and deleted_at is null and expires_at <= now()
    order by expires_at
    limit batch
    for update skip locked
  )
  update builder.quotes set status = 'expired' from due where quotes.id = due.id;
  get diagnostics expired = row_count;
  return expired;
end
$$;

-- Deletes notifications past their expires_at.
create function builder.prune_notifications(batch integer) returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  pruned integer;
begin
  with due as (
    select id from builder.notifications
    where expires_at <= now()
    order by expires_at
    limit batch
    for update skip locked
  )
  delete from builder.notifications using due where notifications.id = due.id;
  get diagnostics pruned = row_count;
  return pruned;
end
$$;

-- Deletes the records of Idempotency-Keys that are a day old.
create function builder.prune_idempotency_keys(batch integer) returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp
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
