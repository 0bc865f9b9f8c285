-- The outbox: e-mails and webhook calls. A delivery is inserted in the transaction of its change, so none is lost.
-- The worker `delivery` claims due deliveries, sends them and settles them. Delivery is at least once: a claim is a
-- lease, and a delivery that was not settled is due again when its lease ends. First attempts precede retries, and
-- accounts take turns, so that no one's backlog delays another's first delivery.

-- Claims at most `mails` due e-mails, within a limit of `a_day` for all accounts. An e-mail that was claimed as often as
-- it may be attempted is dead, since it may crash its sender.
create or replace function builder.claim_emails(mails integer, a_day integer, staff text)
  returns table (
    id bigint, claim integer, attempt integer, account_id uuid, message text, address text, greeting text, body text, link text
  )
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  one builder.deliveries;
  mail record;
  why record;
  left_today bigint := builder.prepare_email_claim(a_day, staff);
begin
  for one in
    select d.* from builder.deliveries d, builder.delivery_pace p
    where d.webhook_id is null and d.due_at <= now() and p.mail_paused_until <= now() and mails > 0
    order by d.attempts, d.turn, d.due_at, d.id limit 500 for update of d skip locked
  loop
    exit when mails <= 0;
    begin
      select * into mail from builder.resolve_email(one, staff);
      one.account_id := mail.account_id;
      select * into why from builder.check_email(one, mail.address, left_today);
    exception when query_canceled or others then
      -- If email_of() fails for an e-mail, only that one waits.
      perform builder.hold_email(one, 'address lookup failed: ' || sqlstate, now() + interval '10 minutes');
      exit when sqlstate = '57014';
      continue;
    end;
    if one.attempts > cardinality(builder.retry_schedule(one.kind)) then
      perform builder.end_delivery(one.id, 'dead', 'no result was reported');
    elsif why.skip_reason is not null or mail.body is null then
      perform builder.end_delivery(one.id, 'skipped', coalesce(why.skip_reason, 'no message'));
    elsif why.hold_reason is not null then
      perform builder.hold_email(one, why.hold_reason, why.until);
    else
      mails := mails - 1;
      left_today := left_today - 1;
      perform builder.lease_email(one, mail.address);
      return query select one.id, one.claims + 1, one.attempts + 1, case when one.kind = 'email' then one.account_id end,
        mail.message, mail.address, mail.greeting, mail.body, mail.link;
    end if;
  end loop;
end
$$;

-- Claims at most `most` due webhook calls, with a lease of five minutes. With `only_loopback`, the others wait.
create or replace function builder.claim_calls(most integer, only_loopback boolean default false)
  returns table (
    id bigint, claim integer, attempt integer, claimed_at double precision, url text, secrets text[], event json
  )
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  one record;
begin
  perform pg_advisory_xact_lock('builder.webhooks'::regclass::oid::bigint);
  perform builder.end_disabled_calls();
  for one in select * from builder.next_calls(most, only_loopback) loop
    exit when most <= 0;
    if one.attempts > cardinality(builder.retry_schedule('webhook')) or one.event is null then
      perform builder.end_delivery(
        one.id, 'dead', case when one.event is null then 'deleted' else 'no result was reported' end
      );
      continue;
    end if;
    most := most - 1;
    update builder.deliveries d
    set due_at = now() + interval '5 minutes', state = 'sending', attempts = d.attempts + 1, claims = d.claims + 1,
      attempted_at = now(), reason = null
    where d.id = one.id;
    return query select one.id, one.claims + 1, one.attempts + 1, extract(epoch from now())::double precision, one.url,
      one.secrets, one.event;
  end loop;
end
$$;

-- Settles a claim, and returns the new state and the seconds until the next attempt. Does nothing if the delivery
-- was claimed again. The outcomes:
--   sent
--   failed       retried by the schedule, or after `retry_after` seconds
--   refused      the webhook is disabled; or the address gets no e-mail for a week, and this one waits for another address
--   unanswered   the relay didn't reply to the whole message: it is sent once more, and then counts as sent
--   unavailable  the relay accepts no mail: the attempt doesn't count, and all mail waits
--   dead         not retried
create or replace function builder.settle(delivery bigint, claim integer, outcome text, reason text, retry_after double precision)
  returns table (state text, retry_in double precision)
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  one builder.deliveries;
  next_at timestamp with time zone;
begin
  select * into one from builder.deliveries d
  where d.id = delivery and d.claims = claim and d.state = 'sending' for update;
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

-- Makes an e-mail wait. The reason of a failed attempt is kept.
create or replace function builder.hold_email(one builder.deliveries, hold_reason text, until timestamp with time zone)
  returns void
  language sql security definer set search_path = pg_catalog, pg_temp
as $$
  update builder.deliveries d
  set due_at = $3, state = 'waiting', hold_reason = $2,
    reason = case when one.attempts > 0 then coalesce(d.reason, $2) else $2 end
  where d.id = one.id
$$;

-- Finishes a delivery.
create or replace function builder.end_delivery(delivery bigint, state text, reason text) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
as $$
  update builder.deliveries set due_at = null, state = $2, reason = left($3, 300), settled_at = now() where id = $1
$$;

-- Leases an e-mail for 15 minutes: a relay has ten minutes after the final dot (RFC 5321, 4.5.3.2.6).
create or replace function builder.lease_email(one builder.deliveries, address text) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
as $$
  update builder.deliveries d
  set due_at = now() + interval '15 minutes', state = 'sending', attempts = d.attempts + 1, claims = d.claims + 1,
    account_id = one.account_id, address = lower($2), attempted_at = now(), reason = null, hold_reason = null,
    recipient = left($2, 1) || '…@' || split_part($2, '@', 2)
  where d.id = one.id
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
-- late: a first attempt is overdue by a minute, any by ten, or the relay or a webhook has failed for ten minutes.
-- `to_warn` is the number of waiting e-mails, once an hour, if no relay is configured. With `only_loopback`, other calls are not due.
create or replace function builder.delivery_status(
  can_mail boolean, only_loopback boolean default false, out next_mail double precision, out next_call double precision, out late_mail boolean,
  out late_call boolean, out to_warn bigint
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
    coalesce(bool_or(first.due_at <= long_ago or w.failing_since <= long_ago or builder.first_call_is_late(w.id)), false)
  into next_call, late_call
  from builder.webhooks w
    cross join lateral (
      select min(d.due_at) as due_at from builder.deliveries d where d.webhook_id = w.id and d.due_at > '-infinity'
    ) first
  where w.disabled_at is null and first.due_at is not null and builder.may_call(w.url, only_loopback);
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

-- Queues a delivery again, as if it were new. A refused address gets another attempt.
create or replace function builder.redeliver(id bigint) returns json
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  one builder.deliveries;
begin
  select * into one from builder.deliveries d where d.id = redeliver.id for update;
  if not found then
    return null;
  end if;
  if one.state = 'sending' then
    raise sqlstate 'PT409' using message = 'The delivery is being sent.',
      hint = 'Read its state again in a few minutes.';
  end if;
  if exists (select from builder.webhooks w where w.id = one.webhook_id and w.disabled_at is not null) then
    raise sqlstate 'PT409' using message = 'The webhook of the delivery is disabled.',
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

grant execute on function
  builder.claim_emails(integer, integer, text),
  builder.claim_calls(integer, boolean),
  builder.settle(bigint, integer, text, text, double precision),
  builder.delivery_status(boolean, boolean)
  to builder_deliverer;
grant execute on function builder.redeliver(bigint) to builder_staff;
