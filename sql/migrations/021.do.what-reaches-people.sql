-- What reaches people: addresses that can be mailed, messages with prices and links, messages to the staff, reminders before
-- an offer ends, deliveries that staff can read and repeat, and a pace that outlives the worker's memory.

-- One e-mail address. The domain may be of any script; schema/email-address.ts also checks that it has an ASCII form.
create function builder.is_email_address(address text) returns boolean
  language plpgsql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
begin
  return char_length(address) <= 254 and address ~ ('^[A-Za-z0-9!#$%&''*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&''*+/=?^_`{|}~-]+)*'
    '@[A-Za-z0-9\u0080-\uffff]+(-+[A-Za-z0-9\u0080-\uffff]+)*(\.[A-Za-z0-9\u0080-\uffff]+(-+[A-Za-z0-9\u0080-\uffff]+)*)+$')
    and strpos(address, '@') <= 65 and address !~ '\.[0-9]+$';
end
$$;

-- These are triggers and no constraints, so that rows from before stay, and other columns of theirs can be changed.
create function builder.refuse_contact_email() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp
as $$ begin perform builder.refuse_value('quotes', 'contact_email_is_one_address'); return null; end $$;
create trigger contact_email_of_new before insert on builder.quotes for each row
  when (new.source <> 'duplicate' and not builder.is_email_address(new.contact_email))
  execute function builder.refuse_contact_email();
create trigger contact_email_of_changed before update of contact_email on builder.quotes for each row
  when (new.contact_email is distinct from old.contact_email and not builder.is_email_address(new.contact_email))
  execute function builder.refuse_contact_email();
-- The copy of a quote from before is made without the contact that could not be mailed.
create function builder.drop_contact_email() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp
as $$ begin new.contact_email := null; return new; end $$;
create trigger contact_email_of_copy before insert on builder.quotes for each row
  when (new.source = 'duplicate' and not builder.is_email_address(new.contact_email))
  execute function builder.drop_contact_email();

create function builder.refuse_blank_body() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp
as $$ begin perform builder.refuse_value('notifications', 'body_is_not_blank'); return null; end $$;
create trigger body_of_new before insert on builder.notifications for each row
  when (new.body !~ '[^[:space:]]') execute function builder.refuse_blank_body();
create trigger body_of_changed before update of body on builder.notifications for each row
  when (new.body is distinct from old.body and new.body !~ '[^[:space:]]') execute function builder.refuse_blank_body();

-- The messages of events. `audience` is the account or the staff, whose messages are by e-mail and in English.
alter table builder.event_messages
  add column audience text not null default 'account',
  add constraint audience_is_the_account_or_the_staff check (audience in ('account', 'staff')),
  add constraint staff_get_email check (audience = 'account' or channel = 'email'),
  drop constraint event_messages_pkey,
  add constraint event_messages_pkey primary key (event, language, audience),
  alter column link set default '/quotes/{quote_id}';
update builder.event_messages set link = default where link is null;
update builder.event_messages
set body = E'Your quote {quote_number} has its price: {total_price} {currency}.\nIt can be approved until {expires_at}.'
where event = 'quote.quoted' and body = 'Your quote {quote_number} has its price.';
update builder.event_messages
set body = E'The price of your quote {quote_number} has changed: {total_price} {currency}.\nIt can be approved until {expires_at}.'
where event = 'quote.repriced' and body = 'The price of your quote {quote_number} has changed.';
insert into builder.event_messages (event, audience, channel, body) values
  ('quote.expiring', 'account', 'email',
    E'Your quote {quote_number} expires soon: {total_price} {currency}.\nIt can be approved until {expires_at}.'),
  ('quote.submitted', 'staff', 'email', 'Quote {quote_number} has been submitted.'),
  ('quote.approved', 'staff', 'email', E'Quote {quote_number} has been approved: {total_price} {currency}.'),
  ('quote.rejected', 'staff', 'email', E'Quote {quote_number} has been rejected: {total_price} {currency}.')
