-- Accounts take turns at webhooks and e-mail. What is held back is told from what has failed. Prices and days read as people
-- write them.

alter table builder.deliveries
  -- Its place in the queue of its webhook, or in that of e-mail: accounts take turns.
  add column turn integer not null default 0,
  -- Why it is held back until `due_at`, though no attempt failed.
  add column holds text,
  -- Whether a relay was sent all of it and did not reply.
  add column unanswered boolean not null default false;

-- The condition of an index is said by the queries that it is for, and by no other: a plan that was made while little waited
-- can't read all that waits, or the history of a webhook.
drop index builder.emails_that_wait, builder.emails_to_an_address, builder.emails_that_are_due, builder.calls_that_are_due,
  builder.calls_of_a_webhook;
create index deliveries_that_wait on builder.deliveries (account_id, webhook_id, turn) where state in ('waiting', 'sending');
create index emails_in_turn on builder.deliveries (attempts, turn, due_at, id) where webhook_id is null and due_at is not null;
create index emails_that_are_due on builder.deliveries (due_at, id) where webhook_id is null and due_at > '-infinity';
create index calls_in_turn on builder.deliveries (webhook_id, attempts, turn, due_at, id)
  where webhook_id is not null and due_at is not null;
create index calls_that_are_due on builder.deliveries (webhook_id, due_at, id)
  where webhook_id is not null and due_at > '-infinity';
create index calls_by_time on builder.deliveries (webhook_id, attempted_at)
  where webhook_id is not null and attempted_at is not null;
create index calls_of_a_quote on builder.deliveries (quote_id, webhook_id, turn)
  where webhook_id is not null and state = 'waiting' and attempts = 0;
create index skipped_calls on builder.deliveries (account_id, webhook_id)
  where quote_id is null and webhook_id is not null and state = 'waiting';

update builder.event_messages set body = replace(body, '{total_price} {currency}', '{total_price}');
insert into builder.event_messages (event, audience, channel, body, link) values
  ('greeting', 'account', 'email', 'Hello,', null),
  ('greeting', 'staff', 'email', 'Hello,', null)
on conflict do nothing;

-- The turn of a new delivery: after what waits for its account, and not before whoever is next.
create function builder.next_turn(account uuid, webhook uuid) returns integer
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

-- Queues a call of a webhook. Of the events of a quote that wait, the newest takes the earliest turn.
create function builder.queue_call(happened builder.quote_events, webhook uuid) returns void
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
  select 'webhook', happened.account_id, happened.quote_id, $2, happened.id, coalesce((select older.turn from older), tail.turn)
  from tail;
end
$$;

-- Whether a thousand calls of an account wait for a webhook, the most that may. Turns of an account are different: when the first
-- and the last are close, nothing is counted.
create function builder.is_queue_full(account uuid, webhook uuid) returns boolean
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
declare
  most constant integer := 1000;
  first integer;
  last integer;
begin
  select d.turn into first from builder.deliveries d
  where d.account_id = $1 and d.webhook_id = $2 and d.state in ('waiting', 'sending') order by d.turn limit 1;
  select d.turn into last from builder.deliveries d
  where d.account_id = $1 and d.webhook_id = $2 and d.state in ('waiting', 'sending') order by d.turn desc limit 1;
  return coalesce(last - first, 0) >= most - 1 and most <= (
    select count(*) from (
      select from builder.deliveries d
      where d.account_id = $1 and d.webhook_id = $2 and d.state in ('waiting', 'sending')
      limit most
    ) waiting
  );
end
$$;

-- Queues an event for its webhooks. Where the queue of its account is full, one call without a quote says that the events of the
-- account from this one on are not called. While it waits, it stands for all further ones: it is locked, so that it is claimed
-- after this transaction.
create function builder.queue_calls(happened builder.quote_events) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  hook uuid;
begin
  for hook in
    select w.id from builder.webhooks w
    where w.disabled_at is null and (w.events is null or happened.event = any (w.events))
  loop
    perform from builder.deliveries d
    where d.quote_id is null and d.webhook_id = hook and d.account_id = happened.account_id and d.state = 'waiting'
    limit 1 for key share;
    continue when found;
    if builder.is_queue_full(happened.account_id, hook) then
      insert into builder.deliveries (kind, account_id, webhook_id, event_id, turn)
      values ('webhook', happened.account_id, hook, happened.id, builder.next_turn(happened.account_id, hook));
    else
      perform builder.queue_call(happened, hook);
    end if;
  end loop;
