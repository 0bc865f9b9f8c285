-- The outbox: e-mails and webhook calls. A delivery is inserted in the transaction of its change, so none is lost.
-- The worker `delivery` claims due deliveries, sends them and settles them. Delivery is at least once: a claim is a
-- lease, and a delivery that was not settled is due again when its lease ends. First attempts precede retries, and
-- accounts take turns, so that no one's backlog delays another's first delivery.

-- Claims at most `mails` due e-mails, within a limit of `a_day` for all accounts, with a lease of 15 minutes: a relay has ten
-- minutes after the final dot (RFC 5321, 4.5.3.2.6). E-mails that are not sent now are held. With `links`, an e-mail about an offer
-- has the id of a link to it, the same at each attempt, and the lines that contain it.
create or replace function builder.claim_emails(mails integer, a_day integer, staff text, links boolean default false)
  returns table (
    id bigint, message_id uuid, claim integer, attempt integer, account_id uuid, address text, greeting text, body text, link text,
    language text, offer_line text, offer_link uuid
  )
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  one builder.deliveries;
  mail record;
  why record;
  opens uuid;
  left_today bigint := builder.prepare_email_claim(a_day, staff);
begin
  -- One by one, since each counts for the limits of the next, and email_of(), which a deployment replaces, may fail for one.
  for one in
    select d.* from builder.deliveries d, builder.delivery_pace p
    where d.webhook_id is null and d.due_at <= now() and p.mail_paused_until <= now() and mails > 0
    order by d.attempts, d.turn, d.due_at, d.id limit 500 for update of d skip locked
  loop
    exit when mails <= 0;
    begin
      select * into mail from builder.resolve_email(one, staff);
      one.account_id := mail.account_id;
      select * into why from builder.check_email(one, mail.address, mail.body is not null, left_today);
      opens := case when links and why.state is null and mail.offer_line is not null
        then builder.link_of_mail(one.quote_id, mail.address, mail.by_login) end;
    exception when query_canceled or others then
      perform builder.hold_email(one, 'waiting', 'address lookup failed: ' || sqlstate,
        now() + case sqlstate when '55P03' then interval '1 minute' else interval '10 minutes' end);
      exit when sqlstate = '57014';
      continue;
    end;
    if why.state is not null then
      perform builder.hold_email(one, why.state, why.reason, why.until);
    else
      mails := mails - 1;
      left_today := left_today - 1;
      return query update builder.deliveries d
        set due_at = now() + interval '15 minutes', state = 'sending', attempts = d.attempts + 1, claims = d.claims + 1,
          account_id = mail.account_id, address = lower(mail.address), attempted_at = now(), reason = null, hold_reason = null,
          recipient = left(mail.address, 1) || '…@' || split_part(mail.address, '@', 2)
        where d.id = one.id
        returning d.id, d.message_id, d.claims, d.attempts, case when d.kind = 'email' then d.account_id end, mail.address,
          mail.greeting, mail.body, mail.link, mail.language, case when opens is not null then mail.offer_line end, opens;
    end if;
  end loop;
end
$$;

-- Claims at most `most` due webhook calls, with a lease of five minutes. With `only_loopback`, the others wait. A webhook has
-- at most four calls in flight, and only one while it fails. Webhooks take turns: first those with few calls in flight, then
-- those whose last call is the oldest, with a minute added for failing ones.
create or replace function builder.claim_calls(most integer, only_loopback boolean default false)
  returns table (
    id bigint, message_id uuid, claim integer, attempt integer, claimed_at double precision, url text, secrets text[], event json
  )
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  -- Claims wait for each other, so that each sees the calls in flight.
  perform pg_advisory_xact_lock('builder.webhooks'::regclass::oid::bigint), builder.end_calls();
  return query with next as materialized (
    select due.id, w.url, w.secrets
    from builder.webhooks w
      cross join lateral (
        select count(*) as calls from builder.deliveries d
        where d.webhook_id = w.id and d.state = 'sending' and d.due_at > now()
      ) in_flight
      cross join lateral (
        select max(d.attempted_at) as at from builder.deliveries d where d.webhook_id = w.id and d.attempted_at is not null
      ) last
      cross join lateral (
        select d.id, row_number() over (order by d.attempts, d.turn, d.due_at, d.id) as place from (
          select d.* from builder.deliveries d where d.webhook_id = w.id and d.due_at <= now()
          order by d.attempts, d.turn, d.due_at, d.id
          limit least(most, greatest(0, case when w.failing_since is null then 4 else 1 end - in_flight.calls))
          for update skip locked
        ) d
      ) due
    where w.disabled_at is null and builder.may_call(w.url, only_loopback)
    order by in_flight.calls + due.place,
      coalesce(last.at, 'epoch') + case when w.failing_since is null then interval '0' else interval '1 minute' end, due.id
    limit most
  )
  update builder.deliveries d
  set due_at = now() + interval '5 minutes', state = 'sending', attempts = d.attempts + 1, claims = d.claims + 1,
    attempted_at = now(), reason = null
  from next where d.id = next.id
  returning d.id, d.message_id, d.claims, d.attempts, extract(epoch from now())::double precision, next.url, next.secrets,
    builder.event_of_call(d.account_id, d.quote_id, d.event_id, d.created_at);
