create table builder.quotes (
  id uuid not null default gen_random_uuid(),
  account_id uuid not null,
  quote_number text not null,
  status text not null default 'draft',
  product_id uuid not null,
  design_id uuid,
  sport text not null,
  customization jsonb not null,
  colors jsonb,
  roster_count integer,
  size_breakdown jsonb,
  preview_front_url text,
  preview_back_url text,
  customer_notes text,
  internal_notes text,
  unit_price numeric,
  total_price numeric,
  currency character varying not null default 'USD',
  submitted_at timestamp with time zone,
  quoted_at timestamp with time zone,
  quoted_by uuid,
  approved_at timestamp with time zone,
  expires_at timestamp with time zone,
  source text not null default 'builder',
  created_by uuid,
  created_at timestamp with time zone default now(),
  updated_at timestamp with time zone default now(),
  deleted_at timestamp with time zone,
  fulfillment_status text,
  estimated_delivery_at timestamp with time zone,
  contact_name text,
  contact_email text,
  contact_phone text,
  shipping_address jsonb,
  company text,
  event_date date,
  rush_order boolean default false,
  delivery_method text,
  billing_address jsonb,
  tool_2d text,
  techpack_file text,
  avatar_preview text,

  constraint quotes_pkey primary key (id),
  constraint quote_number_is_qt_year_and_five_digits check (quote_number ~ '^QT-[0-9]{4}-[0-9]{5}$'),
  constraint status_is_a_known_one check (
    status = any ('{draft,submitted,quoted,approved,rejected,expired,ordered,cancelled}')
  ),
  constraint source_is_a_known_one check (source = any ('{builder,csv_import,duplicate,admin_created}')),
  constraint fulfillment_status_is_a_known_one check (
    fulfillment_status = any ('{reviewing,preparing,shipping,delivered}')
  ),
  constraint delivery_method_is_a_known_one check (delivery_method = any ('{standard,express,pickup}')),
  constraint currency_is_three_capital_letters check (currency ~ '^[A-Z]{3}$'),
  constraint roster_count_is_not_negative check (roster_count >= 0),
  constraint unit_price_is_not_negative_nor_endless check (builder.is_price(unit_price)),
  constraint total_price_is_not_negative_nor_endless check (builder.is_price(total_price)),
  constraint customization_is_an_object_of_at_most_1_mib check (builder.is_snapshot(customization)),
  constraint colors_has_only_the_five_colors check (builder.is_colors(colors)),
  constraint size_breakdown_counts_are_whole_numbers check (builder.is_size_breakdown(size_breakdown)),
  constraint shipping_address_has_only_address_fields check (builder.is_address(shipping_address)),
  constraint billing_address_has_only_address_fields check (builder.is_address(billing_address)),
  constraint preview_front_url_is_an_http_url check (builder.is_url(preview_front_url)),
  constraint preview_back_url_is_an_http_url check (builder.is_url(preview_back_url)),
  constraint texts_of_a_quote_have_a_bounded_size check (
    builder.quote_texts_fit(
      sport, customer_notes, internal_notes, contact_name, contact_email, contact_phone, company, tool_2d,
      techpack_file, avatar_preview
    )
  ),
  constraint a_quoted_quote_has_its_prices check (
    status <> 'quoted' or (unit_price is not null and total_price is not null)
  ),
  constraint only_an_ordered_quote_has_a_fulfillment_status check (
    fulfillment_status is null or status = 'ordered'
  )
);

create index quotes_of_an_account on builder.quotes (account_id, created_at desc, id);
create index quotes_by_quote_number on builder.quotes (quote_number);
create index quotes_that_can_expire on builder.quotes (expires_at)
  where status in ('draft', 'submitted', 'quoted') and deleted_at is null and expires_at is not null;
