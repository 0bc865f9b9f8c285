-- Graphics: the catalog of artwork.
create table builder.graphics (
  id uuid not null default gen_random_uuid(),
  name text not null,
  code text not null,
  category_id uuid,
  file_url text not null,
  file_format text not null,
  file_size integer,
  width integer,
  height integer,
  description text,
  tags text[],
  is_active boolean not null default true,
  sort_order integer not null default 0,
  created_by uuid,
  created_at timestamp with time zone default now(),
  updated_at timestamp with time zone default now(),
  deleted_at timestamp with time zone,

  constraint graphics_pkey primary key (id),
  -- Unique among the rows that are not deleted.
  constraint graphics_code_key unique nulls not distinct (code, deleted_at),
  constraint code_is_capital_letters_digits_dashes_and_underscores check (code ~ '^[A-Z0-9_-]+$'),
  constraint code_has_at_most_100_bytes check (octet_length(code) <= 100),
  constraint name_has_at_most_500_bytes check (octet_length(name) <= 500),
  constraint description_has_at_most_10000_bytes check (octet_length(description) <= 10000),
  constraint tags_are_at_most_100_of_4000_bytes check (builder.are_tags(tags)),
  constraint file_url_is_an_http_url check (builder.is_url(file_url)),
  constraint file_format_is_known check (file_format in ('jpg', 'png', 'svg', 'webp')),
  constraint file_size_is_not_negative check (file_size >= 0),
  constraint width_is_not_negative check (width >= 0),
  constraint height_is_not_negative check (height >= 0)
);

create index graphics_by_sort_order on builder.graphics (sort_order, id);
create index graphics_by_category on builder.graphics (category_id, sort_order, id);
-- Only for staff: under row level security, Postgres uses only leakproof operators as index conditions.
create index graphics_by_tag on builder.graphics using gin (tags);
create index deleted_graphics on builder.graphics (deleted_at) where deleted_at is not null;

alter table builder.graphics enable row level security;
