-- The outbox: e-mails and webhook calls. A delivery is inserted in the transaction of its change, so none is lost.
-- The worker `delivery` claims due deliveries, sends them and settles them. Delivery is at least once: a claim is a
-- lease, and a delivery that was not settled is due again when its lease ends. First attempts precede retries, and
-- accounts take turns, so that no one's backlog delays another's first delivery.

-- Returns the seconds to wait after each failed attempt; the attempt after the last wait is final. Webhooks have
-- the ten attempts of Standard Webhooks over three days. E-mail is retried within minutes, for greylisting, and for
-- two days, for a full mailbox.
create or replace function builder.retry_schedule(kind text) returns integer[]
  language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
  select case kind when 'webhook' then '{5,300,1800,7200,18000,36000,50400,72000,86400}'::integer[]
    else '{60,300,900,1800,3600,10800,21600,43200,86400}'::integer[] end
$$;

-- Returns a new secret in Standard Webhooks' format. The database makes it, since a log of statements has what is sent.
create or replace function builder.create_webhook_secret() returns text
  language sql volatile security definer set search_path = pg_catalog, pg_temp
as $$
  -- Each uuid has 122 random bits.
  select 'whsec_' || encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'base64')
$$;

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
  loop
    -- While that call waits, it covers later events. It is locked, so that it is not claimed before they are committed.
    perform from builder.deliveries d
    where d.quote_id is null and d.webhook_id = hook and d.account_id = happened.account_id and d.state = 'waiting'
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

-- Finishes a delivery.
create or replace function builder.end_delivery(delivery bigint, state text, reason text) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
as $$
  update builder.deliveries set due_at = null, state = $2, reason = left($3, 300), settled_at = now() where id = $1
$$;

-- Returns why an e-mail is never sent. An e-mail that staff have repeated is sent even if it was dismissed or
-- superseded.
create or replace function builder.email_skip_reason(delivery builder.deliveries) returns text
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
declare
  notification builder.notifications;
  is_repeated constant boolean := delivery.queued_at > delivery.created_at;
begin
  if delivery.kind <> 'email' then
    return null;
  end if;
  select * into notification from builder.notifications where id = delivery.notification_id;
  return case
    when notification.id is null then 'deleted'
    when notification.dismissed and not is_repeated then 'dismissed'
    when notification.expires_at <= now() then 'expired'
    when exists (select from builder.muted_accounts m where m.account_id = delivery.account_id) then 'muted'
    when not is_repeated and builder.is_superseded(delivery.quote_id, delivery.event_id) then 'superseded'
  end;
end
$$;

-- Returns which limit an e-mail to `address` would exceed, and until when. In 24 hours, an account gets ten e-mails
-- at an address, 20 in all, and at three addresses.
create or replace function builder.email_limit(
  delivery builder.deliveries, address text, out hold_reason text, out until timestamp with time zone
)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
  with sent as (
    select d.address, d.kind, d.attempted_at from builder.deliveries d
    where d.account_id = delivery.account_id and d.webhook_id is null and d.attempted_at > now() - interval '1 day'
      and d.id <> delivery.id
  ), bounds as (
    (
      select 1 as place, 'too many to the address' as hold_reason, s.attempted_at from sent s where s.address = lower($2)
      order by s.attempted_at desc offset 9 limit 1
    )
    union all (
      select 2, 'too many to the account', s.attempted_at from sent s where s.kind = 'email' and delivery.kind = 'email'
      order by s.attempted_at desc offset 19 limit 1
    )
    union all (
      select 3, 'too many addresses', max(s.attempted_at) from sent s
      where s.kind = 'email' and delivery.kind = 'email' and s.address <> lower($2)
      group by s.address order by max(s.attempted_at) desc offset 2 limit 1
    )
  )
  select b.hold_reason, b.attempted_at + interval '1 day' into hold_reason, until from bounds b order by b.place limit 1;
end
$$;

-- Returns why an e-mail to `address` is never sent (`skip_reason`), or why it waits (`hold_reason`) and until when.
-- `left_today` is how many more e-mails may be sent.
create or replace function builder.check_email(
  delivery builder.deliveries, address text, left_today bigint,
  out skip_reason text, out hold_reason text, out until timestamp with time zone
)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
  skip_reason := builder.email_skip_reason(delivery);
  if skip_reason is not null then
    return;
  end if;
  hold_reason := case
    when exists (select from builder.quotes q where q.id = delivery.quote_id and q.deleted_at is not null)
      and not exists (select from builder.quote_events e where e.id = delivery.event_id and e.event = 'quote.deleted')
    then 'quote deleted'
    when address is null then 'no address'
    when exists (
      select from builder.refused_addresses r where r.address = lower($2) and r.refused_at > now() - interval '7 days'
    ) then 'refused address'
  end;
  until := now() + interval '1 hour';
  if hold_reason is null then
    select l.hold_reason, l.until into hold_reason, until from builder.email_limit(delivery, address) l;
  end if;
  if hold_reason is null and delivery.attempted_at is null and left_today <= 0 then
    hold_reason := 'too many in all';
    until := now() + interval '1 hour';
  end if;
  until := greatest(now() + interval '1 minute', least(until, delivery.queued_at + interval '3 days'));
