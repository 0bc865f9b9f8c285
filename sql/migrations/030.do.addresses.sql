-- Addresses that an application shows as links and images are http or https, since a browser that opens a javascript: URL
-- runs a script. The functions decide as schema/web-address.ts does, in every locale: so the collation is "C".

-- After the scheme a host begins; blanks, control characters and backslashes are not in a URL.
create or replace function builder.is_url(value text) returns boolean
  language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$
begin
  return octet_length(value) <= 2048
    and value collate "C" ~ ('^[Hh][Tt][Tt][Pp][Ss]?://[^/?#\u0001-\u0020\u007f-\u00a0\u00ad\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\\]'
      '[^\u0001-\u0020\u007f-\u00a0\u00ad\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\\]*$');
end
$$;

-- A URL, or a path of the application: a second slash would begin another host.
create function builder.is_link(value text) returns boolean
  language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$
begin
  return builder.is_url(value) or octet_length(value) <= 2048
    and value collate "C" ~ ('^/([^/\u0001-\u0020\u007f-\u00a0\u00ad\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\\]'
      '[^\u0001-\u0020\u007f-\u00a0\u00ad\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\\]*)?$');
end
$$;

-- Any text that a browser, which drops the blanks, would not run. The specification does not say that these texts are
-- addresses, but an application may link them.
create function builder.is_no_script(value text) returns boolean
  language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$
begin
  return regexp_replace(value collate "C", '[\u0001-\u0020\u007f-\u00a0\u00ad\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]+', '', 'g') !~* '^javascript:';
end
$$;

revoke execute on function builder.is_link(text), builder.is_no_script(text) from public;
grant execute on function builder.is_link(text), builder.is_no_script(text) to builder_customer, builder_staff;

alter table builder.quotes
  add constraint avatar_preview_is_an_http_url check (builder.is_url(avatar_preview)) not valid,
  add constraint tool_2d_is_no_script check (builder.is_no_script(tool_2d)) not valid,
  add constraint techpack_file_is_no_script check (builder.is_no_script(techpack_file)) not valid;
alter table builder.notifications
  add constraint link_is_a_path_or_an_http_url check (builder.is_link(link)) not valid,
  drop constraint link_has_at_most_2048_bytes;
alter table builder.event_messages
  add constraint link_is_a_path_or_an_http_url check (builder.is_link(link)) not valid;

-- is_url bounds avatar_preview.
drop trigger sizes_of_texts on builder.quotes;
drop function builder.quote_texts_fit(text, text, text, text, text, text, text, text, text, text);
create function builder.quote_texts_fit(
  sport text, customer_notes text, internal_notes text, contact_name text, contact_email text, contact_phone text,
  company text, tool_2d text, techpack_file text
) returns boolean
  language plpgsql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
begin
  return octet_length(sport) <= 200
    and octet_length(customer_notes) <= 10000
    and octet_length(internal_notes) <= 10000
    and octet_length(contact_name) <= 500
    and octet_length(contact_email) <= 320
    and octet_length(contact_phone) <= 100
    and octet_length(company) <= 500
    and octet_length(tool_2d) <= 10000
    and octet_length(techpack_file) <= 2048;
end
$$;
revoke execute on function builder.quote_texts_fit(text, text, text, text, text, text, text, text, text) from public;
grant execute on function builder.quote_texts_fit(text, text, text, text, text, text, text, text, text)
  to builder_customer, builder_staff;
create trigger sizes_of_texts before insert or update of sport, customer_notes, internal_notes, contact_name, contact_email,
  contact_phone, company, tool_2d, techpack_file
  on builder.quotes for each row
  when (not builder.quote_texts_fit(
    new.sport, new.customer_notes, new.internal_notes, new.contact_name, new.contact_email, new.contact_phone, new.company,
    new.tool_2d, new.techpack_file
  ))
  execute function builder.refuse_texts();

-- A link that a template makes has %20 for the spaces of what was filled in. Nothing else changes.
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
    case when builder.is_link(filled.link) then filled.link end, message.channel, false
  from (select replace(builder.fill_message(message.link, new), ' ', '%20') as link) filled
  returning id into notification;
  insert into builder.told_events (quote_id, event_id, event) values (new.quote_id, new.id, new.event);
  update builder.deliveries set event_id = new.id, quote_id = new.quote_id where notification_id = notification;
  return null;
end
$$;
