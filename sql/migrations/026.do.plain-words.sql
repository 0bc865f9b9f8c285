-- Messages of the rules in plain words. Nothing but these texts changes.
create or replace function builder.claim_key(given_key text, given_fingerprint text) returns json
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  owner constant text := builder.key_owner();
  is_customer constant boolean := current_setting('role') = 'builder_customer';
  most constant integer := 10000;
  known builder.idempotency_keys;
begin
  loop
    insert into builder.idempotency_keys (caller, key, fingerprint) values (owner, given_key, given_fingerprint)
      on conflict do nothing;
    if found then
      if is_customer and (
        select count(*) from (select from builder.idempotency_keys k where k.caller = owner limit most + 1) kept
      ) > most then
        raise sqlstate 'PT429' using
          message = format('This caller has used %s Idempotency-Keys within a day, so nothing was written', most),
          hint = 'Write several rows by one request, or go on without the header.';
      end if;
      return null;
    end if;
    -- A new statement sees what the transaction that was waited for has written. It finds nothing only when the sweep
    -- has deleted the record in between; then the key is new.
    select * into known from builder.idempotency_keys k where k.caller = owner and k.key = given_key;
    exit when found;
  end loop;
  if known.fingerprint <> given_fingerprint then
    raise sqlstate 'PT422' using
      message = 'The Idempotency-Key was used for another request, so nothing was written',
      detail = 'This request has another body, path, query or header than the first one with this key.',
      hint = 'Send a retry unchanged, and every new request with a key of its own.';
  end if;
  if is_customer and not coalesce(known.accounts, '{}') <@ builder.account_ids() then
    raise insufficient_privilege using
      message = 'permission denied: the Idempotency-Key was used for an account that this caller is no longer in';
  end if;
  return known.answer;
end
$$;

create or replace function builder.keep_terms() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  if old.status = 'approved' or new.status <> 'ordered' then
    raise sqlstate 'PT409' using
      message = format('The price, currency, size and roster of a quote that is %s cannot change', old.status)
        || case when old.status = 'ordered' then format(' in the move to %s', new.status) else '' end,
      detail = 'Its customer approved them as they are.',
      hint = 'Offer it anew: .update({ status: ''quoted'', unit_price, total_price, … }).match({ id, updated_at }).';
  elsif current_setting('request.version', true) is distinct from 'compared' then
    raise sqlstate 'PT409' using
      message = 'The price, currency, size and roster of a quote that is ordered cannot change unless the request names the version that was read',
      detail = 'The correction is sent to its customer.',
      hint = 'Read it again, and write .update({ … }).match({ id, updated_at }) with the id and updated_at of what you read; or send its ETag in If-Match.';
  end if;
  return new;
end
$$;

create or replace function builder.meet_quote(act text, quote_id uuid, acts boolean) returns void
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  setting constant text := 'builder.' || act;
  this constant text := statement_timestamp();
  -- Statement, last quote, whether one was priced or approved, and whether there were several.
  met constant text[] := string_to_array(current_setting(setting, true), '|');
  is_this constant boolean := coalesce(met[1] = this, false);
  acted constant boolean := acts or (is_this and met[3]::boolean);
  several constant boolean := is_this and (met[2] <> quote_id::text or met[4]::boolean);
begin
  if current_setting('request.rows', true) = 'keyed' or current_setting('builder.upserted_quote', true) = concat_ws('|', this, quote_id) then
    return;
  end if;
  if acted and (several or current_setting('request.rows', true) = 'filtered') then
    raise sqlstate 'PT409' using
      message = format('A request with a filter can %s only one quote, and the filter must name its id', act),
      detail = case when several then 'This filter matches several quotes.' else 'This filter names no id.' end,
      hint = 'Write .update({ … }).eq(''id'', quote.id) for each, or send one PATCH with an array of rows that have their ids.';
  end if;
  perform set_config(setting, concat_ws('|', this, quote_id, acted, several), true);
end
$$;

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
        message = format('This caller has taken all of its %s quote numbers of %s', share, this_year),
        hint = 'Use numbers that you have taken, or choose the number of the quote yourself.';
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
      detail = 'Each year has 99999 quote numbers.';
  end if;
  update builder.quote_numbers set last_number = number where year = this_year;
  return builder.format_quote_number(this_year, number);
end
$$;

create or replace function builder.stamp_move(old builder.quotes, new builder.quotes) returns builder.quotes
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  if new.status = 'submitted' then
    if new.submitted_at is not distinct from old.submitted_at then
      new.submitted_at := now();
    end if;
    if old.submitted_at is not null and current_user = 'builder_customer' then
      perform builder.mark_changed(new.id);
    end if;
  elsif new.status = 'quoted' then
    if new.quoted_at is not distinct from old.quoted_at then
      new.quoted_at := now();
    end if;
    if new.quoted_by is not distinct from old.quoted_by then
      new.quoted_by := coalesce(builder.caller_id(), old.quoted_by);
    end if;
  elsif new.status = 'approved' then
    if new.expires_at <= now() then
      raise sqlstate 'PT409' using
        message = 'A quote that has expired cannot be approved',
        detail = format('It expired at %s.', to_json(new.expires_at) #>> '{}');
    end if;
    if old.status is not null then
      perform builder.check_approval(old.id, old.status,
        builder.terms_of(
          new.unit_price, new.total_price, new.currency, new.roster_count, new.size_breakdown, new.customization
        ), old.total_price);
    end if;
    if new.approved_at is not distinct from old.approved_at then
      new.approved_at := now();
    end if;
  end if;
  return new;
end
$$;