end
$$;

-- The time zone of an account. A deployment replaces this function.
create function builder.time_zone_of(account uuid) returns text
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$ select 'UTC' $$;

-- A time as people of a language write it, with its zone.
create function builder.time_text(moment timestamp with time zone, account uuid, language text) returns text
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
declare
  zone text;
  local_time timestamp without time zone;
begin
  begin
    zone := builder.time_zone_of(account);
    local_time := moment at time zone zone;
  exception when others then
    zone := null;
  end;
  if zone is null then
    zone := 'UTC';
    local_time := moment at time zone zone;
  end if;
  return to_char(local_time, case split_part(lower(language), '-', 1)
    when 'en' then 'FMMonth FMDD, YYYY, HH24:MI'
    when 'de' then 'FMDD.FMMM.YYYY, HH24:MI'
    when 'fr' then 'DD/MM/YYYY HH24:MI'
    when 'es' then 'FMDD/FMMM/YYYY, HH24:MI'
    when 'it' then 'FMDD/FMMM/YYYY, HH24:MI'
    when 'pt' then 'DD/MM/YYYY, HH24:MI'
    else 'YYYY-MM-DD HH24:MI'
  end) || ' (' || replace(zone, '_', ' ') || ')';
end
$$;

-- An amount as people of a language write it, with as many decimals as its currency has (ISO 4217), and more if it has more.
create function builder.price_text(amount numeric, currency text, language text) returns text
  language plpgsql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
declare
  tongue constant text := split_part(lower(language), '-', 1);
  decimals constant integer := case
    when currency = any ('{BIF,CLP,DJF,GNF,ISK,JPY,KMF,KRW,PYG,RWF,UGX,UYI,VND,VUV,XAF,XOF,XPF}') then 0
    when currency = any ('{BHD,IQD,JOD,KWD,LYD,OMR,TND}') then 3
    when currency = any ('{CLF,UYW}') then 4
    else 2
  end;
  digits constant text := round(amount, greatest(decimals, scale(trim_scale(amount))))::text;
  symbol constant text := coalesce(
    ('{"USD":"$","EUR":"€","GBP":"£","JPY":"¥","INR":"₹","KRW":"₩","ILS":"₪","VND":"₫","PHP":"₱","CAD":"CA$","AUD":"A$",
      "NZD":"NZ$","MXN":"MX$","BRL":"R$","CNY":"CN¥","HKD":"HK$","TWD":"NT$"}'::json) ->> currency,
    currency
  );
  -- What groups the digits, and what stands before the decimals.
  marks constant text[] := case
    when tongue = any ('{de,es,it,pt,nl,da,id,tr,el,ro,sl,hr,sr,ca,vi}') then array['.', ',']
    when tongue = any ('{fr,sv,nb,no,nn,fi,pl,cs,sk,ru,uk,bg,hu,et,lv,lt}') then array[U&'\202F', ',']
    else array[',', '.']
  end;
  written constant text := regexp_replace(split_part(digits, '.', 1), '(\d)(?=(\d{3})+$)', '\1' || marks[1], 'g')
    || case when digits like '%.%' then marks[2] || split_part(digits, '.', 2) else '' end;
begin
  if marks[2] = ',' then
    return written || U&'\00A0' || symbol;
  end if;
  return symbol || case when symbol = currency then U&'\00A0' else '' end || written;
end
$$;

-- Fills in a text of event_messages. A line with a value that the quote has not is left out. Null, if no line is left.
create function builder.fill_message(template text, event builder.quote_events, language text) returns text
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select nullif(btrim(string_agg(
    replace(replace(replace(replace(replace(line,
      '{quote_number}', q.quote_number), '{quote_id}', q.id::text), '{currency}', event.currency),
      '{total_price}', coalesce(price.text, '')), '{expires_at}', coalesce(ends.text, '')),
    E'\n' order by place
  ), E' \n'), '')
  from builder.quotes q
    cross join lateral (select builder.price_text(event.total_price, event.currency, $3) as text) price
    cross join lateral (select builder.time_text(q.expires_at, q.account_id, $3) as text) ends
    cross join unnest(string_to_array(template, E'\n')) with ordinality as lines (line, place)
  where q.id = event.quote_id
    and (price.text is not null or line not like '%{total\_price}%')
    and (ends.text is not null or line not like '%{expires\_at}%')
