-- The outbox: e-mails and webhook calls. A delivery is inserted in the transaction of its change, so none is lost.
-- The worker `delivery` claims due deliveries, sends them and settles them. Delivery is at least once: a claim is a
-- lease, and a delivery that was not settled is due again when its lease ends.

-- Returns the seconds to wait after each failed attempt; the attempt after the last wait is final. Webhooks have the
-- ten attempts of Standard Webhooks over three days. E-mail is retried within minutes, for greylisting, and for two
-- days, for a full mailbox.
create or replace function builder.retry_schedule(kind text) returns integer[]
  language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
  select case kind when 'webhook' then '{5,300,1800,7200,18000,36000,50400,72000,86400}'::integer[]
    else '{60,300,900,1800,3600,10800,21600,43200,86400}'::integer[] end
$$;

-- Finishes a delivery.
create or replace function builder.end_delivery(delivery bigint, state text, reason text) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
as $$
  update builder.deliveries set due_at = null, state = $2, reason = left($3, 300), settled_at = now() where id = $1
$$;

-- Returns why an e-mail to `address` is never sent (`skip_reason`), or why it waits (`hold_reason`) and until when.
-- An e-mail that staff have repeated is sent even if it was dismissed or superseded.
create or replace function builder.check_email(
  delivery builder.deliveries, address text, out skip_reason text, out hold_reason text, out until timestamp with time zone
)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
declare
  notification builder.notifications;
  day constant timestamp with time zone := now() - interval '1 day';
  is_repeated constant boolean := delivery.queued_at > delivery.created_at;
begin
  if delivery.kind = 'email' then
    select * into notification from builder.notifications where id = delivery.notification_id;
    skip_reason := case
      when notification.id is null then 'deleted'
      when notification.dismissed and not is_repeated then 'dismissed'
      when notification.expires_at <= now() then 'expired'
      when exists (select from builder.muted_accounts m where m.account_id = delivery.account_id) then 'muted'
    end;
  end if;
  if delivery.kind = 'email' and not is_repeated and builder.is_superseded(delivery.quote_id, delivery.event_id) then
    skip_reason := coalesce(skip_reason, 'superseded');
  end if;
  if skip_reason is not null then
    return;
  end if;
  until := now() + interval '1 hour';
  if exists (select from builder.quotes q where q.id = delivery.quote_id and q.deleted_at is not null)
    and not exists (select from builder.quote_events e where e.id = delivery.event_id and e.event = 'quote.deleted')
  then
    hold_reason := 'quote deleted';
  elsif address is null then
    hold_reason := 'no address';
  elsif exists (
    select from builder.refused_addresses r where r.address = lower($2) and r.refused_at > now() - interval '7 days'
  ) then
    hold_reason := 'refused address';
  else
    select 'too many to the address', d.attempted_at + interval '1 day' into hold_reason, until
    from builder.deliveries d
    where d.account_id = delivery.account_id and d.address = lower($2) and d.attempted_at > day and d.webhook_id is null
      and d.id <> delivery.id
    order by d.attempted_at desc offset 9 limit 1;
  end if;
  if hold_reason is null and delivery.kind = 'email' then
    select 'too many to the account', d.attempted_at + interval '1 day' into hold_reason, until
    from builder.deliveries d
    where d.account_id = delivery.account_id and d.kind = 'email' and d.attempted_at > day and d.webhook_id is null
      and d.id <> delivery.id
    order by d.attempted_at desc offset 19 limit 1;
    if hold_reason is null then
      select 'too many addresses', max(d.attempted_at) + interval '1 day' into hold_reason, until
      from builder.deliveries d
      where d.account_id = delivery.account_id and d.kind = 'email' and d.attempted_at > day and d.webhook_id is null
        and d.address <> lower($2)
      group by d.address order by max(d.attempted_at) desc offset 2 limit 1;
    end if;
  end if;
  if hold_reason is not null then
    until := greatest(now() + interval '1 minute', least(until, delivery.queued_at + interval '3 days'));
  end if;
end
$$;

-- Makes the account's waiting e-mails due when its contact was corrected or the quote restored. Skips e-mails that
-- are being claimed, so that the write doesn't wait.
create or replace function builder.retry_waiting_emails() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  update builder.deliveries d set due_at = now() from (
    select w.id from builder.deliveries w
    where w.account_id = new.account_id and w.webhook_id is null and w.due_at > now() and w.state = 'waiting'
    limit 100 for update skip locked
  ) waiting
  where d.id = waiting.id;
  return null;
end
$$;

create or replace trigger contact_corrected after update of contact_email on builder.quotes for each row
  when (new.contact_email is distinct from old.contact_email) execute function builder.retry_waiting_emails();

