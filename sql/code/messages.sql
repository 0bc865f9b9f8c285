-- Messages: which events notify the account or the staff, with which text and to which address, and what each user
-- has dismissed.

-- Updates `dismissed` of a notification, or the user's own dismissal of a message to everyone. Does nothing when
-- the request names another version.
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

-- Returns the contact address of a quote, or of the account's latest priced quote, if it is one address: it may be half typed.
-- Customers choose these addresses, so they get e-mail only after staff have priced the quote, or created it as approved or
-- ordered.
create or replace function builder.contact_of(account uuid, quote uuid) returns text
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if quote is not null then
    return (
      select q.contact_email from builder.quotes q
      where q.id = quote and builder.is_email_address(q.contact_email) and (q.status in ('approved', 'ordered') or (
        q.status <> 'draft' and exists (select from builder.quote_offers o where o.quote_id = q.id)
      ))
    );
  end if;
  return (
    select q.contact_email from builder.quotes q left join lateral (
      select o.created_at from builder.quote_offers o where o.quote_id = q.id order by o.number desc limit 1
    ) offered on true
    where q.account_id = account and q.deleted_at is null and builder.is_email_address(q.contact_email)
      and ((offered.created_at is not null and q.status <> 'draft') or q.status in ('approved', 'ordered'))
    order by coalesce(offered.created_at, q.created_at) desc limit 1
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
  insert into builder.deliveries (kind, account_id, notification_id, turn)
  values ('email', new.account_id, new.id, builder.next_turn(new.account_id, null))
  on conflict do nothing;
  return null;
end
$$;

create or replace trigger deliver_new after insert on builder.notifications for each row
  when (new.channel = 'email' and not builder.is_quiet()) execute function builder.queue_email();

create or replace trigger deliver_changed after update of channel on builder.notifications for each row
  when (new.channel = 'email' and old.channel <> 'email' and not builder.is_quiet())
  execute function builder.queue_email();

-- Returns a time in the form of a language, with the account's time zone. Falls back to UTC for an unknown zone.
create or replace function builder.format_time(moment timestamp with time zone, account uuid, language text) returns text
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

-- Returns an amount in the form of a language, with at least as many decimals as its currency has (ISO 4217).
create or replace function builder.format_price(amount numeric, currency text, language text) returns text
  language plpgsql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
declare
  base_language constant text := split_part(lower(language), '-', 1);
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
  -- The separators of thousands (8239 is a narrow no-break space) and of decimals.
  separators constant text[] := case
    when base_language = any ('{de,es,it,pt,nl,da,id,tr,el,ro,sl,hr,sr,ca,vi}') then array['.', ',']
    when base_language = any ('{fr,sv,nb,no,nn,fi,pl,cs,sk,ru,uk,bg,hu,et,lv,lt}') then array[chr(8239), ',']
    else array[',', '.']
  end;
  formatted constant text :=
    regexp_replace(split_part(digits, '.', 1), E'(\\d)(?=(\\d{3})+$)', E'\\1' || separators[1], 'g')
    || case when digits like '%.%' then separators[2] || split_part(digits, '.', 2) else '' end;
begin
  if separators[2] = ',' then
    return formatted || chr(160) || symbol;
  end if;
  return symbol || case when symbol = currency then chr(160) else '' end || formatted;
end
$$;

-- Fills in a text of event_messages. A line whose value is missing is dropped; returns null if no line is left.
create or replace function builder.fill_message(template text, event builder.quote_events, language text) returns text
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select nullif(btrim(string_agg(
    replace(replace(replace(replace(replace(line,
      '{quote_number}', q.quote_number), '{quote_id}', q.id::text), '{currency}', event.currency),
      '{total_price}', coalesce(price.text, '')), '{expires_at}', coalesce(ends.text, '')),
    E'\n' order by place
  ), E' \n'), '')
  from builder.quotes q
    cross join lateral (select builder.format_price(event.total_price, event.currency, $3) as text) price
    cross join lateral (select builder.format_time(q.expires_at, q.account_id, $3) as text) ends
    cross join unnest(string_to_array(template, E'\n')) with ordinality as lines (line, place)
  where q.id = event.quote_id
    and (price.text is not null or line not like '%{total\_price}%')
    and (ends.text is not null or line not like '%{expires\_at}%')
$$;

-- Returns whether an event sends messages. Events by customers and the sweep send at most 100 a day to an account,
-- so that repeated moves or thousands of old drafts don't flood it.
create or replace function builder.is_announced(event builder.quote_events) returns boolean
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
            where e.account_id = event.account_id and e.event <> 'quote.changed' and e.created_at > now() - interval '1 day'
            order by e.created_at desc, e.id limit 1000
          ) recent
          where created_as in ('customer', 'sweep') limit 100
        ) announced
      ) < 100
    );
end
$$;

-- Writes the account's notification of an event, in its language or in English. Returns whether there is one.
create or replace function builder.notify_account(happened builder.quote_events) returns boolean
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
    return false;
  end if;
  insert into builder.notifications (account_id, type, body, link, channel, dismissed)
  select happened.account_id, message.type, case when octet_length(text) > 10000 then left(text, 2500) else text end,
    case when builder.is_link(filled.link) then filled.link end, message.channel, false
  from (
    select replace(builder.fill_message(message.link, happened, message.language), ' ', '%20') as link
  ) filled
  returning id into notification;
  update builder.deliveries set event_id = happened.id, quote_id = happened.quote_id where notification_id = notification;
  return true;
end
$$;

-- Queues the webhook calls of an event, and its messages to the account and the staff. An import by staff or the owner sends none.
create or replace function builder.queue_messages() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if new.previous_status is null and new.created_as <> 'customer'
    and exists (select from builder.quotes q where q.id = new.quote_id and q.source = 'csv_import')
  then
    return new;
  end if;
  perform builder.queue_calls(new);
  if not builder.is_announced(new) then
    return new;
  end if;
  insert into builder.deliveries (kind, account_id, quote_id, event_id, turn)
  select 'staff_email', new.account_id, new.quote_id, new.id, builder.next_turn(new.account_id, null)
  from builder.event_messages m
  where m.event = new.event and m.enabled and m.audience = 'staff' and m.language = 'en'
    and exists (select from builder.delivery_pace p where p.staff_address is not null);
  if new.account_id <> builder.everyone() then
    new.notified := builder.notify_account(new);
  end if;
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
    where later.quote_id = $1 and later.id > $2 and later.notified and builder.supersedes(later.event, earlier.event)
  )
$$;

grant execute on function builder.is_quiet() to builder_staff;
