-- Queues deliveries of events: which webhooks are called, and in which turn.

-- Returns the turn of a new delivery: after the account's waiting deliveries and, for a call, not before the lowest turn that
-- waits. First deliveries of other accounts come first, also of accounts that are new: an account's further ones wait while
-- more of those arrive than can be sent.
create or replace function builder.next_turn(account uuid, webhook uuid) returns integer
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
  return greatest(
    (
      select d.turn + 1 from builder.deliveries d
      where d.account_id = $1 and d.webhook_id = $2 and d.state in ('waiting', 'sending')
      order by d.turn desc limit 1
    ),
    (
      select d.turn + 1 from builder.deliveries d
      where $2 is null and d.account_id = $1 and d.webhook_id is null and d.state in ('waiting', 'sending')
      order by d.turn desc limit 1
    ),
    (
      select d.turn from builder.deliveries d where d.webhook_id = $2 and d.attempts = 0 and d.due_at is not null
      order by d.turn limit 1
    ),
    0
  );
end
$$;

-- Queues a call of a webhook. Of a quote's waiting events, the newest gets the earliest turn.
create or replace function builder.queue_call(happened builder.quote_events, webhook uuid) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  with tail as (
    select builder.next_turn(happened.account_id, $2) as turn
  ), older as (
    select d.id, d.turn from builder.deliveries d
    where d.quote_id = happened.quote_id and d.webhook_id = $2 and d.state = 'waiting' and d.attempts = 0
    order by d.turn limit 1 for update skip locked
  ), moved as (
    update builder.deliveries d set turn = (select tail.turn from tail) where d.id = (select older.id from older)
  )
  insert into builder.deliveries (kind, account_id, quote_id, webhook_id, event_id, turn)
  select 'webhook', happened.account_id, happened.quote_id, $2, happened.id,
    coalesce((select older.turn from older), tail.turn)
  from tail;
end
$$;

-- Queues an event for its webhooks. When 1,000 calls of an account wait for a webhook, one call without a quote reports
-- that its events from this one on were skipped.
create or replace function builder.queue_calls(happened builder.quote_events) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  hook uuid;
begin
  for hook in
    select w.id from builder.webhooks w
    where w.disabled_at is null and (w.events is null or happened.event = any (w.events))
    -- Before any delivery is locked, as when a webhook is deleted.
    for key share
  loop
    -- While that call waits, it covers later events. It is locked, so that it is not claimed before they are committed.
    perform from builder.deliveries d
    where d.quote_id is null and d.event_id is not null and d.webhook_id = hook and d.account_id = happened.account_id
      and d.state = 'waiting'
    limit 1 for key share;
    continue when found;
    if 1000 <= (
      select count(*) from (
        select from builder.deliveries d
        where d.account_id = happened.account_id and d.webhook_id = hook and d.state in ('waiting', 'sending')
        limit 1000
      ) waiting
    ) then
      insert into builder.deliveries (kind, account_id, webhook_id, event_id, turn)
      values ('webhook', happened.account_id, hook, happened.id, builder.next_turn(happened.account_id, hook));
    else
      perform builder.queue_call(happened, hook);
    end if;
  end loop;
end
$$;

-- Queues a delivery again, as if it were new. A refused address gets another attempt.
create or replace function builder.redeliver(id bigint) returns json
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  one builder.deliveries;
begin
  select * into one from builder.deliveries d where d.id = redeliver.id for update;
  if not found then
    raise sqlstate 'PT404' using message = 'The row of deliveries was not found, so nothing was written',
      detail = 'No row with this id exists, or this caller cannot see it.';
  end if;
  if one.state = 'sending' then
    raise sqlstate 'PT409' using constraint = 'delivery being sent', message = 'The delivery is being sent.',
      hint = 'Read its state again in a few minutes.';
  end if;
  if exists (select from builder.webhooks w where w.id = one.webhook_id and w.disabled_at is not null) then
    raise sqlstate 'PT409' using constraint = 'webhook disabled', message = 'The webhook of the delivery is disabled.',
      hint = 'Enable it first: npm run webhook -- enable <id>.';
  end if;
  delete from builder.refused_addresses r where r.address = one.address;
  update builder.deliveries d
  set state = 'waiting', due_at = now(), queued_at = clock_timestamp(), attempts = 0, reason = null, settled_at = null,
    hold_reason = null, unanswered = false, turn = builder.next_turn(one.account_id, one.webhook_id)
  where d.id = one.id;
  return json_build_object('id', one.id, 'state', 'waiting');
end
$$;

grant execute on function builder.redeliver(bigint) to builder_staff;
