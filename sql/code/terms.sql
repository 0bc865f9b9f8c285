-- The terms of an offer. builder.terms is their only list: quotes and quote_offers inherit its columns, so a row of either is cast
-- to it, to builder.price or to builder.design. Pictures, dates and addresses are no terms.

-- Returns the first term that differs between two states of a quote, or null. It costs 50 ms for a design of 1 MB, so it is
-- called for a message; conditions compare the terms themselves.
create or replace function builder.changed_term(old builder.quotes, new builder.quotes) returns text
  language sql stable set search_path = pg_catalog, pg_temp
as $$
  select was.name
  from json_each_text(row_to_json(old::builder.terms)) with ordinality was (name, value, place)
    join json_each_text(row_to_json(new::builder.terms)) became (name, value) using (name)
  where was.value is distinct from became.value
  order by was.place limit 1
$$;

-- Returns the SHA-256 of the design of a quote. Nulls at its end are left out, so that a new column of builder.design, which is
-- the last one, leaves the digests of earlier designs as they are. The largest column is not quoted once more as part of a row.
create or replace function builder.design_digest(quote builder.quotes) returns text
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
declare
  design builder.design := quote::builder.design;
  customization constant text := design.customization;
begin
  design.customization := null;
  return encode(sha256(convert_to(customization || rtrim(design::text, ',)'), 'UTF8')), 'hex');
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
    coalesce(bool_or(not is_same and total_price = total), false)
  from (
    select o.total_price, o::builder.terms is not distinct from quote::builder.terms as is_same
    from builder.quote_offers o
    where o.quote_id = quote.id and (builder.caller_kind() <> 'customer' or exists (
      select from builder.quotes q where q.id = quote.id and q.account_id = any (builder.caller_account_ids())
    ))
    offset 0
  ) offered
$$;

-- Records an offer, if the terms differ from those of the last one. The names of the terms are those of builder.terms. The row is
-- read from the table, since Postgres would compress a parameter anew.
create or replace function builder.record_offer(quote builder.quotes) returns void
  language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
as $$
declare
  last builder.quote_offers;
  terms text;
begin
  select * into last from builder.quote_offers o where o.quote_id = quote.id order by o.number desc limit 1;
  if last::builder.terms is not distinct from quote::builder.terms then
    return;
  end if;
  select string_agg(quote_ident(attname), ', ') into terms
  from pg_attribute where attrelid = 'builder.terms'::regclass and attnum > 0 and not attisdropped;
  execute format(
    'insert into builder.quote_offers (quote_id, account_id, number, preview_front_url, preview_back_url, created_as, %1$s)
    select id, account_id, $2, preview_front_url, preview_back_url, $3, %1$s from builder.quotes where id = $1', terms
  ) using quote.id, coalesce(last.number, 0) + 1, builder.caller_kind();
end
$$;

grant execute on function
  builder.changed_term(builder.quotes, builder.quotes),
  builder.compare_offers(builder.quotes, numeric)
  to builder_customer, builder_staff;
