-- Quote numbers, and ids of notifications. Clients may choose a number themselves. No customer can use up a
-- year's numbers: a customer takes at most 5,000 a year, as do all anonymous accounts together; customers leave the last
-- 5,000 to staff; and a number that a customer chose doesn't count as taken.

-- Marks the number of a quote as taken when staff or an import insert it, also as a draft, when they give it another number, and when
-- they move a draft or an expired quote on. The sweep runs as the owner too, but only lets quotes expire.
create or replace function builder.record_imported_number() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  insert into builder.imported_quote_numbers values (new.quote_number) on conflict do nothing;
  return null;
end
$$;

create or replace trigger imported_number after insert on builder.quotes for each row
  when (current_user <> 'builder_customer' and builder.caller_kind() <> 'customer') execute function builder.record_imported_number();
create or replace trigger imported_number_of_changed after update on builder.quotes for each row
  when (
    (new.quote_number <> old.quote_number or (new.status not in ('draft', 'expired') and old.status in ('draft', 'expired')))
    and builder.caller_kind() <> 'customer'
  )
  execute function builder.record_imported_number();

create or replace function builder.format_quote_number(year integer, number integer) returns text
  language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$ select 'QT-' || year || '-' || lpad(number::text, 5, '0') $$;

-- Counts a number that a customer takes. Anonymous accounts are new at will, so they are counted together, as the nil uuid.
create or replace function builder.count_customer_number(year integer) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  share constant integer := 5000;
  is_anonymous constant boolean := coalesce(
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'is_anonymous' = 'true', false
  );
begin
  insert into builder.customer_quote_numbers
  values ($1, case when is_anonymous then builder.everyone() else builder.caller_id() end, 1)
  on conflict on constraint customer_quote_numbers_pkey do update set taken = customer_quote_numbers.taken + 1
    where customer_quote_numbers.taken < share;
  if not found then
    raise sqlstate 'PT429' using constraint = 'quote numbers of a caller',
      message = format(
        case when is_anonymous then 'Anonymous accounts have taken all of their %s quote numbers of %s'
          else 'This caller has taken all of its %s quote numbers of %s' end,
        share, $1
      ),
      hint = 'Use numbers that you have taken, or choose the number of the quote yourself.';
  end if;
end
$$;

-- Returns a number that it has returned to no one, and that no quote of staff or of an import has. The year's row stays locked until
-- the transaction ends, so no two callers get the same number.
-- Imported numbers are skipped by one pass of their index, whose time doesn't depend on how many there are.
create or replace function builder.next_quote_number() returns text
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  this_year constant integer := extract(year from now() at time zone 'UTC');
  is_customer constant boolean := builder.caller_kind() = 'customer';
  for_staff constant integer := 5000;
  number integer;
begin
  if is_customer then
    perform builder.count_customer_number(this_year);
  end if;
  insert into builder.quote_numbers values (this_year, 0) on conflict (year) do nothing;
  select last_number + 1 into number from builder.quote_numbers where year = this_year for update;
  if number <= 99999 and exists (
    select from builder.imported_quote_numbers b where b.quote_number = builder.format_quote_number(this_year, number)
  ) then
    select min(taken.number) + 1 into number
    from (
      select right(b.quote_number, 5)::integer as number,
        lead(right(b.quote_number, 5)::integer) over (order by b.quote_number collate "C") as next
      from builder.imported_quote_numbers b
      where b.quote_number between builder.format_quote_number(this_year, number)
        and builder.format_quote_number(this_year, 99999)
    ) taken
    where taken.next is null or taken.next > taken.number + 1;
  end if;
  if number > 99999 or is_customer and number > 99999 - for_staff then
    raise sqlstate 'PT409' using constraint = 'quote numbers of a year',
      message = format(
        case when is_customer then 'All quote numbers for customers of %s are taken' else 'All quote numbers of %s are taken' end,
        this_year
      ),
      detail = format('Each year has 99999 quote numbers, the last %s of them for staff.', for_staff),
      hint = 'Choose the number of the quote yourself.';
  end if;
  update builder.quote_numbers set last_number = number where year = this_year;
  return builder.format_quote_number(this_year, number);
end
$$;

grant execute on function builder.next_quote_number() to builder_customer, builder_staff;

-- Moves the sequence of notifications past an id that a client supplies, so that no generated id is the same. Small steps use
-- nextval(), which can't move the sequence back while other transactions use it; large steps use setval(), one
-- transaction at a time. An id in the upper half moves nothing: the sequence never gets there.
create or replace function builder.skip_supplied_notification_id() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  ids constant regclass := pg_get_serial_sequence('builder.notifications', 'id');
  ahead constant bigint := case when new.id > 0 then new.id - coalesce(pg_sequence_last_value(ids), 0) end;
begin
  if ahead between 1 and 1000 then
    perform nextval(ids) from generate_series(1, ahead);
  elsif ahead > 1000 and new.id < 1::bigint << 52 then
    perform pg_advisory_xact_lock('builder.notifications'::regclass::oid::bigint);
    perform setval(ids, greatest(new.id, pg_sequence_last_value(ids)));
  end if;
  return new;
end
$$;

create or replace trigger skip_supplied_id before insert on builder.notifications
  for each row execute function builder.skip_supplied_notification_id();