$$;

create or replace function builder.deliver_notification() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  insert into builder.deliveries (kind, account_id, notification_id, turn)
  values ('email', new.account_id, new.id, builder.next_turn(new.account_id, null))
  on conflict do nothing;
  return null;
end
$$;

-- Whether anybody is told of an event. What a customer or the sweep does is told a hundred times a day: neither a loop of moves
-- back and forth nor thousands of old drafts may fill anybody's list.
create function builder.is_told(event builder.quote_events) returns boolean
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
  return (event.event <> 'quote.repriced' or event.status = 'quoted')
    and exists (select from builder.event_messages m where m.event = event.event and m.enabled)
    and (
      event.created_as not in ('customer', 'sweep') or (
        select count(*) from (
          select from (
            select e.created_as from builder.quote_events e
            where e.account_id = event.account_id and e.created_at > now() - interval '1 day'
            order by e.created_at desc, e.id limit 1000
          ) recent
          where created_as in ('customer', 'sweep') limit 101
        ) told
      ) <= 100
    );
end
$$;

-- Writes the account's notification of an event, in its language or in English.
create function builder.tell_account(happened builder.quote_events) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  notification bigint;
  message builder.event_messages;
  text text;
begin
  select * into message from builder.event_messages m
  where m.event = happened.event and m.enabled and m.audience = 'account'
    and (m.language = 'en' or m.language = (select builder.language_of(happened.account_id)))
  order by m.language = 'en' limit 1;
  text := builder.fill_message(message.body, happened, message.language);
  if text is null then
    return;
  end if;
  insert into builder.notifications (account_id, type, body, link, channel, dismissed)
  select happened.account_id, message.type, case when octet_length(text) > 10000 then left(text, 2500) else text end,
    case when octet_length(filled.link) <= 2048 then filled.link end, message.channel, false
  from (select builder.fill_message(message.link, happened, message.language) as link) filled
  returning id into notification;
  insert into builder.told_events (quote_id, event_id, event) values (happened.quote_id, happened.id, happened.event);
  update builder.deliveries set event_id = happened.id, quote_id = happened.quote_id where notification_id = notification;
end
$$;

-- Calls the webhooks of an event, and tells the account and the staff of it as event_messages says. Nobody is told of an
-- import.
create or replace function builder.deliver_quote_event() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if new.previous_status is null
    and exists (select from builder.quotes q where q.id = new.quote_id and q.source = 'csv_import')
  then
    return null;
  end if;
  perform builder.queue_calls(new);
  if not builder.is_told(new) then
    return null;
  end if;
  insert into builder.deliveries (kind, account_id, quote_id, event_id, turn)
  select 'staff_email', new.account_id, new.quote_id, new.id, builder.next_turn(new.account_id, null)
  from builder.event_messages m
  where m.event = new.event and m.enabled and m.audience = 'staff' and m.language = 'en'
    and exists (select from builder.delivery_pace p where p.staff_address is not null);
  if new.account_id <> builder.everyone() then
    perform builder.tell_account(new);
  end if;
  return null;
end
$$;

-- What waits for an address of the quote is due when the contact was corrected, and what waits for the quote when it was
-- restored. What is being claimed at the moment is left alone, so that the write waits for nothing.
create or replace function builder.send_what_waits() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  update builder.deliveries d set due_at = now() from (
    select w.id from builder.deliveries w
    where w.quote_id = new.id and w.webhook_id is null and w.due_at > now() and w.state = 'waiting' and (
      (w.holds = 'quote deleted' and new.deleted_at is null)
      or (w.holds like '%address%' and new.contact_email is distinct from old.contact_email)
    )
    limit 100 for update skip locked
  ) waiting
  where d.id = waiting.id;
  return null;
end
$$;

-- Why an e-mail is never sent. What staff have asked for again is sent although it was dismissed or overtaken.
create function builder.why_never_mailed(delivery builder.deliveries) returns text
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
declare
  notification builder.notifications;
  is_asked_for constant boolean := delivery.queued_at > delivery.created_at;
