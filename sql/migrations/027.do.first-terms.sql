-- A quote that was made as approved or ordered has had terms too: a later offer is not its first, so an approval names it.
create or replace function builder.note_offers() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if old.status in ('quoted', 'approved', 'ordered') and not exists (select from builder.offers o where o.quote_id = old.id) then
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

-- Also when it is first taken back to `submitted`, and then offered.
drop trigger offers on builder.quotes;
create trigger offers after update on builder.quotes
  for each row when (
    new.status = 'quoted' or old.status = 'quoted'
    or (old.status in ('approved', 'ordered') and new.status <> old.status)
  )
  execute function builder.note_offers();
