-- Messages: which events notify the account or the staff, with which text and to which address, and what each user
-- has dismissed.

-- Updates `dismissed` of a notification, or the user's own dismissal of a message to everyone. Does nothing when the
-- request names another version.
create or replace function builder.dismiss_notification() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  caller constant uuid := builder.caller_id();
begin
  if old.account_id <> builder.everyone() then
    update builder.notifications n set dismissed = new.dismissed
    where n.id = old.id and (
      current_setting('request.version', true) is distinct from 'compared' or n.xmin::text::bigint = old.xmin
    );
    if not found then
      return null;
    end if;
  elsif caller is null then
    return null;
  elsif new.dismissed and not old.dismissed then
    insert into builder.dismissals values (old.id, caller) on conflict do nothing;
  elsif not new.dismissed then
    delete from builder.dismissals d where d.notification_id = old.id and d.user_id = caller;
  end if;
  select * into new from builder.notifications_of_customer n where n.id = old.id;
  return case when found then new end;
end
$$;

create or replace trigger dismiss instead of update on builder.notifications_of_customer
  for each row execute function builder.dismiss_notification();

-- Deletes the dismissals of deleted messages.
create or replace function builder.delete_dismissals() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  delete from builder.dismissals d using old_rows n where d.notification_id = n.id;
  return null;
end
$$;

create or replace trigger delete_dismissals after delete on builder.notifications referencing old table as old_rows
  for each statement execute function builder.delete_dismissals();

create or replace function builder.language_of(account uuid) returns text
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
  return (builder.email_of(account)).language;
exception when others then
  return 'en';
end
$$;

-- Returns the contact address of a quote, or of the account's latest priced quote. Customers choose these addresses,
-- so they get e-mail only after staff have priced the quote, or created it as approved or ordered.
create or replace function builder.contact_of(account uuid, quote uuid) returns text
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

-- Returns whether the session sends no messages: `set builder.quiet = 'on'` in psql.
create or replace function builder.is_quiet() returns boolean
  language plpgsql stable parallel safe set search_path = pg_catalog, pg_temp
as $$ begin return coalesce(current_setting('builder.quiet', true) = 'on', false); end $$;

-- Queues the e-mail of a notification, once.
create or replace function builder.queue_email() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  insert into builder.deliveries (kind, account_id, notification_id) values ('email', new.account_id, new.id)
  on conflict do nothing;
  return null;
end
$$;

create or replace trigger deliver_new after insert on builder.notifications for each row
  when (new.channel = 'email' and not builder.is_quiet()) execute function builder.queue_email();

create or replace trigger deliver_changed after update of channel on builder.notifications for each row
  when (new.channel = 'email' and old.channel <> 'email' and not builder.is_quiet())
  execute function builder.queue_email();

-- Fills in a text of event_messages. A line whose value is missing is dropped. Returns null if no line is left.
create or replace function builder.fill_message(template text, event builder.quote_events) returns text
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

-- Queues the webhook calls of an event, and its messages to the account and the staff. An import sends none. Events
-- by customers and the sweep send at most 100 messages a day to an account, so that repeated moves or thousands of
-- old drafts don't flood it.
create or replace function builder.queue_messages() returns trigger
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
    return new;
  end if;
  insert into builder.deliveries (kind, account_id, quote_id, webhook_id, event_id)
  select 'webhook', new.account_id, new.quote_id, w.id, new.id from builder.webhooks w
  where w.disabled_at is null and (w.events is null or new.event = any (w.events));
  if new.event = 'quote.repriced' and new.status <> 'quoted' then
    return new;
  end if;
  if not exists (select from builder.event_messages m where m.event = new.event and m.enabled) or (
    new.created_as in ('customer', 'sweep') and (
      select count(*) from (
        select from (
          select e.created_as from builder.quote_events e
          where e.account_id = new.account_id and e.event <> 'quote.changed' and e.created_at > now() - interval '1 day'
          order by e.created_at desc, e.id limit 1000
        ) recent
        where created_as in ('customer', 'sweep') limit 100
      ) told
    ) >= 100
  ) then
    return new;
  end if;
  insert into builder.deliveries (kind, account_id, quote_id, event_id)
  select 'staff_email', new.account_id, new.quote_id, new.id from builder.event_messages m
  where m.event = new.event and m.enabled and m.audience = 'staff' and m.language = 'en'
    and exists (select from builder.delivery_pace p where p.staff_address is not null);
  if new.account_id = builder.everyone() then
    return new;
  end if;
  select * into message from builder.event_messages m
  where m.event = new.event and m.enabled and m.audience = 'account'
    and (m.language = 'en' or m.language = (select builder.language_of(new.account_id)))
  order by m.language = 'en' limit 1;
  text := builder.fill_message(message.body, new);
  if text is null then
    return new;
  end if;
  insert into builder.notifications (account_id, type, body, link, channel, dismissed)
  select new.account_id, message.type, case when octet_length(text) > 10000 then left(text, 2500) else text end,
    case when builder.is_link(filled.link) then filled.link end, message.channel, false
  from (select replace(builder.fill_message(message.link, new), ' ', '%20') as link) filled
  returning id into notification;
  new.told := true;
  update builder.deliveries set event_id = new.id, quote_id = new.quote_id where notification_id = notification;
  return new;
end
$$;

create or replace trigger deliver before insert on builder.quote_events for each row
  when (not builder.is_quiet()) execute function builder.queue_messages();

-- Returns whether a later message of a quote makes an earlier one obsolete.
create or replace function builder.supersedes(later text, earlier text) returns boolean
  language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
  select case
    when later = 'quote.restored' then earlier = 'quote.deleted'
    when later = 'quote.amended' then earlier = later
    -- A step of the fulfillment doesn't repeat that the quote was ordered or corrected.
    when later in ('quote.reviewing', 'quote.preparing', 'quote.shipping', 'quote.delivered')
      then earlier not in ('quote.ordered', 'quote.amended')
    else true
  end
$$;

-- Returns whether a later message makes the message of an event obsolete.
create or replace function builder.is_superseded(quote uuid, event bigint) returns boolean
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select exists (
    select from builder.quote_events later
      join builder.quote_events earlier on earlier.id = $2
    where later.quote_id = $1 and later.id > $2 and later.told and builder.supersedes(later.event, earlier.event)
  )
$$;

grant execute on function builder.is_quiet() to builder_staff;