begin
  if delivery.kind <> 'email' then
    return null;
  end if;
  select * into notification from builder.notifications where id = delivery.notification_id;
  return case
    when notification.id is null then 'deleted'
    when notification.dismissed and not is_asked_for then 'dismissed'
    when notification.expires_at <= now() then 'expired'
    when exists (select from builder.muted_accounts m where m.account_id = delivery.account_id) then 'muted'
    when not is_asked_for and builder.is_overtaken(delivery.quote_id, delivery.event_id) then 'overtaken'
  end;
end
$$;

-- The bound of a day that an e-mail to an address would exceed, and until when.
create function builder.bound_of_mail(
  delivery builder.deliveries, address text, out holds text, out until timestamp with time zone
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
      select 1 as place, 'too many to the address' as holds, s.attempted_at from sent s where s.address = lower($2)
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
  select b.holds, b.attempted_at + interval '1 day' into holds, until from bounds b order by b.place limit 1;
end
$$;

drop function builder.why_not_mailed(builder.deliveries, text);
-- Why an e-mail is never sent (`ends`), or waits (`holds`) and until when. `address` is where it would go, and `left_today` how
-- many more may be sent.
create function builder.why_not_mailed(
  delivery builder.deliveries, address text, left_today bigint, out ends text, out holds text,
  out until timestamp with time zone
)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
  ends := builder.why_never_mailed(delivery);
  if ends is not null then
    return;
  end if;
  holds := case
    when exists (select from builder.quotes q where q.id = delivery.quote_id and q.deleted_at is not null)
      and not exists (select from builder.quote_events e where e.id = delivery.event_id and e.event = 'quote.deleted')
    then 'quote deleted'
    when address is null then 'no address'
    when exists (
      select from builder.refused_addresses r where r.address = lower($2) and r.refused_at > now() - interval '7 days'
    ) then 'refused address'
  end;
  until := now() + interval '1 hour';
  if holds is null then
    select b.holds, b.until into holds, until from builder.bound_of_mail(delivery, address) b;
  end if;
  if holds is null and delivery.attempted_at is null and left_today <= 0 then
    holds := 'too many in all';
    until := now() + interval '1 hour';
  end if;
  until := greatest(now() + interval '1 minute', least(until, delivery.queued_at + interval '3 days'));
end
$$;

-- The text of an e-mail, and where it goes: to the account that its quote belongs to now, or its notification, whose account
-- may have been corrected.
create function builder.email_for(
  delivery builder.deliveries, staff text, out account_id uuid, out address text, out greeting text, out body text, out link text
)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  is_staff constant boolean := delivery.kind = 'staff_email';
  spoken text := 'en';
  happened builder.quote_events;
begin
  account_id := coalesce(
    (select q.account_id from builder.quotes q where q.id = delivery.quote_id),
    (select n.account_id from builder.notifications n where n.id = delivery.notification_id),
    delivery.account_id
  );
  if is_staff then
    address := staff;
    select * into happened from builder.quote_events e where e.id = delivery.event_id;
    select builder.fill_message(m.body, happened, 'en'), builder.fill_message(m.link, happened, 'en') into body, link
    from builder.event_messages m
    where m.event = happened.event and m.audience = 'staff' and m.language = 'en' and m.enabled;
  else
    select e.address, e.language into address, spoken from builder.email_of(account_id) e;
    address := coalesce(address, builder.contact_of(account_id, delivery.quote_id));
    select n.body, n.link into body, link from builder.notifications n where n.id = delivery.notification_id;
  end if;
  select m.body into greeting from builder.event_messages m
  where m.event = 'greeting' and m.enabled and m.audience = case when is_staff then 'staff' else 'account' end
    and m.language in ('en', spoken)
  order by m.language = 'en' limit 1;
end
$$;

-- Ends e-mails that have waited for three days.
create function builder.end_old_emails() returns void
  language sql security definer set search_path = pg_catalog, pg_temp
as $$
  select builder.end_delivery(
    old.id, case when old.attempts > 0 then 'dead' else 'skipped' end, 'too old' || coalesce(': ' || old.reason, '')
  ) from (
    select d.id, d.attempts, d.reason from builder.deliveries d
    where d.webhook_id is null and d.due_at <= now() and d.queued_at <= now() - interval '3 days'
    order by d.queued_at limit 500 for update skip locked
  ) old
$$;

-- Holds an e-mail back until then. An attempt's own reason stays, as that the address was refused.
create function builder.hold_email(one builder.deliveries, holds text, until timestamp with time zone) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
as $$
  update builder.deliveries d
  set due_at = $3, state = 'waiting', holds = $2, reason = case when one.attempts > 0 then coalesce(d.reason, $2) else $2 end
  where d.id = one.id
$$;

-- Notes that an e-mail is being sent, for the 15 minutes that an attempt may take: a relay has ten after the final dot
-- (RFC 5321, 4.5.3.2.6).
create function builder.take_email(one builder.deliveries, address text) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
as $$
  update builder.deliveries d
  set due_at = now() + interval '15 minutes', state = 'sending', attempts = d.attempts + 1, claims = d.claims + 1,
    account_id = one.account_id, address = lower($2), attempted_at = now(), reason = null, holds = null,
    recipient = left($2, 1) || '…@' || split_part($2, '@', 2)
  where d.id = one.id
$$;

drop function builder.claim_emails(integer, integer, text);
-- Takes at most so many e-mails that are due, of `a_day` in all: first those that were never tried, by turns of accounts. One
-- claim at a time, so that the bounds hold. One for which this fails, as email_of may, waits without the others. What was claimed
-- as often as it may be tried and never settled has ended, since it may crash its sender. `mails` 0: none is sent.
create function builder.claim_emails(mails integer, a_day integer, staff text)
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
  left_today bigint;
begin
  perform pg_advisory_xact_lock('builder.deliveries'::regclass::oid::bigint);
  update builder.delivery_pace p set staff_address = staff where p.staff_address is distinct from staff;
  perform builder.end_old_emails();
  left_today := a_day - (
    select count(*) from builder.deliveries d where d.webhook_id is null and d.attempted_at > now() - interval '1 day'
  );
  for one in
    select d.* from builder.deliveries d, builder.delivery_pace p
    where d.webhook_id is null and d.due_at <= now() and p.mail_paused_until <= now() and mails > 0
    order by d.attempts, d.turn, d.due_at, d.id limit 500 for update of d skip locked
  loop
    exit when mails <= 0;
    begin
      select * into mail from builder.email_for(one, staff);
      one.account_id := mail.account_id;
      select * into why from builder.why_not_mailed(one, mail.address, left_today);
    exception when query_canceled or others then
      perform builder.hold_email(one, 'its address can’t be found: ' || sqlstate, now() + interval '10 minutes');
      exit when sqlstate = '57014';
      continue;
    end;
    if one.attempts > cardinality(builder.retry_schedule(one.kind)) then
      perform builder.end_delivery(one.id, 'dead', 'never settled');
    elsif why.ends is not null or mail.body is null then
      perform builder.end_delivery(one.id, 'skipped', coalesce(why.ends, 'no message'));
    elsif why.holds is not null then
      perform builder.hold_email(one, why.holds, why.until);
    else
      mails := mails - 1;
      left_today := left_today - 1;
      perform builder.take_email(one, mail.address);
      return query select one.id, one.claims + 1, one.attempts + 1, case when one.kind = 'email' then one.account_id end,
        coalesce('notification-' || one.notification_id, 'event-' || one.event_id), mail.address, mail.greeting, mail.body,
        mail.link;
    end if;
  end loop;
end
$$;

-- Ends calls of webhooks that are disabled, in portions.
create function builder.end_disabled_calls() returns void
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

-- The event that a call says. One without a quote says that the events of its account from this one on were not called.
create function builder.event_of_call(account uuid, quote uuid, event bigint, queued_at timestamp with time zone) returns json
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp set timezone = 'UTC'
as $$
begin
  if quote is null then
    return json_build_object('event', 'quote_events.skipped', 'created_at', queued_at, 'id', event, 'account_id', account);
  end if;
  return (
    select json_build_object(
      'event', e.event, 'created_at', e.created_at, 'id', e.id, 'quote_id', e.quote_id,
      'quote_number', coalesce(q.quote_number, ''), 'account_id', coalesce(q.account_id, e.account_id),
      'status', e.status, 'previous_status', e.previous_status, 'fulfillment_status', e.fulfillment_status,
      'updated_at', e.created_at
    )
    from builder.quote_events e left join builder.quotes q on q.id = e.quote_id where e.id = event_of_call.event
  );
end
$$;

-- The calls whose turn it is. Webhooks take turns, those first that have the fewest calls in flight, then those whose last call
-- is the longest ago, one that fails as if its last had been a minute later. A webhook has four calls at once, and one that
-- fails a single one. Of a webhook, calls that were never made go first, by turns of accounts.
create function builder.calls_in_turn(most integer)
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
        limit least(most, greatest(0, case when w.failing_since is null then 4 else 1 end - in_flight.calls))
        for update skip locked
      ) next
    ) due
  where w.disabled_at is null
  order by in_flight.calls + due.place,
    coalesce(last.at, 'epoch') + case when w.failing_since is null then interval '0' else interval '1 minute' end, due.id;