end
$$;

-- Settles a claim of the delivery with this message_id, and returns the new state and the seconds until the next attempt. Does
-- nothing if it was claimed again. The outcomes:
--   sent
--   failed       retried by the schedule, or after `retry_after` seconds
--   refused      the webhook is disabled; or the address gets no e-mail for a week, and this one waits for another address
--   unanswered   the relay didn't reply to the whole message: it is sent once more, and then counts as sent
--   unavailable  the relay accepts no mail: the attempt doesn't count, and all mail waits
--   dead         not retried
create or replace function builder.settle(message uuid, claim integer, outcome text, reason text, retry_after double precision)
  returns table (state text, retry_in double precision)
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  one builder.deliveries;
  next_at timestamp with time zone;
begin
  -- Before the delivery, as when a webhook is deleted.
  perform from builder.webhooks w
  where w.id = (select d.webhook_id from builder.deliveries d where d.message_id = message) for key share;
  select * into one from builder.deliveries d
  where d.message_id = message and d.claims = claim and d.state = 'sending' for update;
  if not found then
    return;
  end if;
  if one.webhook_id is null then
    perform builder.record_mail_result(one.address, outcome, reason);
  end if;
  next_at := builder.next_attempt_at(one, outcome, retry_after);
  state := case when next_at is not null then 'waiting' when outcome in ('sent', 'unanswered') then 'sent' else 'dead' end;
  retry_in := extract(epoch from next_at - now());
  update builder.deliveries d set
    state = settle.state,
    due_at = next_at,
    attempts = case when outcome = 'unavailable' then d.attempts - 1 else d.attempts end,
    attempted_at = case when outcome = 'unavailable' then null else d.attempted_at end,
    hold_reason = case when outcome = 'refused' and next_at is not null then 'refused address' end,
    unanswered = d.unanswered or outcome = 'unanswered',
    reason = left(settle.reason, 300),
    settled_at = case when next_at is null then now() end
  where d.id = one.id;
  if one.webhook_id is not null then
    perform builder.record_call_result(one.webhook_id, outcome, reason);
  end if;
  return next;
end
$$;

-- Keeps an e-mail from being sent: until a time, or for good. One that waits keeps the reason of its failed attempt.
create or replace function builder.hold_email(
  one builder.deliveries, state text, reason text, until timestamp with time zone
) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
as $$
  update builder.deliveries d
  set due_at = $4, state = $2, hold_reason = case when $2 = 'waiting' then $3 end,
    reason = case when $2 = 'waiting' and one.attempts > 0 then coalesce(d.reason, $3) else $3 end,
    settled_at = case when $2 <> 'waiting' then now() end
  where d.id = one.id
$$;

-- Finishes a delivery.
create or replace function builder.end_delivery(delivery bigint, state text, reason text) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
as $$
  update builder.deliveries set due_at = null, state = $2, reason = left($3, 300), settled_at = now() where id = $1
$$;

