-- The columns of a quote, each in one list that says who may change it and until when. From the lists are made the grants, rule 2's
-- comparison and its hint (quote-fields.sql), the copies of duplicate_quote() and the columns for which check_values() is called.

-- A test compares the lists with schema/quotes.ts.
create or replace function builder.quote_columns() returns table (name text, list text)
  language sql immutable parallel safe rows 50 set search_path = pg_catalog, pg_temp
as $$
  select unnest(names), list from (values
    -- A customer changes these until the quote is ordered or closed, and while it asks again.
    ('until ordered', '{
      customer_notes, contact_name, contact_email, contact_phone, company, shipping_address, billing_address, delivery_method,
      preview_front_url, preview_back_url, avatar_preview
    }'::text[]),
    -- A customer changes these until the quote is quoted: pictures may be cut from them.
    ('until quoted', '{tool_2d, techpack_file}'),
    -- A customer changes these only in a draft. Those of the first line are terms of an offer (builder.design), and so is currency.
    ('in a draft', '{
      product_id, design_id, sport, rush_order, roster_count, size_breakdown, colors, customization,
      currency, account_id, quote_number, source, created_by, event_date
    }'),
    -- A customer may send these, and the rules decide what is stored.
    ('by rules', '{status, submitted_at, approved_at, created_at, updated_at, deleted_at}'),
    -- Only staff change these. Customers read them.
    ('by staff', '{unit_price, total_price, quoted_at, expires_at, fulfillment_status, estimated_delivery_at}'),
    -- Only staff read and change these.
    ('hidden', '{internal_notes, quoted_by}'),
    -- Nobody changes an id, since other tables refer to it.
    ('fixed', '{id}')
  ) known (list, names)
$$;

-- The grants of builder.quotes; those of other tables are in access.sql. A row's version is its xmin, the transaction that wrote it:
-- it is in ETags. An upsert distinguishes new rows by xmax. A role with column grants needs a grant for each.
do $$
declare
  read constant text := (select string_agg(name, ', ') from builder.quote_columns() where list <> 'hidden');
  changed_by_customer constant text := (
    select string_agg(name, ', ') from builder.quote_columns()
    where list in ('until ordered', 'until quoted', 'in a draft', 'by rules')
  );
  -- A customer's DELETE sets deleted_at.
  inserted constant text := (
    select string_agg(name, ', ') from builder.quote_columns()
    where list not in ('by staff', 'hidden') and name <> 'deleted_at'
  );
  changed_by_staff constant text := (select string_agg(name, ', ') from builder.quote_columns() where list <> 'fixed');
begin
  revoke all on builder.quotes
    from builder_anon, builder_customer, builder_staff, builder_reader, builder_live, builder_sweeper, builder_deliverer;
  execute format('grant select (%s, xmin, xmax), insert (%s), update (%s) on builder.quotes to builder_customer',
    read, inserted, changed_by_customer);
  execute format('grant select, insert, delete, update (%s) on builder.quotes to builder_staff', changed_by_staff);
  grant select on builder.quotes to builder_reader;
end
$$;

-- changed_column(old, new, list) returns the first column of a list that differs, or null. Its text has a comparison for each column,
-- since to compare rows as JSON takes 42 ms for a large design.
do $make$
declare
  comparisons constant text := (
    select string_agg(format('when %L then case %s end', list, of_columns), ' ') from (
      select list, string_agg(format('when new.%1$I is distinct from old.%1$I then %1$L', name), ' ') as of_columns
      from builder.quote_columns() where list in ('until ordered', 'until quoted', 'in a draft') group by list
    ) lists
  );
begin
  execute format($$
    create or replace function builder.changed_column(old builder.quotes, new builder.quotes, list text) returns text
      language plpgsql immutable set search_path = pg_catalog, pg_temp
    as %L
  $$, format('begin return case list %s end; end', comparisons));
end
$make$;

grant execute on function
  builder.quote_columns(),
  builder.changed_column(builder.quotes, builder.quotes, text)
  to builder_customer, builder_staff;

-- It fires after `rules`, by its name: who may change a field is asked before what is in it. A move or a price needs no such check.
do $make$
begin
  execute format($$
    create or replace trigger valid_values before insert or update of %s on builder.quotes
      for each row execute function builder.check_values()
  $$, (
    select string_agg(name, ', ') from builder.quote_columns() where list in ('until ordered', 'until quoted', 'in a draft', 'hidden')
  ));
end
$make$;
