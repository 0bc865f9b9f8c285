-- E-mails of the outbox: whether one is sent, to whom and with which text; what is known of the relay and of addresses.

-- Returns why an e-mail is never sent. An e-mail that staff have repeated is sent even if it was superseded.
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
    when notification.expires_at <= now() then 'expired'
    when exists (select from builder.unsubscribed_accounts u where u.account_id = delivery.account_id) then 'unsubscribed'
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

-- Returns the state and the reason of an e-mail to `address` that is not sent now: it waits until a time, or ends. An e-mail that
-- was claimed as often as it may be attempted is dead, since it may crash its sender. `left_today` is how many more may be sent.
create or replace function builder.check_email(
  delivery builder.deliveries, address text, has_text boolean, left_today bigint,
  out state text, out reason text, out until timestamp with time zone
)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if delivery.attempts > cardinality(builder.retry_schedule(delivery.kind)) then
    state := 'dead';
    reason := 'no result was reported';
    return;
  end if;
  reason := coalesce(builder.email_skip_reason(delivery), case when not has_text then 'no message' end);
  if reason is not null then
    state := 'skipped';
    return;
  end if;
  reason := case
    when exists (select from builder.quotes q where q.id = delivery.quote_id and q.deleted_at is not null)
      and not exists (select from builder.quote_events e where e.id = delivery.event_id and e.event = 'quote.deleted')
    then 'quote deleted'
    when address is null then 'no address'
    when exists (
      select from builder.refused_addresses r where r.address = lower($2) and r.refused_at > now() - interval '7 days'
    ) then 'refused address'
  end;
  until := now() + interval '1 hour';
  if reason is null then
    select l.hold_reason, l.until into reason, until from builder.email_limit(delivery, address) l;
  end if;
  if reason is null and delivery.attempted_at is null and left_today <= 0 then
    reason := 'too many in all';
    until := now() + interval '1 hour';
  end if;
  state := case when reason is not null then 'waiting' end;
  until := greatest(now() + interval '1 minute', least(until, delivery.queued_at + interval '3 days'));
end
$$;

-- Returns the text and the address of an e-mail, with the language of its text, the line with the placeholder of the offer's link, and
-- whether the address is the login's. The account of its quote or notification may have
-- been corrected.
create or replace function builder.resolve_email(
  delivery builder.deliveries, staff text,
  out account_id uuid, out address text, out greeting text, out body text, out link text, out language text,
  out offer_line text, out by_login boolean
)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  happened builder.quote_events;
  is_staff constant boolean := delivery.kind = 'staff_email';
  of_event builder.event_messages;
  greets builder.event_messages;
begin
  account_id := coalesce(
    (select q.account_id from builder.quotes q where q.id = delivery.quote_id),
    (select n.account_id from builder.notifications n where n.id = delivery.notification_id),
    delivery.account_id
  );
  select * into happened from builder.quote_events e where e.id = delivery.event_id;
  if is_staff then
    address := staff;
    language := 'en';
    of_event := builder.find_message(builder.message_of(happened), 'staff', language);
    body := builder.message_text(of_event.body, happened, language);
    link := builder.fill_message(of_event.link, happened, language);
  else
    select e.address, e.language into address, language from builder.email_of(account_id) e;
    by_login := address is not null;
    address := coalesce(address, builder.contact_of(account_id, delivery.quote_id, builder.is_by_staff(happened)));
    of_event := builder.find_message(builder.message_of(happened), builder.account_audience(happened), language);
    offer_line := builder.offer_line(of_event, happened, language);
    select n.body, n.link into body, link from builder.notifications n where n.id = delivery.notification_id;
  end if;
  greets := builder.find_message('greeting', case when is_staff then 'staff' else 'account' end, language);
  greeting := greets.body;
  language := coalesce(of_event.language, greets.language, language, 'en');
end
$$;

-- Returns the lines of a message about an offer that have {offer_url}, filled in but for that: the worker, which has the key, does.
create or replace function builder.offer_line(message builder.event_messages, happened builder.quote_events, reader text) returns text
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select builder.fill_message(
    string_agg(line, E'\n' order by place), happened, builder.format_language(message.language, reader), '{offer_url}'
  )
  from unnest(string_to_array(message.body, E'\n')) with ordinality as lines (line, place)
  where line like '%{offer\_url}%'
    and happened.event in ('quote.quoted', 'quote.repriced', 'quote.amended', 'quote.end_changed', 'quote.expiring')
$$;

-- Returns whether staff, or a program of theirs, did something with a quote whose contact they could read. A program that submits
-- a quote may be the customer's own.
create or replace function builder.is_by_staff(happened builder.quote_events) returns boolean
  language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$ select coalesce(happened.created_as in ('staff', 'service') and happened.event <> 'quote.submitted', false) $$;

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

-- Unsubscribes an account from e-mail, if anything is known of it: a link in an old mail does not bring back an account that was erased.
create or replace function builder.unsubscribe_account(account uuid) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
as $$
  insert into builder.unsubscribed_accounts
  select account where exists (select from builder.quotes q where q.account_id = account)
    or exists (select from builder.notifications n where n.account_id = account)
    or exists (select from builder.deliveries d where d.account_id = account and (d.webhook_id is null or d.event_id is not null))
  on conflict do nothing
$$;

grant execute on function builder.unsubscribe_account(uuid) to builder_deliverer;