create or replace trigger quote_restored after update of deleted_at on builder.quotes for each row
  when (new.deleted_at is null and old.deleted_at is not null) execute function builder.retry_waiting_emails();

-- Claims at most `mails` due e-mails, within a limit of `a_day` for all accounts, with a lease of 15 minutes: a relay
-- has ten minutes after the final dot (RFC 5321, 4.5.3.2.6). Claims take turns, so that the limits hold. If
-- email_of() fails for an e-mail, only that one waits. An e-mail that was claimed as often as it may be attempted and
-- was never settled is dead, since it may crash its sender. With `mails` 0, only finishes e-mails that are too old.
create or replace function builder.claim_emails(mails integer, a_day integer, staff text)
  returns table (
    id bigint, claim integer, attempt integer, account_id uuid, message text, address text, body text, link text
  )
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  one builder.deliveries;
  why record;
  happened builder.quote_events;
  taken integer := 0;
  left_today bigint;
begin
  perform pg_advisory_xact_lock('builder.deliveries'::regclass::oid::bigint);
  update builder.delivery_pace p set staff_address = staff where p.staff_address is distinct from staff;
  perform builder.end_delivery(
    old.id, case when old.attempts > 0 then 'dead' else 'skipped' end, 'too old' || coalesce(': ' || old.reason, '')
  ) from (
    select d.id, d.attempts, d.reason from builder.deliveries d
    where d.webhook_id is null and d.due_at <= now() and d.queued_at <= now() - interval '3 days'
    order by d.queued_at limit 500 for update skip locked
  ) old;
  if mails = 0 or (select p.mail_paused_until > now() from builder.delivery_pace p) then
    return;
  end if;
  select a_day - count(*) into left_today from builder.deliveries d
  where d.webhook_id is null and d.attempted_at > now() - interval '1 day';
  for one in
    select * from builder.deliveries d where d.webhook_id is null and d.due_at <= now()
    order by d.due_at, d.id limit 500 for update skip locked
  loop
    exit when taken >= mails;
    if one.attempts > cardinality(builder.retry_schedule(one.kind)) then
      perform builder.end_delivery(one.id, 'dead', 'no result was reported');
      continue;
    end if;
    begin
      -- The account of the quote or the notification may have been corrected.
      select coalesce(
        (select q.account_id from builder.quotes q where q.id = one.quote_id),
        (select n.account_id from builder.notifications n where n.id = one.notification_id),
        one.account_id
      ) into one.account_id;
      address := case when one.kind = 'staff_email' then staff
        else coalesce((builder.email_of(one.account_id)).address, builder.contact_of(one.account_id, one.quote_id)) end;
      select * into why from builder.check_email(one, address);
      if one.kind = 'staff_email' then
        select * into happened from builder.quote_events e where e.id = one.event_id;
        select builder.fill_message(m.body, happened), builder.fill_message(m.link, happened) into body, link
        from builder.event_messages m
        where m.event = happened.event and m.audience = 'staff' and m.language = 'en' and m.enabled;
        message := 'event-' || one.event_id;
      else
        select n.body, n.link into body, link from builder.notifications n where n.id = one.notification_id;
        message := 'notification-' || one.notification_id;
      end if;
    exception when query_canceled or others then
      update builder.deliveries d
      set due_at = now() + interval '10 minutes', state = 'waiting', reason = 'address lookup failed: ' || sqlstate
      where d.id = one.id;
      exit when sqlstate = '57014';
      continue;
    end;
    if why.skip_reason is not null or body is null then
      perform builder.end_delivery(one.id, 'skipped', coalesce(why.skip_reason, 'no message'));
      continue;
    end if;
    if why.hold_reason is null and one.attempted_at is null and left_today <= 0 then
      why.hold_reason := 'too many in all';
      why.until := now() + interval '1 hour';
    end if;
    if why.hold_reason is not null then
      -- The reason of a failed attempt is kept.
      update builder.deliveries d
      set due_at = why.until, state = 'waiting', reason = case when one.attempts > 0 then coalesce(d.reason, why.hold_reason) else why.hold_reason end
      where d.id = one.id;
      continue;
    end if;
    taken := taken + 1;
    left_today := left_today - 1;
    update builder.deliveries d
    set due_at = now() + interval '15 minutes', state = 'sending', attempts = d.attempts + 1, claims = d.claims + 1,
      account_id = one.account_id, address = lower(claim_emails.address), attempted_at = now(), reason = null,
      recipient = left(claim_emails.address, 1) || '…@' || split_part(claim_emails.address, '@', 2)
    where d.id = one.id;
    id := one.id;
    claim := one.claims + 1;
    attempt := one.attempts + 1;
    account_id := case when one.kind = 'email' then one.account_id end;
    return next;
  end loop;
