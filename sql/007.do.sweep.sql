-- What the scheduled job calls, one bounded batch a call, each call its own transaction. Rows that somebody else
-- holds, another sweep or a customer, are left for the next call.

-- Quotes past their expires_at become expired. Answers how many.
create function builder.expire_quotes(batch integer) returns integer
  language plpgsql security definer set search_path = ''
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

-- Notifications past their expires_at are removed. Answers how many.
create function builder.prune_notifications(batch integer) returns integer
  language plpgsql security definer set search_path = ''
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