end
$$;

-- Takes at most so many calls that are due, for five minutes.
create or replace function builder.claim_calls(most integer)
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
  for one in select * from builder.calls_in_turn(most) loop
    exit when most <= 0;
    if one.attempts > cardinality(builder.retry_schedule('webhook')) or one.event is null then
      perform builder.end_delivery(one.id, 'dead', case when one.event is null then 'deleted' else 'never settled' end);
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

-- When an attempt with this outcome is repeated; null if it is not. Of what a relay was sent whole and did not reply to, one
-- more attempt is made, since it may have arrived.
create function builder.next_attempt(one builder.deliveries, outcome text, retry_after double precision)
  returns timestamp with time zone
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  schedule constant integer[] := builder.retry_schedule(one.kind);
  is_last constant boolean := one.attempts > cardinality(schedule);
begin
  return case
    -- Spread by a fifth to either side, since what was due at once would be due at once again.
    when outcome = 'failed' and not is_last then now() + interval '1 second' * greatest(
      round(schedule[one.attempts] * (0.8 + 0.4 * random())), coalesce(retry_after, 0)
    )
    when outcome = 'unanswered' and not is_last and not one.unanswered then now() + interval '10 minutes'
    -- The next claim looks whether there is another address by now, and then each hour.
    when outcome = 'refused' and one.webhook_id is null then now() + interval '1 minute'
    when outcome = 'unavailable' then (select p.mail_paused_until from builder.delivery_pace p)
  end;
