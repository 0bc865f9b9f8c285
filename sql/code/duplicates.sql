-- Copies of quotes. A copy is a draft with a new number, and the design, roster, contact and addresses of its original.

-- Copies a quote that its caller can see, and returns the key of the copy. A call that finds none takes no number. Of what customers
-- change, these are not copied: the copy has its own, or they were for one order.
create or replace function builder.duplicate_quote(id uuid) returns uuid
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  not_copied constant text[] := '{quote_number, source, created_by, event_date, rush_order, customer_notes}';
  copied constant text := (
    select string_agg(name, ', ') from builder.quote_columns()
    where list in ('until ordered', 'until quoted', 'in a draft') and name <> all (not_copied)
  );
  copy uuid;
begin
  execute format('insert into builder.quotes (quote_number, source, %1$s)
    select builder.next_quote_number(), ''duplicate'', %1$s from builder.quotes where id = $1 and deleted_at is null
    returning id', copied) into copy using duplicate_quote.id;
  if copy is null then
    raise sqlstate 'PT404' using message = 'The row of quotes was not found, so nothing was written',
      detail = 'No row with this id exists, or this caller cannot see it.';
  end if;
  return copy;
end
$$;

grant execute on function builder.duplicate_quote(uuid) to builder_customer, builder_staff;
