-- The history of a quote: an event for each thing that happened, and an offer for each set of terms. The rules in
-- quote-life.sql read it, and so do customers and staff. No role of a request may write it.

-- What happened between two states of a quote, as the ends of events' names. A draft has only moves, deletions and
-- restorations. Removing a price counts as a change, since who removed it may not have seen the next one. A customer's
-- further edits of fields that are still open add no event to the first.
create or replace function builder.events_of(old builder.quotes, new builder.quotes) returns text[]
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  events text[] := '{}';
begin
  if new.status is distinct from old.status then
    events := array[new.status];
  elsif new.status = 'ordered' then
    if builder.changed_term(old, new) is not null then
      events := array['amended'];
    end if;
  elsif new.status <> 'draft' then
    if builder.sets_price(old, new) then
      events := array['repriced'];
    elsif builder.changed_term(old, new) is not null then
      events := array['changed'];
    elsif builder.caller_kind() = 'customer' and builder.changed_open_field(old, new) is not null and not exists (
      select from (
        select e.event, e.created_as from builder.quote_events e where e.quote_id = new.id order by e.id desc limit 1
      ) last
      where last.event = 'quote.changed' and last.created_as = 'customer'
    ) then
      events := array['changed'];
    end if;
  end if;
  -- A request that sets a price and changes the design records `changed` last. So the next request that sets a price must name
  -- the version.
  if old.id is not null and events && '{quoted,repriced}' and builder.changed_design(old, new) is not null then
    events := events || 'changed'::text;
  end if;
  if new.fulfillment_status is distinct from old.fulfillment_status and new.fulfillment_status is not null then
    events := events || new.fulfillment_status;
  end if;
  if (new.deleted_at is null) <> (old.deleted_at is null) then
    events := events || case when new.deleted_at is null then 'restored' else 'deleted' end;
  end if;
  return events;
end
$$;

-- Compares the terms of a quote with all of its offers: whether they were offered, whether others were, and whether others of
-- this total were. A previous owner's offers count too. Of a quote of another account a customer learns nothing.
create or replace function builder.compare_offers(
  quote builder.quotes, total numeric,
  out is_offered boolean, out has_other_terms boolean, out has_other_terms_of_this_total boolean
)
  language sql volatile security definer set search_path = pg_catalog, pg_temp
as $$
  select coalesce(bool_or(is_same), false), coalesce(bool_or(not is_same), false),
    coalesce(bool_or(not is_same and offered.total_price = total), false)
  from (
    select o.total_price, (
      o.unit_price, o.total_price, o.currency, o.product_id, o.design_id, o.sport, o.colors, o.roster_count,
      o.size_breakdown, o.rush_order, o.customization
    ) is not distinct from (
      quote.unit_price, quote.total_price, quote.currency, quote.product_id, quote.design_id, quote.sport, quote.colors,
      quote.roster_count, quote.size_breakdown, quote.rush_order, quote.customization
    ) as is_same
    from builder.quote_offers o
    where o.quote_id = quote.id and (current_setting('role') <> 'builder_customer' or exists (
      select from builder.quotes q where q.id = quote.id and q.account_id = any (builder.caller_account_ids())
    ))
  ) offered
$$;

-- Records an offer, if the terms differ from those of the last one.
create or replace function builder.record_offer(quote builder.quotes) returns void
  language sql volatile security definer set search_path = pg_catalog, pg_temp
as $$
  insert into builder.quote_offers (
    quote_id, account_id, number, unit_price, total_price, currency, product_id, design_id, sport, customization, colors,
    roster_count, size_breakdown, rush_order, preview_front_url, preview_back_url, created_as
  )
  select quote.id, quote.account_id, coalesce(last.number, 0) + 1, quote.unit_price, quote.total_price, quote.currency,
    quote.product_id, quote.design_id, quote.sport, quote.customization, quote.colors, quote.roster_count,
    quote.size_breakdown, quote.rush_order, quote.preview_front_url, quote.preview_back_url, builder.caller_kind()
  from (select) one left join lateral (
    select * from builder.quote_offers o where o.quote_id = quote.id order by o.number desc limit 1
  ) last on true
  where (
    last.number is null or (
      last.unit_price, last.total_price, last.currency, last.product_id, last.design_id, last.sport, last.colors,
      last.roster_count, last.size_breakdown, last.rush_order, last.customization
    ) is distinct from (
      quote.unit_price, quote.total_price, quote.currency, quote.product_id, quote.design_id, quote.sport, quote.colors,
      quote.roster_count, quote.size_breakdown, quote.rush_order, quote.customization
    )
  )
$$;

-- Records what happened to a quote, the offer first. The history belongs to the account of the quote: it moves along with it,
-- so erasing an account does not delete the history of another's quote.
create or replace function builder.record_history() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  kind constant text := builder.caller_kind();
  events constant text[] := builder.events_of(old, new);
  has_price constant boolean := new.status <> 'draft' and (new.unit_price is not null or new.total_price is not null);
begin
  if new.account_id <> old.account_id then
    update builder.quote_events set account_id = new.account_id where quote_id = new.id;
    update builder.quote_offers set account_id = new.account_id where quote_id = new.id;
  end if;
  if has_price and events && array[new.status, 'repriced', 'changed', 'amended'] then
    perform builder.record_offer(new);
  end if;
  insert into builder.quote_events (
    quote_id, account_id, event, status, previous_status, fulfillment_status, unit_price, total_price, currency, expires_at,
    offer, created_by, created_as, staff_id
  )
  select new.id, new.account_id, 'quote.' || event, new.status, old.status, new.fulfillment_status, new.unit_price,
    new.total_price, new.currency, new.expires_at,
    case when has_price then (select max(o.number) from builder.quote_offers o where o.quote_id = new.id) end,
    case when kind = 'customer' then builder.caller_id() end, kind, case when kind = 'staff' then builder.caller_id() end
  from unnest(events) event;
  return null;
end
$$;

create or replace trigger history_of_new_quotes after insert on builder.quotes for each row
  when (new.status <> 'draft') execute function builder.record_history();
-- Saves of a draft are not recorded.
create or replace trigger history after update on builder.quotes for each row
  when (
    new.status <> 'draft' or old.status <> 'draft' or new.account_id <> old.account_id
    or (new.deleted_at is null) <> (old.deleted_at is null)
  )
  execute function builder.record_history();

grant execute on function builder.compare_offers(builder.quotes, numeric) to builder_customer, builder_staff;
