-- Messages: which events notify the account or the staff, with which text and to which address.

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
-- ordered, or about what staff did with it (`by_staff`).
create or replace function builder.contact_of(account uuid, quote uuid, by_staff boolean) returns text
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if quote is not null then
    return (
      select q.contact_email from builder.quotes q
      where q.id = quote and builder.is_email_address(q.contact_email) and (by_staff or q.status in ('approved', 'ordered') or (
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

-- Queues the e-mail of a notification, once; none of one that is inserted as dismissed.
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
  when (new.channel = 'email' and not new.dismissed and not builder.is_quiet()) execute function builder.queue_email();

create or replace trigger deliver_changed after update of channel on builder.notifications for each row
  when (new.channel = 'email' and old.channel <> 'email' and not builder.is_quiet())
  execute function builder.queue_email();

-- Skips the waiting e-mail of a notification that its reader dismisses. One that staff dismiss is sent.
create or replace function builder.skip_dismissed() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform builder.end_delivery(waiting.id, 'skipped', 'dismissed') from (
    select d.id from builder.deliveries d
    where d.notification_id = new.id and d.state = 'waiting' and d.queued_at = d.created_at for update skip locked
  ) waiting
  where builder.caller_kind() = 'customer';
  return null;
end
$$;

create or replace trigger skip_dismissed after update of dismissed on builder.notifications for each row
  when (new.dismissed and not old.dismissed) execute function builder.skip_dismissed();

-- Returns whether an event sends messages to an audience. Events by customers and the sweep send at most 100 a day to an account,
-- so that repeated moves or thousands of old drafts don't flood it. A change is not announced twice: the message of its move or of
-- its price says that the design changed, too.
create or replace function builder.is_announced(event builder.quote_events, audience text) returns boolean
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
begin
  return (event.event <> 'quote.repriced' or event.status = 'quoted')
    and exists (
      select from builder.event_messages m
      where m.event = builder.message_of(is_announced.event) and m.audience = is_announced.audience and m.enabled
    )
    and not (event.event = 'quote.changed' and event.design_digest is not null and exists (
      select from builder.quote_events e
      where e.quote_id = event.quote_id and e.created_at >= now() and e.notified and builder.says_change(e)
    ))
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

-- Returns whether the message of an event says that the design of the quote changed with it: of a move, or of a price.
create or replace function builder.says_change(event builder.quote_events) returns boolean
  language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
  select event.design_digest is not null and coalesce(event.previous_status, 'draft') <> 'draft'
    and (event.event = 'quote.' || event.status and event.status <> event.previous_status or event.event = 'quote.repriced')
$$;

-- Returns the message that says what an event of staff takes back; null for a step forward. The events before it are the history.
create or replace function builder.undone_by(happened builder.quote_events) returns text
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select case
    when happened.created_as in ('customer', 'sweep') then null
    when happened.event = 'quote.' || happened.status and (
      happened.previous_status = 'cancelled'
      or array_position(life.moves, happened.status::text) < array_position(life.moves, happened.previous_status::text)
    ) then 'quote.' || happened.previous_status || '.undone'
    when array_position(life.steps, happened.event) < array_position(life.steps, (
      select e.event from builder.quote_events e
      where e.quote_id = happened.quote_id and e.event = any (life.steps || 'quote.ordered'::text) order by e.id desc limit 1
    )) then 'quote.fulfillment.undone'
  end
  from (values (
    '{draft,submitted,quoted,approved,ordered}'::text[], '{quote.reviewing,quote.preparing,quote.shipping,quote.delivered}'::text[]
  )) life (moves, steps)
$$;

-- Writes the account's notification of an event, in its best language. Returns whether there is one. The sweep sends no e-mail about
-- drafts.
create or replace function builder.notify_account(happened builder.quote_events, audience text) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  reader constant text := builder.language_of(happened.account_id);
  message constant builder.event_messages := builder.find_message(builder.message_of(happened), audience, reader);
  written constant text := builder.format_language(message.language, reader);
  text text := builder.message_text(message.body, happened, written);
  undone constant text := builder.message_text(
    (builder.find_message(builder.undone_by(happened), audience, reader)).body, happened, written
  );
  notification bigint;
begin
  if text is null then
    return false;
  elsif undone is not null then
    -- A quote that is no longer ordered is approved as before.
    text := concat_ws(E'\n', undone, case when happened.status <> 'approved' or happened.previous_status <> 'ordered' then text end);
  end if;
  if builder.says_change(happened) then
    text := concat_ws(
      E'\n', text, builder.message_text((builder.find_message('quote.changed', audience, reader)).body, happened, written)
    );
  end if;
  insert into builder.notifications (account_id, type, body, link, channel, dismissed)
  select happened.account_id, message.type, case when octet_length(text) > 10000 then left(text, 2500) else text end,
    case when builder.is_link(filled.link) then filled.link end,
    case when happened.created_as = 'sweep' and happened.previous_status = 'draft' then 'in_app' else message.channel end, false
  from (
    select replace(builder.fill_message(message.link, happened, written), ' ', '%20') as link
  ) filled
  returning id into notification;
  update builder.deliveries set event_id = happened.id, quote_id = happened.quote_id where notification_id = notification;
  return true;
end
$$;

-- Queues the webhook calls of an event, and its messages: to the staff of what a customer did, and to the account. Staff don't see drafts. An import by staff or the owner sends none.
create or replace function builder.queue_messages() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  by_customer constant boolean := new.created_as = 'customer';
  audience constant text := builder.account_audience(new);
begin
  if new.previous_status is null and not by_customer
    and exists (select from builder.quotes q where q.id = new.quote_id and q.source = 'csv_import')
  then
    return new;
  end if;
  perform builder.queue_calls(new);
  if by_customer and (new.previous_status is distinct from 'draft' or new.event = 'quote.submitted')
    and builder.is_announced(new, 'staff')
  then
    insert into builder.deliveries (kind, account_id, quote_id, event_id, turn)
    select 'staff_email', new.account_id, new.quote_id, new.id, builder.next_turn(new.account_id, null)
    from builder.delivery_pace p where p.staff_address is not null;
  end if;
  if new.account_id <> builder.everyone() and builder.is_announced(new, audience) then
    new.notified := builder.notify_account(new, audience);
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
    -- What waits while a quote is deleted is sent when it is restored.
    when later in ('quote.deleted', 'quote.restored') then earlier in ('quote.deleted', 'quote.restored')
    -- These don't repeat what else is known.
    when later in ('quote.changed', 'quote.amended', 'quote.delivery_changed') then earlier = later
    -- Nor does a step of the fulfillment that the quote was ordered or corrected.
    when later in ('quote.reviewing', 'quote.preparing', 'quote.shipping', 'quote.delivered')
      then earlier not in ('quote.ordered', 'quote.amended', 'quote.delivery_changed')
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