end
$$;

-- Claims at most `most` due webhook calls, with a lease of five minutes. So that no webhook's backlog delays
-- another's calls, webhooks take turns: first those with the fewest calls in flight, then those whose last call is
-- the oldest (a minute is added for failing ones). A webhook has at most four calls in flight, a failing one only
-- one.
create or replace function builder.claim_calls(most integer)
  returns table (
    id bigint, claim integer, attempt integer, claimed_at double precision, url text, secrets text[], event json
  )
  language plpgsql security definer set search_path = pg_catalog, pg_temp set timezone = 'UTC'
as $$
#variable_conflict use_column
declare
  one record;
  taken integer := 0;
begin
  perform pg_advisory_xact_lock('builder.webhooks'::regclass::oid::bigint);
  perform builder.end_delivery(disabled.id, 'skipped', 'webhook disabled') from (
    select d.id from builder.webhooks w cross join lateral (
      select d.id from builder.deliveries d where d.webhook_id = w.id and d.due_at is not null
      order by d.due_at, d.id limit 500 for update skip locked
    ) d
    where w.disabled_at is not null
  ) disabled;
  for one in
    select due.id, due.attempts, due.claims, due.event_id, w.url, w.secrets
    from builder.webhooks w
      cross join lateral (
        select count(*) as calls from builder.deliveries d
        where d.webhook_id = w.id and d.state = 'sending' and d.due_at > now()
      ) in_flight
      cross join lateral (
        select max(d.attempted_at) as at from builder.deliveries d where d.webhook_id = w.id
      ) last
      cross join lateral (
        select next.*, row_number() over (order by next.due_at, next.id) as place from (
          select d.* from builder.deliveries d where d.webhook_id = w.id and d.due_at <= now()
          order by d.due_at, d.id
          limit least(most, greatest(0, case when w.failing_since is null then 4 else 1 end - in_flight.calls))
          for update skip locked
        ) next
      ) due
    where w.disabled_at is null
    order by in_flight.calls + due.place,
      coalesce(last.at, 'epoch') + case when w.failing_since is null then interval '0' else interval '1 minute' end, due.id
  loop
    exit when taken >= most;
    if one.attempts > cardinality(builder.retry_schedule('webhook')) then
      perform builder.end_delivery(one.id, 'dead', 'no result was reported');
      continue;
    end if;
    taken := taken + 1;
    update builder.deliveries d
    set due_at = now() + interval '5 minutes', state = 'sending', attempts = d.attempts + 1, claims = d.claims + 1,
      attempted_at = now(), reason = null
    where d.id = one.id;
    return query
      select one.id, one.claims + 1, one.attempts + 1, extract(epoch from now())::double precision, one.url, one.secrets,
        json_build_object(
          'id', e.id, 'event', e.event, 'created_at', e.created_at, 'quote_id', e.quote_id,
          'quote_number', coalesce(q.quote_number, ''), 'account_id', coalesce(q.account_id, e.account_id),
          'status', e.status, 'previous_status', e.previous_status, 'fulfillment_status', e.fulfillment_status,
          'updated_at', e.created_at
        )
      from builder.quote_events e left join builder.quotes q on q.id = e.quote_id where e.id = one.event_id;
  end loop;
end
$$;

-- Settles a claim, and returns the new state and the seconds until the next attempt. Does nothing if the delivery was
-- claimed again. The outcomes: `sent`; `failed`: retried by the schedule, or after `retry_after` seconds; `refused`:
-- the webhook is disabled, or the address gets no e-mail for a week and this one waits for another address; `dead`:
-- not retried; `unavailable`: the relay accepts no mail, so the attempt doesn't count and all mail waits.
create or replace function builder.settle(delivery bigint, claim integer, outcome text, reason text, retry_after double precision)
  returns table (state text, retry_in double precision)
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  one builder.deliveries;
  next_at timestamp with time zone;
  is_mail boolean;
