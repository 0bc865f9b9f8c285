-- The next free quote number of the current year: an offer, since a client may bring a number of its own.

create table builder.quote_numbers (
  year integer not null,
  last_number integer not null,
  constraint quote_numbers_pkey primary key (year)
);

create index quotes_by_quote_number on builder.quotes (quote_number);

-- No two callers get the same one: the year's row stays locked until the caller's transaction ends.
create function builder.next_quote_number() returns text
  language plpgsql security definer set search_path = ''
as $$
declare
  this_year constant integer := extract(year from now() at time zone 'UTC');
  number integer;
  offer text;
begin
  loop
    insert into builder.quote_numbers as numbers values (this_year, 1)
      on conflict (year) do update set last_number = numbers.last_number + 1
      returning last_number into number;
    if number > 99999 then
      raise sqlstate 'PT409' using
        message = format('All quote numbers of %s are taken', this_year),
        detail = 'A year has 99999 of them.';
    end if;
    offer := format('QT-%s-%s', this_year, lpad(number::text, 5, '0'));
    exit when not exists (select from builder.quotes where quote_number = offer);
  end loop;
  return offer;
end
$$;

alter table builder.quote_numbers enable row level security;
revoke execute on function builder.next_quote_number() from public;
grant execute on function builder.next_quote_number() to builder_customer, builder_staff;