-- Returns the seconds to wait after each failed attempt; the attempt after the last wait is final. Webhooks have
-- the ten attempts of Standard Webhooks over three days. E-mail is retried within minutes, for greylisting, and for
-- two days, for a full mailbox.
create or replace function builder.retry_schedule(kind text) returns integer[]
  language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
  select case kind when 'webhook' then '{5,300,1800,7200,18000,36000,50400,72000,86400}'::integer[]
    else '{60,300,900,1800,3600,10800,21600,43200,86400}'::integer[] end
$$;

-- Returns the time of the next attempt after an outcome, or null. A message without a reply is sent only once more,
-- since it may have arrived.
create or replace function builder.next_attempt_at(one builder.deliveries, outcome text, retry_after double precision)
  returns timestamp with time zone
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  schedule constant integer[] := builder.retry_schedule(one.kind);
  is_last constant boolean := one.attempts > cardinality(schedule);
begin
  return case
    -- 20 % jitter, so that deliveries that were due together are not due together again.
    when outcome = 'failed' and not is_last then now() + interval '1 second' * greatest(
      round(schedule[one.attempts] * (0.8 + 0.4 * random())), coalesce(retry_after, 0)
    )
    when outcome = 'unanswered' and not is_last and not one.unanswered then now() + interval '10 minutes'
    -- The next claim checks for another address, and then each hour.
    when outcome = 'refused' and one.webhook_id is null then now() + interval '1 minute'
    when outcome = 'unavailable' then (select p.mail_paused_until from builder.delivery_pace p)
  end;
end
$$;

-- Returns the seconds until the next e-mail and the next call are due (negative: overdue), and whether either is
-- late: a first attempt is overdue by a minute, any by ten, or the relay has failed for ten minutes. A webhook that fails is
-- counted in `failing`, and its calls are late only if none was attempted for ten minutes.
-- `to_warn` is the number of waiting e-mails, once an hour, if no relay is configured. With `only_loopback`, other calls are not due.
create or replace function builder.delivery_status(
  can_mail boolean, only_loopback boolean default false, out next_mail double precision, out next_call double precision, out late_mail boolean,
  out late_call boolean, out to_warn bigint, out failing bigint
)
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  long_ago constant timestamp with time zone := now() - interval '10 minutes';
  a_minute_ago constant timestamp with time zone := now() - interval '1 minute';
  mail timestamp with time zone;
  pace builder.delivery_pace;
begin
  select * into pace from builder.delivery_pace;
  select min(d.due_at) into mail from builder.deliveries d where d.webhook_id is null and d.due_at > '-infinity';
  select extract(epoch from min(first.due_at) - now()),
    coalesce(bool_or(
      (first.due_at <= long_ago and not coalesce(last.at > long_ago, false))
      or (w.failing_since is null and builder.first_call_is_late(w.id))
    ), false),
    count(w.failing_since)
  into next_call, late_call, failing
  from builder.webhooks w
    cross join lateral (
      select min(d.due_at) as due_at from builder.deliveries d where d.webhook_id = w.id and d.due_at > '-infinity'
    ) first
    cross join lateral (
      select max(d.attempted_at) as at from builder.deliveries d where d.webhook_id = w.id and d.attempted_at is not null
    ) last
  where w.disabled_at is null and builder.may_call(w.url, only_loopback);
  next_mail := case when mail is not null then extract(epoch from greatest(mail, pace.mail_paused_until) - now()) end;
  late_mail := mail is not null and (
    mail <= long_ago or coalesce(pace.mail_failing_since <= long_ago, false)
    or (pace.mail_paused_until <= a_minute_ago and exists (
      select from builder.deliveries d
      where d.webhook_id is null and d.attempts = 0 and d.due_at > '-infinity' and d.due_at <= a_minute_ago
    ))
  );
  if not can_mail and mail is not null and pace.warned_at <= now() - interval '1 hour' then
    update builder.delivery_pace p set warned_at = now() where p.warned_at <= now() - interval '1 hour';
    if found then
      select count(*) into to_warn from builder.deliveries d where d.webhook_id is null and d.due_at is not null;
    end if;
  end if;
end
$$;

grant execute on function
  builder.claim_emails(integer, integer, text, boolean),
  builder.claim_calls(integer, boolean),
  builder.settle(uuid, integer, text, text, double precision),
  builder.delivery_status(boolean, boolean)
  to builder_deliverer;