end
$$;

-- What an attempt says of its webhook: whether it works, fails or wants no more calls.
create function builder.note_call(webhook uuid, outcome text, reason text) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if outcome = 'sent' then
    update builder.webhooks w set failing_since = null where w.id = webhook and w.failing_since is not null;
    return;
  end if;
  update builder.webhooks w set failing_since = coalesce(w.failing_since, now()) where w.id = webhook;
  update builder.webhooks w set disabled_at = now(), disabled_because = note_call.reason
  where w.id = webhook and w.disabled_at is null
    and (outcome = 'refused' or w.failing_since < now() - interval '5 days');
end
$$;

-- What an attempt says of the relay and of the address.
create function builder.note_mail(address text, outcome text, reason text) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if outcome = 'sent' then
    update builder.delivery_pace p set mail_pause = interval '0', mail_failing_since = null, mail_sent_at = now()
    where p.mail_failing_since is not null or p.mail_pause > interval '0' or p.mail_sent_at is null
      or p.mail_sent_at < now() - interval '1 minute';
  elsif outcome = 'refused' then
    insert into builder.refused_addresses values (note_mail.address, now(), note_mail.reason)
    on conflict on constraint refused_addresses_pkey do update set refused_at = now(), reason = excluded.reason;
  elsif outcome in ('failed', 'unavailable', 'unanswered') then
    update builder.delivery_pace p set mail_failing_since = now() where p.mail_failing_since is null;
  end if;
  if outcome = 'unavailable' then
    -- Once for all that fail at the same time.
    update builder.delivery_pace p set mail_pause = longer.pause, mail_paused_until = now() + longer.pause
    from (
      select least(greatest(c.mail_pause * 2, interval '10 seconds'), interval '5 minutes') as pause
      from builder.delivery_pace c
    ) longer
    where p.mail_paused_until <= now();
  end if;
end
$$;