begin
  select * into one from builder.deliveries d
  where d.id = delivery and d.claims = claim and d.state = 'sending' for update;
  if not found then
    return;
  end if;
  is_mail := one.webhook_id is null;
  if outcome = 'failed' then
    -- 20 % jitter, so that deliveries that were due together are not due together again.
    next_at := now() + interval '1 second' * greatest(
      round((builder.retry_schedule(one.kind))[one.attempts] * (0.8 + 0.4 * random())), coalesce(retry_after, 0)
    );
  elsif outcome = 'refused' and is_mail then
    -- The next claim checks for another address, and then each hour.
    next_at := now() + interval '1 minute';
    insert into builder.refused_addresses values (one.address, now(), reason)
    on conflict on constraint refused_addresses_pkey do update set refused_at = now(), reason = excluded.reason;
  elsif outcome = 'unavailable' then
    -- Only once for e-mails that fail at the same time.
    update builder.delivery_pace p set mail_pause = longer.pause, mail_paused_until = now() + longer.pause
    from (
      select least(greatest(c.mail_pause * 2, interval '10 seconds'), interval '5 minutes') as pause
      from builder.delivery_pace c
    ) longer
    where p.mail_paused_until <= now();
    select p.mail_paused_until into next_at from builder.delivery_pace p;
  end if;
  state := case when outcome = 'sent' then 'sent'
    when next_at is not null and not (outcome = 'failed' and one.attempts > cardinality(builder.retry_schedule(one.kind)))
    then 'waiting' else 'dead' end;
  retry_in := case when state = 'waiting' then extract(epoch from next_at - now()) end;
  update builder.deliveries d set
    state = settle.state,
    due_at = case when settle.state = 'waiting' then next_at end,
    attempts = case when outcome = 'unavailable' then d.attempts - 1 else d.attempts end,
    attempted_at = case when outcome = 'unavailable' then null else d.attempted_at end,
    reason = left(settle.reason, 300),
    settled_at = case when settle.state <> 'waiting' then now() end
  where d.id = one.id;
  if not is_mail and outcome = 'sent' then
    update builder.webhooks w set failing_since = null where w.id = one.webhook_id and w.failing_since is not null;
  elsif not is_mail then
    update builder.webhooks w set failing_since = coalesce(w.failing_since, now()) where w.id = one.webhook_id;
    update builder.webhooks w set disabled_at = now(), disabled_because = settle.reason
    where w.id = one.webhook_id and w.disabled_at is null
      and (outcome = 'refused' or w.failing_since < now() - interval '5 days');
  elsif outcome = 'sent' then
    update builder.delivery_pace p set mail_pause = interval '0', mail_failing_since = null, mail_sent_at = now()
    where p.mail_failing_since is not null or p.mail_pause > interval '0' or p.mail_sent_at is null
      or p.mail_sent_at < now() - interval '1 minute';
  elsif outcome in ('failed', 'unavailable') then
    update builder.delivery_pace p set mail_failing_since = now() where p.mail_failing_since is null;
  end if;
  return next;
end
$$;

-- Returns the seconds until the next e-mail and the next call are due (negative: overdue), and whether either is
-- late: due for ten minutes, or the relay or a webhook has been failing for ten minutes. `to_warn` is the number of
-- waiting e-mails, once an hour, if no relay is configured.
create or replace function builder.delivery_status(
  can_mail boolean, out next_mail double precision, out next_call double precision, out late_mail boolean,
  out late_call boolean, out to_warn bigint
)
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  long_ago constant timestamp with time zone := now() - interval '10 minutes';
  mail timestamp with time zone;
  call timestamp with time zone;
  pace builder.delivery_pace;
begin
  select * into pace from builder.delivery_pace;
  select min(d.due_at) into mail from builder.deliveries d where d.webhook_id is null and d.due_at is not null;
  select min(first.due_at), bool_or(w.failing_since <= long_ago and first.due_at is not null) into call, late_call
  from builder.webhooks w
    cross join lateral (
      select min(d.due_at) as due_at from builder.deliveries d where d.webhook_id = w.id and d.due_at is not null
    ) first
  where w.disabled_at is null;
  next_mail := case when mail is not null then extract(epoch from greatest(mail, pace.mail_paused_until) - now()) end;
  next_call := extract(epoch from call - now());
  late_mail := coalesce(mail <= long_ago or (mail is not null and pace.mail_failing_since <= long_ago), false);
  late_call := coalesce(call <= long_ago or late_call, false);
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
  set state = 'waiting', due_at = now(), queued_at = clock_timestamp(), attempts = 0, reason = null, settled_at = null
  where d.id = one.id;
  return json_build_object('id', one.id, 'state', 'waiting');
end
$$;

-- Unsubscribes an account from e-mail.
create or replace function builder.mute_account(account uuid) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
as $$ insert into builder.muted_accounts values (account) on conflict do nothing $$;

grant execute on function
  builder.claim_emails(integer, integer, text),
  builder.claim_calls(integer),
  builder.settle(bigint, integer, text, text, double precision),
  builder.delivery_status(boolean),
  builder.mute_account(uuid)
  to builder_deliverer;
grant execute on function builder.redeliver(bigint) to builder_staff;