on conflict do nothing;

-- The owner's settings, each a time span. How long before the end of an offer its account is reminded; zero: never.
create table builder.settings (
  name text not null,
  value interval not null,

  constraint settings_pkey primary key (name),
  constraint a_setting_is_not_negative check (value >= interval '0')
);
alter table builder.settings enable row level security;
insert into builder.settings values ('remind_before', interval '3 days');

-- The pace of the worker, which forgets what it has in memory: one row, by the database's clock.
create table builder.delivery_pace (
  id boolean not null default true,
  -- When the relay fails, all mail waits: for 10 s, and twice as long each time up to 5 minutes.
  mail_pause interval not null default interval '0',
  mail_paused_until timestamp with time zone not null default 'epoch',
  -- Since when every mail has failed.
  mail_failing_since timestamp with time zone,
  mail_sent_at timestamp with time zone,
  -- When the log was last told that mails wait and none can be sent.
  warned_at timestamp with time zone not null default 'epoch',
  -- STAFF_EMAIL of the worker. Without it no message to the staff is written.
  staff_address text,

  constraint delivery_pace_pkey primary key (id),
  constraint there_is_one_row_of_the_pace check (id)
);
alter table builder.delivery_pace enable row level security;
insert into builder.delivery_pace default values;

-- Deliveries are read by staff: schema/deliveries.ts has the columns.
alter table builder.deliveries
  drop constraint it_is_an_email_or_a_call,
  drop constraint outcome_says_how_it_ended,
  drop constraint it_is_due_until_it_has_ended;
alter table builder.deliveries rename column at to created_at;
alter table builder.deliveries rename column outcome to state;
alter table builder.deliveries rename column mailed_at to attempted_at;
alter table builder.deliveries
  add column quote_id uuid,
  -- From when on its age counts: from its creation, or from when it was last asked for again.
  add column queued_at timestamp with time zone not null default now(),
  add column kind text,
  -- The address as staff see it.
  add column recipient text;
update builder.deliveries d set
  state = coalesce(d.state, case when d.leased then 'sending' else 'waiting' end),
  queued_at = d.created_at,
  kind = case when d.webhook_id is null then 'email' else 'webhook' end,
  quote_id = (select e.quote_id from builder.quote_events e where e.id = d.event_id),
  recipient = left(d.address, 1) || '…@' || split_part(d.address, '@', 2);
alter table builder.deliveries
  drop column leased,
  alter column state set default 'waiting',
  alter column state set not null,
  alter column kind set not null,
  add constraint state_says_how_far_it_is check (state in ('waiting', 'sending', 'sent', 'skipped', 'dead')),
  add constraint it_is_due_until_it_has_ended check ((due_at is null) = (state in ('sent', 'skipped', 'dead'))),
  add constraint kind_says_what_it_sends check (case kind
    when 'email' then webhook_id is null
    when 'staff_email' then notification_id is null and webhook_id is null and event_id is not null
    when 'webhook' then notification_id is null and webhook_id is not null and event_id is not null
    else false
  end);
drop index builder.emails_by_age, builder.deliveries_to_an_account, builder.deliveries_to_an_address,
  builder.deliveries_by_time, builder.deliveries_of_a_webhook;
create index emails_by_age on builder.deliveries (queued_at) where webhook_id is null and due_at is not null;
create index emails_that_wait on builder.deliveries (account_id) where webhook_id is null and due_at is not null;
create index emails_to_an_account on builder.deliveries (account_id, attempted_at)
  where webhook_id is null and attempted_at is not null;
create index emails_to_an_address on builder.deliveries (account_id, address, attempted_at)
  where webhook_id is null and attempted_at is not null;
create index emails_by_time on builder.deliveries (attempted_at) where webhook_id is null and attempted_at is not null;
create index calls_of_a_webhook on builder.deliveries (webhook_id, attempted_at);
create index calls_in_flight on builder.deliveries (webhook_id) where webhook_id is not null and state = 'sending';
create index deliveries_of_a_quote on builder.deliveries (quote_id, id);