end
$$;

-- Returns the text and the address of an e-mail. The account of its quote or notification may have been corrected.
create or replace function builder.resolve_email(
  delivery builder.deliveries, staff text,
  out account_id uuid, out message text, out address text, out greeting text, out body text, out link text
)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  is_staff constant boolean := delivery.kind = 'staff_email';
  account_language text := 'en';
  happened builder.quote_events;
begin
  account_id := coalesce(
    (select q.account_id from builder.quotes q where q.id = delivery.quote_id),
    (select n.account_id from builder.notifications n where n.id = delivery.notification_id),
    delivery.account_id
  );
  select coalesce(
    'notification-' || i.value || '-' || delivery.notification_id, 'event-' || i.value || '-' || delivery.event_id
  ) into message from builder.identity i;
  if is_staff then
    address := staff;
    select * into happened from builder.quote_events e where e.id = delivery.event_id;
    select builder.fill_message(m.body, happened, 'en'), builder.fill_message(m.link, happened, 'en') into body, link
    from builder.event_messages m
    where m.event = happened.event and m.audience = 'staff' and m.language = 'en' and m.enabled;
  else
    select e.address, e.language into address, account_language from builder.email_of(account_id) e;
    address := coalesce(address, builder.contact_of(account_id, delivery.quote_id));
    select n.body, n.link into body, link from builder.notifications n where n.id = delivery.notification_id;
  end if;
  select m.body into greeting from builder.event_messages m
  where m.event = 'greeting' and m.enabled and m.audience = case when is_staff then 'staff' else 'account' end
    and m.language in ('en', account_language)
  order by m.language = 'en' limit 1;
end
$$;

-- Prepares a claim of e-mails, and returns how many more of `a_day` may be sent. Finishes those that have waited
-- for three days.
create or replace function builder.prepare_email_claim(a_day integer, staff text) returns bigint
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  -- Claims wait for each other, so that the limits hold.
  perform pg_advisory_xact_lock('builder.deliveries'::regclass::oid::bigint);
  update builder.delivery_pace p set staff_address = staff where p.staff_address is distinct from staff;
  perform builder.end_delivery(
    old.id, case when old.attempts > 0 then 'dead' else 'skipped' end, 'too old' || coalesce(': ' || old.reason, '')
  ) from (
    select d.id, d.attempts, d.reason from builder.deliveries d
    where d.webhook_id is null and d.due_at <= now() and d.queued_at <= now() - interval '3 days'
    order by d.queued_at limit 500 for update skip locked
  ) old;
  return a_day - (
    select count(*) from builder.deliveries d where d.webhook_id is null and d.attempted_at > now() - interval '1 day'
  );
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