-- Settles the attempt of a claim, and returns what became of it, and in how many seconds it is tried again. The outcomes:
-- sent; failed: tried again by the schedule, or after `retry_after` seconds; refused: nothing more to this webhook, or for a
-- week to this address, and the e-mail waits for another address; unanswered: the relay did not reply to the whole message,
-- which is sent once more and then counts as sent; dead: never again; unavailable: the relay takes nothing, so that the attempt
-- doesn't count and all mail waits. What was claimed again meanwhile is left alone.
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
    perform builder.note_mail(one.address, outcome, reason);
  end if;
  next_at := builder.next_attempt(one, outcome, retry_after);
  state := case when next_at is not null then 'waiting' when outcome in ('sent', 'unanswered') then 'sent' else 'dead' end;
  retry_in := extract(epoch from next_at - now());
  update builder.deliveries d set
    state = settle.state,
    due_at = next_at,
    attempts = case when outcome = 'unavailable' then d.attempts - 1 else d.attempts end,
    attempted_at = case when outcome = 'unavailable' then null else d.attempted_at end,
    holds = case when outcome = 'refused' and next_at is not null then 'refused address' end,
    unanswered = d.unanswered or outcome = 'unanswered',
    reason = left(settle.reason, 300),
    settled_at = case when next_at is null then now() end
  where d.id = one.id;
  if one.webhook_id is not null then
    perform builder.note_call(one.webhook_id, outcome, reason);
  end if;
  return next;
end
$$;

-- Whether an account's first call of a webhook waits longer than a minute: the one whose turn it is, of an account that was not
-- called meanwhile.
create function builder.turn_is_late(webhook uuid) returns boolean
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

-- For the worker: in how many seconds an e-mail and a call is due, below zero when that was in the past; whether e-mails and
-- calls are late: when one that was never tried is due for a minute, any for ten, or the relay or a webhook has only failed for
-- ten; and, where no mail can be sent, how many e-mails wait, once an hour.
create or replace function builder.delivery_status(
  can_mail boolean, out next_mail double precision, out next_call double precision, out late_mail boolean,
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
    coalesce(bool_or(first.due_at <= long_ago or w.failing_since <= long_ago or builder.turn_is_late(w.id)), false)
  into next_call, late_call
  from builder.webhooks w
    cross join lateral (
      select min(d.due_at) as due_at from builder.deliveries d where d.webhook_id = w.id and d.due_at > '-infinity'
    ) first
  where w.disabled_at is null and first.due_at is not null;
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

-- Sends a delivery again, as if it had just been written. An address that was refused gets another try.
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
    holds = null, unanswered = false, turn = builder.next_turn(one.account_id, one.webhook_id)
  where d.id = one.id;
  return json_build_object('id', one.id, 'state', 'waiting');
end
$$;

-- Removes quotes for good, with all that hangs on them: history, offers, deliveries. A call without a quote is for others too.
create or replace function builder.remove_quotes(ids uuid[]) returns void
  language sql set search_path = pg_catalog, pg_temp
as $$
  delete from builder.deliveries d where d.quote_id = any (ids);
  delete from builder.quote_events e where e.quote_id = any (ids);
  delete from builder.told_events t where t.quote_id = any (ids);
  delete from builder.reminded_offers r where r.quote_id = any (ids);
  delete from builder.offers o where o.quote_id = any (ids);
  delete from builder.changed_quotes c where c.quote_id = any (ids);
  delete from builder.quotes q where q.id = any (ids);
$$;

drop function builder.fill_message(text, builder.quote_events);

revoke execute on function
  builder.next_turn(uuid, uuid),
  builder.queue_call(builder.quote_events, uuid),
  builder.is_queue_full(uuid, uuid),
  builder.queue_calls(builder.quote_events),
  builder.time_zone_of(uuid),
  builder.time_text(timestamp with time zone, uuid, text),
  builder.price_text(numeric, text, text),
  builder.fill_message(text, builder.quote_events, text),
  builder.is_told(builder.quote_events),
  builder.tell_account(builder.quote_events),
  builder.why_never_mailed(builder.deliveries),
  builder.bound_of_mail(builder.deliveries, text),
  builder.why_not_mailed(builder.deliveries, text, bigint),
  builder.email_for(builder.deliveries, text),
  builder.end_old_emails(),
  builder.hold_email(builder.deliveries, text, timestamp with time zone),
  builder.take_email(builder.deliveries, text),
  builder.claim_emails(integer, integer, text),
  builder.end_disabled_calls(),
  builder.event_of_call(uuid, uuid, bigint, timestamp with time zone),
  builder.calls_in_turn(integer),
  builder.next_attempt(builder.deliveries, text, double precision),
  builder.note_call(uuid, text, text),
  builder.note_mail(text, text, text),
  builder.turn_is_late(uuid)
  from public;
grant execute on function builder.claim_emails(integer, integer, text) to builder_deliverer;
