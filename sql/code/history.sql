-- The history of a quote: a row for each change of its status, fulfilment, price or currency, for each correction of
-- an order, and for each deletion and restoration.

-- Inserts an event for each thing that changed, or the event that the trigger names. A price that changes in a move
-- has no event of its own: the move's event has it. An import sends no messages.
create or replace function builder.record_quote_events() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  kind constant text := builder.caller_kind();
  quiet constant text := coalesce(current_setting('builder.quiet', true), '');
  imported constant boolean := tg_op = 'INSERT' and new.source = 'csv_import';
begin
  if imported then
    perform set_config('builder.quiet', 'on', true);
  end if;
  insert into builder.quote_events (
    quote_id, account_id, event, status, previous_status, fulfillment_status, unit_price, total_price, currency,
    created_by, created_as, staff_id
  )
  select new.id, new.account_id, 'quote.' || reached, new.status, old.status, new.fulfillment_status, new.unit_price,
    new.total_price, new.currency, case when kind = 'customer' then builder.caller_id() end, kind,
    case when kind = 'staff' then builder.caller_id() end
  from unnest(case when tg_nargs > 0 then array[tg_argv[0]] else array[
    case when new.status is distinct from old.status then new.status
      when new.status <> 'ordered'
        and (new.unit_price, new.total_price, new.currency) is distinct from (old.unit_price, old.total_price, old.currency)
      then 'repriced' end,
    case when new.fulfillment_status is distinct from old.fulfillment_status then new.fulfillment_status end,
    case when (new.deleted_at is null) <> (tg_op = 'INSERT' or old.deleted_at is null)
      then case when new.deleted_at is null then 'restored' else 'deleted' end end
  ] end) reached
  where reached is not null;
  if imported then
    perform set_config('builder.quiet', quiet, true);
  end if;
  return null;
end
$$;

-- The condition is here, so that a save that changes none of these calls nothing.
create or replace trigger history after update on builder.quotes for each row
  when (
    new.status <> old.status or new.fulfillment_status is distinct from old.fulfillment_status
    or new.unit_price is distinct from old.unit_price or new.total_price is distinct from old.total_price
    or new.currency <> old.currency or (new.deleted_at is null) <> (old.deleted_at is null)
  )
  execute function builder.record_quote_events();

create or replace trigger history_of_new_quotes after insert on builder.quotes for each row
  when (new.status <> 'draft') execute function builder.record_quote_events();

create or replace trigger amendments after update of unit_price, total_price, currency, roster_count, size_breakdown, customization
  on builder.quotes for each row
  when (
    old.status = 'ordered' and new.status = 'ordered'
    and (new.unit_price, new.total_price, new.currency, new.roster_count, new.size_breakdown, new.customization)
      is distinct from (old.unit_price, old.total_price, old.currency, old.roster_count, old.size_breakdown, old.customization)
  )
  execute function builder.record_quote_events('amended');
