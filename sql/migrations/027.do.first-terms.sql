-- The customer can read a price before the quote is quoted, for example if it was made as approved, or priced while submitted.
-- Then the first offer is not the first price, so an approval names it.
create or replace function builder.note_offers() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if old.total_price is not null and not exists (select from builder.offers o where o.quote_id = old.id) then
    insert into builder.offers values (
      old.id,
      builder.terms_of(
        old.unit_price, old.total_price, old.currency, old.roster_count, old.size_breakdown, old.customization
      ),
      old.total_price
    );
  end if;
  if new.status = 'quoted' then
    insert into builder.offers values (
      new.id,
      builder.terms_of(
        new.unit_price, new.total_price, new.currency, new.roster_count, new.size_breakdown, new.customization
      ),
      new.total_price
    ) on conflict do nothing;
  end if;
  return null;
end
$$;

drop trigger offers on builder.quotes;
create trigger offers after update on builder.quotes
  for each row when (new.status = 'quoted' or old.total_price is not null) execute function builder.note_offers();