create policy staff_read_all_deliveries on builder.deliveries for select to builder_staff using (true);
grant
  select (
    id, created_at, due_at, attempts, state, reason, settled_at, account_id, notification_id, webhook_id, event_id,
    attempted_at, quote_id, kind, recipient, xmin, xmax
  )
  on builder.deliveries to builder_staff;

-- Events whose message was written, by e-mail or in the application. One of them may say more than an e-mail that waits.
create table builder.told_events (
  quote_id uuid not null,
  event_id bigint not null,
  event text not null,
  told_at timestamp with time zone not null default now(),

  constraint told_events_pkey primary key (quote_id, event_id)
);
create index told_events_by_time on builder.told_events (told_at);
alter table builder.told_events enable row level security;

-- Whether a later message of a quote says all that matters of an earlier one.
create function builder.says_more(later text, earlier text) returns boolean
  language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
  select case
    when later = 'quote.restored' then earlier = 'quote.deleted'
    when later = 'quote.amended' then earlier = later
    -- A step of the fulfillment leaves it worth knowing that the quote was ordered, and what was changed.
    when later in ('quote.reviewing', 'quote.preparing', 'quote.shipping', 'quote.delivered')
      then earlier not in ('quote.ordered', 'quote.amended')
    else true
  end
$$;

drop function builder.is_overtaken(bigint);
create function builder.is_overtaken(quote uuid, event bigint) returns boolean
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select exists (
    select from builder.told_events later
      join builder.quote_events earlier on earlier.id = $2
    where later.quote_id = $1 and later.event_id > $2 and builder.says_more(later.event, earlier.event)
  )
$$;