-- Makes e-mails due that wait for an address of the quote when its contact was corrected, or for the quote when it
-- was restored. Skips e-mails that are being claimed, so that the write doesn't wait.
create or replace function builder.retry_waiting_emails() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  update builder.deliveries d set due_at = now() from (
    select w.id from builder.deliveries w
    where w.quote_id = new.id and w.webhook_id is null and w.due_at > now() and w.state = 'waiting' and (
      (w.hold_reason = 'quote deleted' and new.deleted_at is null)
      or (w.hold_reason like '%address%' and new.contact_email is distinct from old.contact_email)
    )
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

-- Finishes the waiting calls of disabled webhooks, 500 of each at a time.
create or replace function builder.end_disabled_calls() returns void
  language sql security definer set search_path = pg_catalog, pg_temp
as $$
  select builder.end_delivery(disabled.id, 'skipped', 'webhook disabled') from (
    select d.id from builder.webhooks w cross join lateral (
      select d.id from builder.deliveries d where d.webhook_id = w.id and d.due_at is not null
      order by d.attempts, d.turn, d.due_at, d.id limit 500 for update skip locked
    ) d
    where w.disabled_at is not null
  ) disabled
$$;

-- Returns the event that a call reports, with the call's id. Without a quote, it reports that the account's events from this
-- one on were skipped.
create or replace function builder.event_of_call(account uuid, quote uuid, event bigint, queued_at timestamp with time zone)
  returns json
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp set timezone = 'UTC'
as $$
declare
  call_id constant text := (select 'evt_' || i.value || '_' || $3 from builder.identity i);
begin
  if quote is null then
    return json_build_object(
      'event', 'quote_events.skipped', 'created_at', queued_at, 'id', call_id, 'event_id', event, 'account_id', account
    );
  end if;
  return (
    select json_build_object(
      'event', e.event, 'created_at', e.created_at, 'id', call_id, 'event_id', e.id, 'quote_id', e.quote_id,
      'quote_number', coalesce(q.quote_number, ''), 'account_id', coalesce(q.account_id, e.account_id),
      'status', e.status, 'previous_status', e.previous_status, 'fulfillment_status', e.fulfillment_status,
      'updated_at', e.created_at
    )
    from builder.quote_events e left join builder.quotes q on q.id = e.quote_id where e.id = event_of_call.event
  );
end
$$;

-- Whether a webhook may be called by a service that calls only this machine, or else any.
create or replace function builder.may_call(url text, only_loopback boolean) returns boolean
  language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$ select not $2 or $1 ~ '^http://127[.]0[.]0[.]1:[0-9]+([/?]|$)' $$;

-- Returns the next calls. Webhooks take turns, so that no webhook's backlog delays another's calls.
create or replace function builder.next_calls(most integer, only_loopback boolean)
  returns table (id bigint, attempts integer, claims integer, url text, secrets text[], event json)
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  return query select due.id, due.attempts, due.claims, w.url, w.secrets,
    builder.event_of_call(due.account_id, due.quote_id, due.event_id, due.created_at)
  from builder.webhooks w
    cross join lateral (
      select count(*) as calls from builder.deliveries d
      where d.webhook_id = w.id and d.state = 'sending' and d.due_at > now()
    ) in_flight
    cross join lateral (
      select max(d.attempted_at) as at from builder.deliveries d where d.webhook_id = w.id and d.attempted_at is not null
    ) last
    cross join lateral (
      select next.*, row_number() over (order by next.attempts, next.turn, next.due_at, next.id) as place from (
        select d.* from builder.deliveries d where d.webhook_id = w.id and d.due_at <= now()
        order by d.attempts, d.turn, d.due_at, d.id
        -- At most four calls in flight, and only one of a failing webhook.
        limit least(most, greatest(0, case when w.failing_since is null then 4 else 1 end - in_flight.calls))
        for update skip locked
      ) next
    ) due
  where w.disabled_at is null and builder.may_call(w.url, only_loopback)
  -- First webhooks with few calls in flight, then those whose last call is the oldest. A minute is added for failing ones.
  order by in_flight.calls + due.place,
    coalesce(last.at, 'epoch') + case when w.failing_since is null then interval '0' else interval '1 minute' end, due.id;
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

-- Records whether the relay works, or that it refused an address.
create or replace function builder.record_mail_result(address text, outcome text, reason text) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if outcome = 'sent' then
    update builder.delivery_pace p set mail_pause = interval '0', mail_failing_since = null, mail_sent_at = now()
    where p.mail_failing_since is not null or p.mail_pause > interval '0' or p.mail_sent_at is null
      or p.mail_sent_at < now() - interval '1 minute';
  elsif outcome = 'refused' then
    insert into builder.refused_addresses values (record_mail_result.address, now(), record_mail_result.reason)
    on conflict on constraint refused_addresses_pkey do update set refused_at = now(), reason = excluded.reason;
  elsif outcome in ('failed', 'unavailable', 'unanswered') then
    update builder.delivery_pace p set mail_failing_since = now() where p.mail_failing_since is null;
  end if;
  if outcome = 'unavailable' then
    -- Only once for e-mails that fail at the same time.
    update builder.delivery_pace p set mail_pause = longer.pause, mail_paused_until = now() + longer.pause
    from (
      select least(greatest(c.mail_pause * 2, interval '10 seconds'), interval '5 minutes') as pause
      from builder.delivery_pace c
    ) longer
    where p.mail_paused_until <= now();
  end if;
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

-- Unsubscribes an account from e-mail.
create or replace function builder.mute_account(account uuid) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
as $$ insert into builder.muted_accounts values (account) on conflict do nothing $$;

grant execute on function
  builder.claim_emails(integer, integer, text),
  builder.claim_calls(integer, boolean),
  builder.settle(bigint, integer, text, text, double precision),
  builder.delivery_status(boolean, boolean),
  builder.mute_account(uuid)
  to builder_deliverer;
grant execute on function builder.redeliver(bigint) to builder_staff;
