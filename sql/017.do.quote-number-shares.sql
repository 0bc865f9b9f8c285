-- No account can use up a year's quote numbers. A number that a client chose by itself doesn't count as taken, so that
-- 99,999 drafts keep nobody from the next offer; only those of quotes that staff or an import brought in another status
-- than draft are stepped over. A customer is offered 5,000 numbers a year at most.

-- Numbers of quotes that others than customers brought, once they are no drafts. The quote's trigger writes them.
create table builder.brought_quote_numbers (
  quote_number text not null,
  constraint brought_quote_numbers_pkey primary key (quote_number)
);
insert into builder.brought_quote_numbers select distinct quote_number from builder.quotes where status <> 'draft';

create table builder.quote_number_offers (
  year integer not null,
  caller uuid not null,
  offered integer not null,
  constraint quote_number_offers_pkey primary key (year, caller)
);
-- No role has a grant or a policy: the functions below are the only way.
alter table builder.brought_quote_numbers enable row level security;
alter table builder.quote_number_offers enable row level security;

create function builder.note_brought_number(quote_number text) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
as $$ insert into builder.brought_quote_numbers values ($1) on conflict do nothing $$;

-- No two callers get the same one: the year's row stays locked until the caller's transaction ends. It takes the same
-- few milliseconds however many numbers are taken: the first gap behind the last offer is found in one pass of an index.
create or replace function builder.next_quote_number() returns text
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  this_year constant integer := extract(year from now() at time zone 'UTC');
  share constant integer := 5000;
  number integer;
begin
  if current_setting('role') = 'builder_customer' then
    insert into builder.quote_number_offers values (this_year, builder.caller_id(), 1)
      on conflict (year, caller) do update set offered = quote_number_offers.offered + 1
      where quote_number_offers.offered < share;
    if not found then
      raise sqlstate 'PT429' using
        message = format('This caller was offered %s quote numbers of %s, and gets no more', share, this_year),
        hint = 'Use those, or bring numbers of your own.';
    end if;
  end if;
  insert into builder.quote_numbers values (this_year, 0) on conflict (year) do nothing;
  select last_number + 1 into number from builder.quote_numbers where year = this_year for update;
  if number <= 99999 and exists (
    select from builder.brought_quote_numbers b where b.quote_number = builder.format_quote_number(this_year, number)
  ) then
    select min(taken.number) + 1 into number
    from (
      select right(b.quote_number, 5)::integer as number,
        lead(right(b.quote_number, 5)::integer) over (order by b.quote_number collate "C") as next
      from builder.brought_quote_numbers b
      where b.quote_number between builder.format_quote_number(this_year, number)
        and builder.format_quote_number(this_year, 99999)
    ) taken
    where taken.next is null or taken.next > taken.number + 1;
  end if;
  if number > 99999 then
    raise sqlstate 'PT409' using
      message = format('All quote numbers of %s are taken', this_year),
      detail = 'A year has 99999 of them.';
  end if;
  update builder.quote_numbers set last_number = number where year = this_year;
  return builder.format_quote_number(this_year, number);
end
$$;

revoke execute on function builder.note_brought_number(text) from public;
grant execute on function builder.note_brought_number(text) to builder_staff;
