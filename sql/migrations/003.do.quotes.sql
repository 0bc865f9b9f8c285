-- Quotes, the moves of customers, and the tables of the price rules. Sizes and JSON values are checked by
-- code/values.sql.

-- The terms of an offer: the price and the design. These tables have no rows: builder.quotes and builder.quote_offers inherit
-- their columns, so that rows of both can be cast to terms and compared. A new term is a column of builder.design.
create table builder.price (
  unit_price numeric,
  total_price numeric,
  currency character varying not null
);
alter table builder.price enable row level security;

create table builder.design (
  product_id uuid not null,
  design_id uuid,
  sport text not null,
  rush_order boolean,
  roster_count integer,
  size_breakdown jsonb,
  colors jsonb,
  customization jsonb not null
);
alter table builder.design enable row level security;

-- lz4 compresses a design in a fraction of pglz's time. Not every server is built with it.
do $$
begin
  if exists (select from pg_settings where name = 'default_toast_compression' and 'lz4' = any (enumvals)) then
    alter table builder.design alter column customization set compression lz4;
  end if;
end
$$;

create table builder.terms () inherits (builder.price, builder.design);
alter table builder.terms enable row level security;

create table builder.quotes (
  id uuid not null default gen_random_uuid(),
  account_id uuid not null,
  quote_number text not null,
  status text not null default 'draft',
  preview_front_url text,
  preview_back_url text,
  customer_notes text,
  internal_notes text,
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
  delivery_method text,
  billing_address jsonb,
  tool_2d text,
  techpack_file text,
  avatar_preview text,

  constraint quotes_pkey primary key (id),
  constraint quote_number_is_qt_year_and_five_digits check (quote_number ~ '^QT-[0-9]{4}-[0-9]{5}$'),
  constraint status_is_known check (
    status = any ('{draft,submitted,quoted,approved,rejected,expired,ordered,cancelled}')
  ),
  constraint source_is_known check (source = any ('{builder,csv_import,duplicate,admin_created}')),
  constraint fulfillment_status_is_known check (
    fulfillment_status = any ('{reviewing,preparing,shipping,delivered}')
  ),
  constraint delivery_method_is_known check (delivery_method = any ('{standard,express,pickup}')),
  constraint currency_is_three_capital_letters check (currency ~ '^[A-Z]{3}$'),
  constraint roster_count_is_not_negative check (roster_count >= 0),
  constraint unit_price_is_from_0_to_1e30 check (builder.is_price(unit_price)),
  constraint total_price_is_from_0_to_1e30 check (builder.is_price(total_price)),
  constraint preview_front_url_is_an_http_url check (builder.is_url(preview_front_url)),
  constraint avatar_preview_is_an_http_url check (builder.is_url(avatar_preview)),
  constraint tool_2d_is_no_script check (builder.is_no_script(tool_2d)),
  constraint techpack_file_is_no_script check (builder.is_no_script(techpack_file)),
  constraint a_quote_belongs_to_one_account check (account_id <> '00000000-0000-0000-0000-000000000000'),
  constraint preview_back_url_is_an_http_url check (builder.is_url(preview_back_url)),
  -- An earlier one is a year of two digits, as "26" is 0026.
  constraint event_date_is_from_1900_on check (event_date >= '1900-01-01')
) inherits (builder.terms);
alter table builder.quotes alter column currency set default 'USD', alter column rush_order set default false;

-- Lists and counts of an account, also by status: a count reads only the index.
create index quotes_of_an_account_with_status on builder.quotes (account_id, created_at desc, id)
  include (deleted_at, status);
-- Lists for staff.
create index quotes_by_time on builder.quotes (created_at desc, id) where deleted_at is null;
create index quotes_by_status on builder.quotes (status, created_at desc, id) where deleted_at is null;
create index quotes_by_quote_number on builder.quotes (quote_number);
create index quotes_by_contact_email on builder.quotes (contact_email) where contact_email is not null;
-- For the sweep.
create index quotes_that_can_expire on builder.quotes (expires_at)
  where status in ('draft', 'submitted', 'quoted') and deleted_at is null and expires_at is not null;
create index deleted_quotes on builder.quotes (deleted_at) where deleted_at is not null;

alter table builder.quotes enable row level security;

-- Each save of a large draft leaves its previous design in the TOAST table. By default Postgres vacuums it only when
-- a fifth is dead, and the file keeps its size.
alter table builder.quotes
  set (toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 10000);

-- The moves of a customer. Staff may make any move.
create table builder.quote_transitions (
  from_status text not null,
  to_status text not null,

  constraint quote_transitions_pkey primary key (from_status, to_status)
);
insert into builder.quote_transitions values
  ('draft', 'submitted'),
  ('draft', 'cancelled'),
  ('submitted', 'draft'),
  ('submitted', 'cancelled'),
  ('quoted', 'approved'),
  ('quoted', 'rejected'),
  ('quoted', 'submitted'),
  ('quoted', 'cancelled'),
  ('approved', 'cancelled'),
  ('rejected', 'draft'),
  ('rejected', 'submitted'),
  ('expired', 'draft'),
  ('expired', 'submitted');
