-- Webhooks: what a call reports, which calls are not made, and whether a webhook works.

-- Returns a new secret in Standard Webhooks' format. The database makes it, since a log of statements has what is sent.
create or replace function builder.create_webhook_secret() returns text
  language sql volatile security definer set search_path = pg_catalog, pg_temp
as $$
  -- Each uuid has 122 random bits.
  select 'whsec_' || encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'base64')
$$;

-- Finishes calls that are not made: of disabled webhooks, 500 of each at a time, and those whose last attempt has no result, since
-- they may crash their sender.
create or replace function builder.end_calls() returns void
  language sql security definer set search_path = pg_catalog, pg_temp
as $$
  select builder.end_delivery(d.id, 'skipped', 'webhook disabled')
  from builder.webhooks w cross join lateral (
    select d.id from builder.deliveries d where d.webhook_id = w.id and d.due_at is not null
    order by d.attempts, d.turn, d.due_at, d.id limit 500 for update skip locked
  ) d
  where w.disabled_at is not null;
  select builder.end_delivery(d.id, 'dead', 'no result was reported') from (
    select d.id from builder.deliveries d
    where d.webhook_id is not null and d.state = 'sending' and d.due_at <= now()
      and d.attempts > cardinality(builder.retry_schedule('webhook'))
    for update skip locked
  ) d
$$;

-- Returns the event that a call reports. Without a quote, or when the owner has deleted the event, it
-- reports that the account's events from this one on were skipped.
create or replace function builder.event_of_call(account uuid, quote uuid, event bigint, queued_at timestamp with time zone)
  returns json
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp set timezone = 'UTC'
as $$
begin
  return coalesce(
    (
      select json_build_object(
        'event', e.event, 'created_at', e.created_at, 'event_id', e.id, 'quote_id', e.quote_id,
        'quote_number', coalesce(q.quote_number, ''), 'account_id', coalesce(q.account_id, e.account_id),
        'status', e.status, 'previous_status', e.previous_status, 'fulfillment_status', e.fulfillment_status,
        'updated_at', e.created_at
      )
      from builder.quote_events e left join builder.quotes q on q.id = e.quote_id
      where e.id = event_of_call.event and quote is not null
    ),
    json_build_object(
      'event', 'quote_events.skipped', 'created_at', queued_at, 'event_id', event, 'account_id', account
    )
  );
end
$$;

-- Whether a webhook may be called by a service that calls only this machine, or else any.
create or replace function builder.may_call(url text, only_loopback boolean) returns boolean
  language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$ select not $2 or $1 ~ '^http://127[.]0[.]0[.]1:[0-9]+([/?]|$)' $$;

-- Records whether a webhook works. It is disabled when it refuses calls, or has failed for five days.
create or replace function builder.record_call_result(webhook uuid, outcome text, reason text) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if outcome = 'sent' then
    update builder.webhooks w set failing_since = null where w.id = webhook and w.failing_since is not null;
    return;
  end if;
  update builder.webhooks w set failing_since = coalesce(w.failing_since, now()) where w.id = webhook;
  update builder.webhooks w set disabled_at = now(), disabled_because = record_call_result.reason
  where w.id = webhook and w.disabled_at is null
    and (outcome = 'refused' or w.failing_since < now() - interval '5 days');
end
$$;

-- Returns whether the next call of a webhook has waited for a minute without an attempt, unless its account was
-- called meanwhile.
create or replace function builder.first_call_is_late(webhook uuid) returns boolean
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select exists (
    select from (
      select d.account_id, d.attempts, d.due_at from builder.deliveries d where d.webhook_id = $1 and d.due_at is not null
      order by d.attempts, d.turn, d.due_at, d.id limit 1
    ) next
    where next.attempts = 0 and next.due_at <= now() - interval '1 minute' and next.account_id not in (
      select d.account_id from builder.deliveries d
      where d.webhook_id = $1 and d.attempted_at > now() - interval '1 minute'
      order by d.attempted_at desc limit 1000
    )
  )
$$;