-- Fills in a text of event_messages. A line with a value that the quote has not is left out. Null, if no line is left.
create function builder.fill_message(template text, event builder.quote_events) returns text
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select nullif(btrim(string_agg(
    replace(replace(replace(replace(replace(line,
      '{quote_number}', q.quote_number), '{quote_id}', q.id::text), '{currency}', event.currency),
      '{total_price}', coalesce(price.text, '')), '{expires_at}', coalesce(ends.text, '')),
    E'\n' order by place
  ), E' \n'), '')
  from builder.quotes q
    cross join lateral (
      select case when event.total_price = trunc(event.total_price) then trunc(event.total_price)
        else round(event.total_price, greatest(2, scale(event.total_price))) end::text as text
    ) price
    cross join lateral (select to_char(q.expires_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"') as text) ends
    cross join unnest(string_to_array(template, E'\n')) with ordinality as lines (line, place)
  where q.id = event.quote_id
    and (price.text is not null or line not like '%{total\_price}%')
    and (ends.text is not null or line not like '%{expires\_at}%')
$$;

create or replace function builder.deliver_notification() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  insert into builder.deliveries (kind, account_id, notification_id) values ('email', new.account_id, new.id)
  on conflict do nothing;
  return null;
end
$$;

-- Calls the webhooks of an event, and tells the account and the staff of it as event_messages says. Nobody is told of an
-- import. What a customer or the sweep does is told a hundred times a day: neither a loop of moves back and forth nor
-- thousands of old drafts may fill anybody's list.
create or replace function builder.deliver_quote_event() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  notification bigint;
  message builder.event_messages;
  text text;
begin
  if new.previous_status is null
    and exists (select from builder.quotes q where q.id = new.quote_id and q.source = 'csv_import')
  then
    return null;
  end if;
  insert into builder.deliveries (kind, account_id, quote_id, webhook_id, event_id)
  select 'webhook', new.account_id, new.quote_id, w.id, new.id from builder.webhooks w
  where w.disabled_at is null and (w.events is null or new.event = any (w.events));
  if new.event = 'quote.repriced' and new.status <> 'quoted' then
    return null;
  end if;
  if not exists (select from builder.event_messages m where m.event = new.event and m.enabled) or (
    new.created_as in ('customer', 'sweep') and (
      select count(*) from (
        select from (
          select e.created_as from builder.quote_events e
          where e.account_id = new.account_id and e.created_at > now() - interval '1 day'
          order by e.created_at desc, e.id limit 1000
        ) recent
        where created_as in ('customer', 'sweep') limit 101
      ) told
    ) > 100
  ) then
    return null;
  end if;
  insert into builder.deliveries (kind, account_id, quote_id, event_id)
  select 'staff_email', new.account_id, new.quote_id, new.id from builder.event_messages m
  where m.event = new.event and m.enabled and m.audience = 'staff' and m.language = 'en'
    and exists (select from builder.delivery_pace p where p.staff_address is not null);
  if new.account_id = builder.everyone() then
    return null;
  end if;
  select * into message from builder.event_messages m
  where m.event = new.event and m.enabled and m.audience = 'account'
    and (m.language = 'en' or m.language = (select builder.language_of(new.account_id)))
  order by m.language = 'en' limit 1;
  text := builder.fill_message(message.body, new);
  if text is null then
    return null;
  end if;
  insert into builder.notifications (account_id, type, body, link, channel, dismissed)
  select new.account_id, message.type, case when octet_length(text) > 10000 then left(text, 2500) else text end,
    case when octet_length(filled.link) <= 2048 then filled.link end, message.channel, false
  from (select builder.fill_message(message.link, new) as link) filled
  returning id into notification;
  insert into builder.told_events (quote_id, event_id, event) values (new.quote_id, new.id, new.event);
  update builder.deliveries set event_id = new.id, quote_id = new.quote_id where notification_id = notification;
  return null;
end
$$;

-- The account's own address. A deployment may have replaced the function, and keeps its own.
do $do$
begin
  if (select md5(prosrc) from pg_proc where oid = 'builder.email_of(uuid)'::regprocedure) = 'b712a928b8de43315d03dd843f1e6055' then
    create or replace function builder.email_of(account uuid, out address text, out language text)
      language plpgsql stable security definer set search_path = pg_catalog, pg_temp
    as $$
    begin
      language := 'en';
      if to_regclass('auth.users') is not null then
        execute 'select email from auth.users where id = $1 and email_confirmed_at is not null' into address using account;
      end if;
    end
    $$;
  end if;
end
$do$;

-- The contact of the quote that a mail is about, or of the quote of the account that was priced last: customers choose that
-- address, and who has no price could have anybody mailed. Staff alone make quotes that are approved or ordered at once.
create function builder.contact_of(account uuid, quote uuid) returns text
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if quote is not null then
    return (
      select q.contact_email from builder.quotes q
      where q.id = quote and ((q.quoted_at is not null and q.status <> 'draft') or q.status in ('approved', 'ordered'))
    );
  end if;
  return (
    select q.contact_email from builder.quotes q
    where q.account_id = account and q.deleted_at is null and q.contact_email is not null
      and ((q.quoted_at is not null and q.status <> 'draft') or q.status in ('approved', 'ordered'))
    order by coalesce(q.quoted_at, q.created_at) desc limit 1
  );
end
$$;

-- What waits is due when the contact was corrected, or the quote restored. What is being claimed at the moment is left alone, so that the
-- write waits for nothing.
create function builder.send_what_waits() returns trigger
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
create trigger contact_corrected after update of contact_email on builder.quotes for each row
  when (new.contact_email is distinct from old.contact_email) execute function builder.send_what_waits();
create trigger quote_restored after update of deleted_at on builder.quotes for each row
  when (new.deleted_at is null and old.deleted_at is not null) execute function builder.send_what_waits();

drop function builder.why_not_mailed(builder.deliveries, text);
-- Why an e-mail is never sent (`ends`), or waits (`holds`) and until when. `address` is where it would go. What staff have
-- asked for again is sent although it was dismissed or overtaken.
create function builder.why_not_mailed(
  delivery builder.deliveries, address text, out ends text, out holds text, out until timestamp with time zone
)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
declare
  notification builder.notifications;
  day constant timestamp with time zone := now() - interval '1 day';
  is_asked_for constant boolean := delivery.queued_at > delivery.created_at;
begin
  if delivery.kind = 'email' then
    select * into notification from builder.notifications where id = delivery.notification_id;
    ends := case
      when notification.id is null then 'deleted'
      when notification.dismissed and not is_asked_for then 'dismissed'
      when notification.expires_at <= now() then 'expired'
      when exists (select from builder.muted_accounts m where m.account_id = delivery.account_id) then 'muted'
    end;
  end if;
  if delivery.kind = 'email' and not is_asked_for and builder.is_overtaken(delivery.quote_id, delivery.event_id) then
    ends := coalesce(ends, 'overtaken');
  end if;
  if ends is not null then
    return;
  end if;
  until := now() + interval '1 hour';
  if exists (select from builder.quotes q where q.id = delivery.quote_id and q.deleted_at is not null)
    and not exists (select from builder.quote_events e where e.id = delivery.event_id and e.event = 'quote.deleted')
  then
    holds := 'quote deleted';
  elsif address is null then
    holds := 'no address';
  elsif exists (
    select from builder.refused_addresses r where r.address = lower($2) and r.refused_at > now() - interval '7 days'
  ) then
    holds := 'refused address';
  else
    select 'too many to the address', d.attempted_at + interval '1 day' into holds, until
    from builder.deliveries d
    where d.account_id = delivery.account_id and d.address = lower($2) and d.attempted_at > day and d.webhook_id is null
      and d.id <> delivery.id
    order by d.attempted_at desc offset 9 limit 1;
  end if;
  if holds is null and delivery.kind = 'email' then
    select 'too many to the account', d.attempted_at + interval '1 day' into holds, until
    from builder.deliveries d
    where d.account_id = delivery.account_id and d.kind = 'email' and d.attempted_at > day and d.webhook_id is null
      and d.id <> delivery.id
    order by d.attempted_at desc offset 19 limit 1;
    if holds is null then
      select 'too many addresses', max(d.attempted_at) + interval '1 day' into holds, until
      from builder.deliveries d
      where d.account_id = delivery.account_id and d.kind = 'email' and d.attempted_at > day and d.webhook_id is null
        and d.address <> lower($2)
      group by d.address order by max(d.attempted_at) desc offset 2 limit 1;
    end if;
  end if;
  if holds is not null then
    until := greatest(now() + interval '1 minute', least(until, delivery.queued_at + interval '3 days'));
  end if;
end
$$;

-- Seconds to wait after each failed attempt; after one more it has ended. Standard Webhooks' ten attempts are over three days.
-- Greylisting ends within minutes, a full mailbox or a broken server within days.
create function builder.retry_schedule(kind text) returns integer[]
  language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
  select case kind when 'webhook' then '{5,300,1800,7200,18000,36000,50400,72000,86400}'::integer[]
    else '{60,300,900,1800,3600,10800,21600,43200,86400}'::integer[] end
$$;

drop function builder.end_delivery(bigint, text, text);
create function builder.end_delivery(delivery bigint, state text, reason text) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
as $$
  update builder.deliveries set due_at = null, state = $2, reason = left($3, 300), settled_at = now() where id = $1
$$;

drop function builder.end_useless_deliveries();

-- Takes at most so many e-mails that are due, of `a_day` in all, for the 15 minutes that an attempt may take: a relay has ten
-- after the final dot (RFC 5321, 4.5.3.2.6). One claim at a time, so that the bounds hold. An e-mail for which this fails, as
-- email_of may, waits without the others. What was claimed as often as it may be tried and never settled has ended, since
-- it may crash its sender. `mails` 0: what is too old ends, and none is sent.
create function builder.claim_emails(mails integer, a_day integer, staff text)
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
      perform builder.end_delivery(one.id, 'dead', 'never settled');
      continue;
    end if;
    begin
      -- The account that the quote belongs to now, or the notification, whose account may have been corrected.
      select coalesce(
        (select q.account_id from builder.quotes q where q.id = one.quote_id),
        (select n.account_id from builder.notifications n where n.id = one.notification_id),
        one.account_id
      ) into one.account_id;
      address := case when one.kind = 'staff_email' then staff
        else coalesce((builder.email_of(one.account_id)).address, builder.contact_of(one.account_id, one.quote_id)) end;
      select * into why from builder.why_not_mailed(one, address);
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
      set due_at = now() + interval '10 minutes', state = 'waiting', reason = 'its address can’t be found: ' || sqlstate
      where d.id = one.id;
      exit when sqlstate = '57014';
      continue;
    end;
    if why.ends is not null or body is null then
      perform builder.end_delivery(one.id, 'skipped', coalesce(why.ends, 'no message'));
      continue;
    end if;
    if why.holds is null and one.attempted_at is null and left_today <= 0 then
      why.holds := 'too many in all';
      why.until := now() + interval '1 hour';
    end if;
    if why.holds is not null then
      -- An attempt's own reason stays, as that the address was refused.
      update builder.deliveries d
      set due_at = why.until, state = 'waiting', reason = case when one.attempts > 0 then coalesce(d.reason, why.holds) else why.holds end
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

-- Takes at most so many calls that are due, for five minutes. Webhooks take turns, those first that have the fewest calls in
-- flight, then those whose last call is the longest ago, one that fails as if its last had been a minute later: so nobody's
-- backlog keeps another's call waiting. A webhook has four calls at once, and one that fails a single one.
create function builder.claim_calls(most integer)
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
      perform builder.end_delivery(one.id, 'dead', 'never settled');
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

-- Settles the attempt of a claim, and returns what became of it, and in how many seconds it is tried again. The outcomes:
-- sent; failed: tried again by the schedule, or after `retry_after` seconds; refused: nothing more to this webhook, or for a
-- week to this address, and the e-mail waits for another address; dead: never again; unavailable: the relay takes nothing, so
-- that the attempt doesn't count and all mail waits. What was claimed again meanwhile is left alone.
create function builder.settle(delivery bigint, claim integer, outcome text, reason text, retry_after double precision)
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
    -- Spread by a fifth to either side, since what was due at once would be due at once again.
    next_at := now() + interval '1 second' * greatest(
      round((builder.retry_schedule(one.kind))[one.attempts] * (0.8 + 0.4 * random())), coalesce(retry_after, 0)
    );
  elsif outcome = 'refused' and is_mail then
    -- The next claim looks whether there is another address by now, and then each hour.
    next_at := now() + interval '1 minute';
    insert into builder.refused_addresses values (one.address, now(), reason)
    on conflict on constraint refused_addresses_pkey do update set refused_at = now(), reason = excluded.reason;
  elsif outcome = 'unavailable' then
    -- Once for all that fail at the same time.
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

-- For the worker: in how many seconds an e-mail and a call is due, below zero when that was in the past; whether e-mails and
-- calls are late: when one that is due was not tried for ten minutes, or the relay or a webhook has only failed for as long;
-- and, where no mail can be sent, how many e-mails wait, once an hour.
create function builder.delivery_status(
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

-- The worker of before runs until it is replaced. It claims nothing any more, and settles what it had in flight.
create or replace function builder.claim_deliveries(mails integer, a_day integer, calls integer)
  returns table (
    id bigint, claim integer, attempt integer, claimed_at double precision, account_id uuid, notification_id bigint,
    address text, body text, link text, webhook_id uuid, url text, secrets text[], event json
  )
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$ begin return; end $$;
create or replace function builder.settle_deliveries(outcomes json) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
as $$
  select builder.settle(
    s.id, s.claim, case when s."is" = 'dead' and s.refuses then 'refused' else s."is" end, s.reason, s.seconds
  )
  from json_to_recordset(outcomes) as s (id bigint, claim integer, "is" text, reason text, seconds double precision, refuses boolean)
$$;
create or replace function builder.delivery_state(
  counted boolean, out next_mail double precision, out next_call double precision, out mails bigint
)
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$ select null::double precision, null::double precision, null::bigint $$;

-- Sends a delivery again, as if it had just been written. An address that was refused gets another try.
create function builder.redeliver(id bigint) returns json
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

-- The offers whose account was reminded, each for the end that it had then.
create table builder.reminded_offers (
  quote_id uuid not null,
  expires_at timestamp with time zone not null,

  constraint reminded_offers_pkey primary key (quote_id)
);
create index reminded_offers_by_end on builder.reminded_offers (expires_at);
alter table builder.reminded_offers enable row level security;

-- A job of the sweep: writes `quote.expiring` into the history of offers that end soon, once for each end.
create function builder.announce_expiring_quotes(batch integer) returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  announced integer;
begin
  with due as (
    select q.id, q.expires_at from builder.quotes q
    where q.status = 'quoted' and q.deleted_at is null and q.expires_at > now()
      and q.expires_at <= now() + (select s.value from builder.settings s where s.name = 'remind_before')
      and not exists (select from builder.reminded_offers r where r.quote_id = q.id and r.expires_at = q.expires_at)
    order by q.expires_at limit batch
    for update of q skip locked
  ), reminded as (
    insert into builder.reminded_offers select due.id, due.expires_at from due
    on conflict (quote_id) do update set expires_at = excluded.expires_at
    where reminded_offers.expires_at <> excluded.expires_at
    returning quote_id
  )
  insert into builder.quote_events (
    quote_id, account_id, event, status, previous_status, fulfillment_status, unit_price, total_price, currency, created_as
  )
  select q.id, q.account_id, 'quote.expiring', q.status, q.status, q.fulfillment_status, q.unit_price, q.total_price,
    q.currency, 'sweep'
  from reminded join builder.quotes q on q.id = reminded.quote_id;
  get diagnostics announced = row_count;
  return announced;
end
$$;

-- Deletes what was sent or skipped 30 days ago, what ended in failure 90 days ago, and what the others remember for too long.
create or replace function builder.prune_deliveries(batch integer) returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  pruned integer;
begin
  with ended as (
    select d.id from builder.deliveries d
    where d.due_at is null and d.settled_at <= now() - case when d.state = 'dead' then interval '90 days' else interval '30 days' end
    order by d.settled_at
    limit batch
    for update skip locked
  )
  delete from builder.deliveries d using ended where d.id = ended.id;
  get diagnostics pruned = row_count;
  delete from builder.refused_addresses where refused_at <= now() - interval '7 days';
  delete from builder.reminded_offers where expires_at <= now();
  -- An e-mail waits for three days at most, and for as long again when staff ask for it.
  delete from builder.told_events where told_at <= now() - interval '7 days';
  return pruned;
end
$$;

revoke execute on function
  builder.is_email_address(text),
  builder.refuse_contact_email(),
  builder.drop_contact_email(),
  builder.refuse_blank_body(),
  builder.says_more(text, text),
  builder.is_overtaken(uuid, bigint),
  builder.fill_message(text, builder.quote_events),
  builder.contact_of(uuid, uuid),
  builder.send_what_waits(),
  builder.why_not_mailed(builder.deliveries, text),
  builder.retry_schedule(text),
  builder.end_delivery(bigint, text, text),
  builder.claim_emails(integer, integer, text),
  builder.claim_calls(integer),
  builder.settle(bigint, integer, text, text, double precision),
  builder.delivery_status(boolean),
  builder.redeliver(bigint),
  builder.announce_expiring_quotes(integer)
  from public;
grant execute on function builder.is_email_address(text) to builder_customer, builder_staff;
grant execute on function builder.redeliver(bigint) to builder_staff;
grant execute on function
  builder.claim_emails(integer, integer, text),
  builder.claim_calls(integer),
  builder.settle(bigint, integer, text, text, double precision),
  builder.delivery_status(boolean)
  to builder_deliverer;
grant execute on function builder.announce_expiring_quotes(integer) to builder_sweeper;
