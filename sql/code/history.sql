-- The history of a quote: an event for each thing that happened, and an offer for each set of terms (terms.sql). The rules in
-- quote-life.sql read it, and so do customers and staff. No role of a request may write it.

-- What happened between two states of a quote, as the ends of events' names. A draft has only moves, deletions and
-- restorations. To remove a price is a change of terms, which sets none.
create or replace function builder.events_of(
  old builder.quotes, new builder.quotes, kind text, other_price boolean, other_design boolean
) returns text[]
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  stays constant boolean := new.status is not distinct from old.status and new.status <> 'draft';
  is_ordered constant boolean := stays and new.status = 'ordered';
  is_repriced constant boolean := stays and not is_ordered and other_price and builder.sets_price(old, new);
begin
  return array_remove(array[
    case when new.status is distinct from old.status then new.status end,
    case when is_ordered and (other_price or other_design) then 'amended' end,
    case when is_repriced then 'repriced' end,
    case when not is_ordered and (
      other_design or (stays and not is_repriced and (other_price or (kind = 'customer' and builder.opens_change(old, new))))
    ) then 'changed' end,
    case when stays and new.status = 'quoted' and not is_repriced and new.expires_at is distinct from old.expires_at
      then 'end_changed' end,
    case when is_ordered and new.estimated_delivery_at is distinct from old.estimated_delivery_at then 'delivery_changed' end,
    case when new.fulfillment_status is distinct from old.fulfillment_status then new.fulfillment_status end,
    case when new.deleted_at is null and old.deleted_at is not null then 'restored' end,
    case when new.deleted_at is not null and old.deleted_at is null then 'deleted' end
  ], null);
end
$$;

-- Whether a customer changes a field that is still open, and its last event is not already such a change.
create or replace function builder.opens_change(old builder.quotes, new builder.quotes) returns boolean
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  return coalesce(
    builder.changed_column(old, new, 'until ordered'), builder.changed_column(old, new, 'until quoted')
  ) is not null and not exists (
    select from (
      select e.event, e.created_as from builder.quote_events e where e.quote_id = new.id order by e.id desc limit 1
    ) last
    where last.event = 'quote.changed' and last.created_as = 'customer'
  );
end
$$;

-- Returns the digest of the design that a change shows to who may read it, or null: it leaves the draft, or the design is
-- another one outside a draft. Staff who move a draft without its version, and the sweep, may not have read what they show.
create or replace function builder.shown_design(old builder.quotes, new builder.quotes, kind text, other_design boolean) returns text
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  return case when new.status <> 'draft' and case
    when old.id is null then true
    when old.status <> 'draft' then other_design
    else kind = 'customer' or old.id::text = any (string_to_array(current_setting('builder.named_drafts', true), ','))
  end then builder.design_digest(new) end;
end
$$;

-- Returns the link by which a move was made, the name that its holder gave, and what they said; null for all other changes. Only
-- answer_offer() (offer-page.sql) writes quotes as builder_anon.
create or replace function builder.answer_by_link() returns json
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  return case when current_setting('role') = 'builder_anon' then nullif(current_setting('builder.answer', true), '')::json end;
end
$$;

-- Records what happened to a quote, the offer first. The history belongs to the account of the quote: it moves along with it,
-- so erasing an account does not delete the history of another's quote.
create or replace function builder.record_history() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  kind constant text := builder.caller_kind();
  after_draft constant boolean := coalesce(old.status, 'draft') <> 'draft' and new.status <> 'draft';
  other_design constant boolean := after_draft and old::builder.design is distinct from new::builder.design;
  other_price constant boolean := after_draft and old::builder.price is distinct from new::builder.price;
  events constant text[] := builder.events_of(old, new, kind, other_price, other_design);
  has_price constant boolean := new.status <> 'draft' and (new.unit_price is not null or new.total_price is not null);
  answer constant json := builder.answer_by_link();
begin
  if new.account_id <> old.account_id then
    update builder.quote_events set account_id = new.account_id where quote_id = new.id;
    update builder.quote_offers set account_id = new.account_id where quote_id = new.id;
  end if;
  if events = '{}' then
    return null;
  elsif has_price then
    perform builder.record_offer(new);
  end if;
  insert into builder.quote_events (
    quote_id, account_id, event, status, previous_status, fulfillment_status, unit_price, total_price, currency, expires_at,
    offer, design_digest, created_by, created_as, staff_id, link_id, signer, said
  )
  select new.id, new.account_id, 'quote.' || event, new.status, old.status, new.fulfillment_status, new.unit_price,
    new.total_price, new.currency, new.expires_at,
    case when has_price then (select max(o.number) from builder.quote_offers o where o.quote_id = new.id) end,
    shown.digest, case when kind = 'customer' then builder.caller_id() end, kind, case when kind = 'staff' then builder.caller_id() end,
    (answer ->> 'link')::uuid, answer ->> 'signer', answer ->> 'said'
  from unnest(events) event, (select builder.shown_design(old, new, kind, other_design) as digest offset 0) shown;
  return null;
end
$$;

create or replace trigger history_of_new_quotes after insert on builder.quotes for each row
  when (new.status <> 'draft') execute function builder.record_history();
-- Saves of a draft and the owner's corrections are not recorded.
create or replace trigger history after update on builder.quotes for each row
  when (
    (
      new.status <> 'draft' or old.status <> 'draft' or new.account_id <> old.account_id
      or (new.deleted_at is null) <> (old.deleted_at is null)
    ) and (current_setting('builder.correction', true) is distinct from 'on' or not builder.is_correction())
  )
  execute function builder.record_history();
