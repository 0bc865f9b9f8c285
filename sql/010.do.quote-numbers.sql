-- The next free quote number of the current year: an offer, since a client may bring a number of its own.

create table builder.quote_numbers (
  year integer not null,
  last_number integer not null,
  constraint quote_numbers_pkey primary key (year)
);

create index quotes_by_quote_number on builder.quotes (quote_number);

create function builder.format_quote_number(year integer, number integer) returns text
  language sql immutable parallel safe set search_path = ''
as $$ select 'QT-' || year || '-' || lpad(number::text, 5, '0') $$;

-- No two callers get the same one: the year's row stays locked until the caller's transaction ends. Numbers that are
-- taken are stepped over once, since the row remembers how far that went.
create function builder.next_quote_number() returns text
  language plpgsql security definer set search_path = ''
as $$
declare
  this_year constant integer := extract(year from now() at time zone 'UTC');
  number integer;
begin
  insert into builder.quote_numbers values (this_year, 0) on conflict (year) do nothing;
  select last_number into number from builder.quote_numbers where year = this_year for update;
  loop
    number := number + 1;
    if number > 99999 then
      raise sqlstate 'PT409' using
        message = format('All quote numbers of %s are taken', this_year),
        detail = 'A year has 99999 of them.';
    end if;
    exit when not exists (
      select from builder.quotes where quote_number = builder.format_quote_number(this_year, number)
    );
  end loop;
  update builder.quote_numbers set last_number = number where year = this_year;
  return builder.format_quote_number(this_year, number);
end
$$;

alter table builder.quote_numbers enable row level security;
revoke execute on function builder.next_quote_number(), builder.format_quote_number(integer, integer) from public;
grant execute on function builder.next_quote_number() to builder_customer, builder_staff;
