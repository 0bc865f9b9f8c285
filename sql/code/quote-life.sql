-- The life of a quote: which moves a customer may make, what may still be edited, how staff price, and which times the
-- database sets. The rules apply to everything that writes: the service, the sweep and psql.
--
-- A request that sets a price or accepts one names what it has read, whenever the quote may have changed since. The
-- service says what a request names in settings of its transaction:
--   request.version = 'compared': its filter compares updated_at, or the version of an ETag
--   request.price = 'compared': its filter compares total_price
--   request.rows = 'keyed': it changes rows by their keys; 'filtered': its filter names no key, so it may match any row
-- The columns that a request names are those of its SET clause.

-- Returns the columns that a customer may edit after draft, until the quote is ordered or closed.
create or replace function builder.columns_open_after_draft() returns text[]
  language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
  select '{customer_notes,contact_name,contact_email,contact_phone,company,shipping_address,billing_address,
    delivery_method}'::text[]
$$;

create or replace function builder.refuse_move(old_status text, new_status text, moves text[]) returns void
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  raise sqlstate 'PT409' using
    message = format('A quote cannot move from %s to %s', old_status, new_status),
    detail = case
      when moves = '{}' then format('From %s this caller has no moves.', old_status)
      else format('From %s this caller may move it to: %s.', old_status, array_to_string(moves, ', '))
    end;
end
$$;

create or replace function builder.forbid_column(column_name text, why text, hint text) returns void
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  raise insufficient_privilege using
    message = 'permission denied: ' || why, hint = forbid_column.hint, schema = 'builder', table = 'quotes', column = column_name;
end
$$;

create or replace function builder.check_customer_insert(new builder.quotes) returns void
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  if new.status <> 'draft' then
    raise sqlstate 'PT409' using
      message = format('A quote cannot be created as %s', new.status),
      detail = 'This caller may create it as: draft.';
  end if;
  if new.source = 'admin_created' then
    perform builder.forbid_column('source', 'only staff may set source to admin_created', '');
  end if;
  if new.created_by is not null and new.created_by is distinct from builder.caller_id() then
    perform builder.forbid_column('created_by', 'created_by must be the caller', '');
  end if;
end
$$;

-- Returns the first column, by name, that a customer's update changes although the status closes it; or null. The
-- rows are compared as a whole, since comparing each column takes half of an update's time.
create or replace function builder.closed_column_changed(old builder.quotes, new builder.quotes) returns text
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
declare
  open constant text[] := '{status,submitted_at,approved_at,created_at,updated_at,deleted_at}'::text[]
    || case when old.status in ('ordered', 'rejected', 'expired', 'cancelled') and new.status = old.status then '{}'
       else builder.columns_open_after_draft() end;
  before constant jsonb := to_jsonb(old) - open;
  after constant jsonb := to_jsonb(new) - open;
begin
  if before = after then
    return null;
  end if;
  return (select min(key) from jsonb_each(after) where value is distinct from before -> key);
end
$$;

create or replace function builder.check_customer_update(old builder.quotes, new builder.quotes) returns void
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
declare
  closed constant boolean := old.status in ('rejected', 'expired', 'cancelled');
  column_name text;
begin
  if old.deleted_at is not null then
    raise insufficient_privilege using message = 'permission denied: only staff may change a deleted quote';
  end if;
  if new.deleted_at is not null and not (old.status = 'draft' or closed) then
    raise sqlstate 'PT409' using
      message = format('A quote that is %s cannot be deleted', old.status),
      detail = 'A draft or a closed quote (rejected, expired, cancelled) can be deleted.';
  end if;
  if new.deleted_at is not null and new.status <> old.status then
    perform builder.refuse_move(old.status, new.status, '{}');
  end if;
  if new.status <> old.status and not exists (
    select from builder.quote_transitions t where t.from_status = old.status and t.to_status = new.status
  ) then
    perform builder.refuse_move(old.status, new.status, array(
      select t.to_status from builder.quote_transitions t where t.from_status = old.status order by 1
    ));
  end if;
  if new.source = 'admin_created' and new.source <> old.source then
    perform builder.forbid_column('source', 'only staff may set source to admin_created', '');
  end if;
  if new.created_by is distinct from old.created_by and new.created_by is distinct from builder.caller_id() then
    perform builder.forbid_column('created_by', 'created_by must be the caller', '');
  end if;
  if old.status = 'draft' then
    return;
  end if;
  column_name := builder.closed_column_changed(old, new);
  if column_name is not null then
    perform builder.forbid_column(
      column_name,
      format('%s of a quote that is %s cannot be changed', column_name, old.status),
      case
        when old.status in ('rejected', 'expired') then 'Move it to submitted first.'
        when old.status = 'ordered' or closed then ''
        else format('Still open: status, %s.', array_to_string(builder.columns_open_after_draft(), ', '))
      end
    );
  end if;
end
$$;

create or replace function builder.mark_changed(quote_id uuid) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
as $$
  insert into builder.changed_quotes values ($1)
  on conflict on constraint changed_quotes_pkey do update set since_priced = true where not changed_quotes.since_priced
$$;

-- Returns a hash of what is approved: the prices, the currency, the size and the roster, whose names are in the
-- customization.
create or replace function builder.terms_of(
  unit_price numeric, total_price numeric, currency text, roster_count integer, size_breakdown jsonb, customization jsonb
) returns bytea
  language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
  select sha256(convert_to(
    jsonb_build_array(trim_scale(unit_price), trim_scale(total_price), currency, roster_count, size_breakdown)::text
      || customization::text, 'UTF8'
  ))
$$;

-- Records offers. The customer can read a price before the quote is quoted, for example if it was priced while
-- submitted. Then the first offer is not the first price, so an approval must name it.
create or replace function builder.note_offers() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if old.total_price is not null and not exists (select from builder.offers o where o.quote_id = old.id) then
    insert into builder.offers values (
      old.id,
      builder.terms_of(
        old.unit_price, old.total_price, old.currency, old.roster_count, old.size_breakdown, old.customization
      ),
      old.total_price
    );
  end if;
  if new.status = 'quoted' then
    insert into builder.offers values (
      new.id,
      builder.terms_of(
        new.unit_price, new.total_price, new.currency, new.roster_count, new.size_breakdown, new.customization
      ),
      new.total_price
    ) on conflict do nothing;
  end if;
  return null;
end
$$;

-- AFTER, since an upsert also fires BEFORE INSERT triggers for a row that it updates.
create or replace trigger offers_of_new_quotes after insert on builder.quotes
  for each row when (new.status = 'quoted') execute function builder.note_offers();

create or replace trigger offers after update on builder.quotes
  for each row when (new.status = 'quoted' or old.total_price is not null) execute function builder.note_offers();

-- Records which price columns a statement names. Each trigger below fires when the SET clause has its column.
create or replace function builder.note_named_column() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  place constant text := concat_ws('|', statement_timestamp(), new.id);
  named constant text := current_setting('builder.named_columns', true);
begin
  perform builder.meet_quote('price', new.id, false);
  perform set_config('builder.named_columns',
    case when starts_with(named, place || '|') then named else place || '|' end || tg_argv[0] || ',', true);
  return new;
end
$$;

-- Triggers fire in the order of their names: these before `rules`.
create or replace trigger names_currency before update of currency on builder.quotes
  for each row when (current_user <> 'builder_customer') execute function builder.note_named_column('currency');

create or replace trigger names_total_price before update of total_price on builder.quotes
  for each row when (current_user <> 'builder_customer') execute function builder.note_named_column('total_price');

create or replace trigger names_unit_price before update of unit_price on builder.quotes
  for each row when (current_user <> 'builder_customer') execute function builder.note_named_column('unit_price');

-- Refuses a statement that prices or approves quotes by a filter without an id, since the filter may match a quote
-- that the caller has not read; and one that matches several quotes. `acts`: this quote is priced or approved, not
-- only matched.
create or replace function builder.meet_quote(act text, quote_id uuid, acts boolean) returns void
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  setting constant text := 'builder.' || act;
  this constant text := statement_timestamp();
  -- The statement, its last quote, whether it priced or approved one, and whether it matched several.
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

-- Refuses a price from a request that may not have read the quote. The price of a draft is not an offer: it is
-- cleared when the customer edits the draft, and the move to quoted names it again.
create or replace function builder.check_pricing(quote_id uuid, old_status text, new_status text, currency text) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  moves constant boolean := new_status = 'quoted' and old_status <> 'quoted';
  place constant text := concat_ws('|', statement_timestamp(), quote_id, '');
  naming constant text := current_setting('builder.named_columns', true);
  named constant text[] := case when starts_with(naming, place) then string_to_array(substr(naming, length(place) + 1), ',') end;
  unnamed constant text[] := array(
    select name from unnest(array['unit_price', 'total_price'] || case when currency <> 'USD' then array['currency'] end) name
    where name <> all (coalesce(named, '{}'))
  );
  was_changed boolean;
  changed_since_priced boolean;
  what constant text := case when moves then format('A quote cannot move from %s to quoted', old_status)
    else format('The price of a quote that is %s cannot change', old_status) end;
begin
  perform builder.meet_quote('price', quote_id, true);
  if moves and unnamed <> '{}' then
    raise sqlstate 'PT409' using
      message = format('%s unless the request names its %s', what, array_to_string(unnamed, ' and ')),
      detail = format('The quote has them already, in %s, but this request may not have read them.', currency),
      hint = 'Write .update({ status: ''quoted'', unit_price, total_price, currency }).';
  end if;
  select c.since_priced into changed_since_priced from builder.changed_quotes c where c.quote_id = $1;
  was_changed := found;
  if current_setting('request.version', true) is distinct from 'compared' and (
    case when moves then old_status <> 'submitted' or was_changed
    else new_status <> old_status or old_status not in ('draft', 'submitted', 'quoted')
      or coalesce(changed_since_priced, false) end
  ) then
    raise sqlstate 'PT409' using
      message = format('%s unless the request names the version that was priced', what),
      detail = case
        when moves and old_status = 'draft' then 'It is a draft, which its customer may change at any moment.'
        when was_changed then 'It may have been changed since it was first submitted or last priced.'
        else format('It is %s, and may have been changed before.', old_status) end,
      hint = 'Read it again, and write .update({ … }).match({ id, updated_at }) with the id and updated_at of what you read; or send its ETag in If-Match.';
  end if;
  -- The version that was read is priced.
  update builder.changed_quotes c set since_priced = false where c.quote_id = $1 and c.since_priced;
end
$$;

-- Refuses an approval by a request that may have read another offer. A filter compares `old_total`; `terms` are
-- approved.
create or replace function builder.check_approval(quote_id uuid, old_status text, terms bytea, old_total numeric) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  has_other_terms constant boolean := exists (
    select from builder.offers o where o.quote_id = $1 and o.terms <> $3
  );
  has_other_terms_of_this_total constant boolean := exists (
    select from builder.offers o where o.quote_id = $1 and o.terms <> $3 and o.total_price = $4
  );
  -- An ordered quote may have got its price after it was ordered.
  is_offer constant boolean := old_status = 'quoted' or (old_status = 'ordered' and exists (
    select from builder.offers o where o.quote_id = $1 and o.terms = $3
  ));
begin
  if current_setting('request.version', true) = 'compared' or (
    is_offer and (
      not has_other_terms
      or (current_setting('request.price', true) = 'compared' and not has_other_terms_of_this_total)
    )
  ) then
    return;
  end if;
  raise sqlstate 'PT409' using
    message = format('A quote cannot move from %s to approved unless the request names %s that was read', old_status,
      case when is_offer and not has_other_terms_of_this_total then 'the version or the price' else 'the version' end),
    detail = case when has_other_terms then 'Its price, currency, size or roster has changed since it was first quoted.'
      else format('It is %s, so it may have been changed since somebody agreed to its price.', old_status) end,
    hint = case when is_offer and not has_other_terms_of_this_total
      then 'Read it again, and write .update({ status: ''approved'' }).match({ id, total_price }) with what you read, or .match({ id, updated_at }); or send its ETag in If-Match.'
      else 'Read it again, and write .update({ status: ''approved'' }).match({ id, updated_at }) with what you read; or send its ETag in If-Match.' end;
end
$$;

-- Returns whether a customer's update changes more than the status.
create or replace function builder.is_edited(old builder.quotes, new builder.quotes) returns boolean
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
declare
  moves constant text[] := '{status,submitted_at,approved_at,created_at,updated_at,deleted_at}';
begin
  return to_jsonb(old) - moves <> to_jsonb(new) - moves;
end
$$;

-- Sets the times and names of a move, or of a quote that is created in another status than draft, unless staff supply
-- them.
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

-- Calls the rules. A row is passed to a function only where a rule could refuse it or a time is set, since passing it
-- costs more than the rules do.
create or replace function builder.rule_quote() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  by_customer constant boolean := current_user = 'builder_customer';
  moved constant boolean := new.status <> coalesce(old.status, 'draft');
  priced boolean := false;
  present boolean := false;
begin
  if by_customer then
    -- The policy would refuse it too, but its error names no column and is also that of an upsert of a hidden row.
    if new.account_id is distinct from old.account_id and new.account_id <> all (builder.caller_account_ids()) then
      raise insufficient_privilege using
        message = 'new row violates row-level security policy for table "quotes"',
        schema = 'builder', table = 'quotes', column = 'account_id';
    end if;
    if tg_op = 'INSERT' then
      if moved or new.source = 'admin_created' or new.created_by is not null then
        -- An upsert updates a row that exists, and the rules apply to the update. Constraints are checked before, of
        -- the row to insert, so it gets the values that they require in columns that a customer can't write.
        select coalesce(q.unit_price, 0), coalesce(q.total_price, 0), case when new.status = 'ordered' then q.fulfillment_status end
        into new.unit_price, new.total_price, new.fulfillment_status
        from builder.quotes q where q.id = new.id for key share;
        present := found;
        if not present then
          perform builder.check_customer_insert(new);
        end if;
      end if;
    elsif moved or old.status <> 'draft' or old.deleted_at is not null or new.deleted_at is not null
      or new.source <> old.source or new.created_by is distinct from old.created_by
    then
      perform builder.check_customer_update(old, new);
    end if;
    new.submitted_at := old.submitted_at;
    new.approved_at := old.approved_at;
    new.created_at := coalesce(old.created_at, now());
    if new.deleted_at is not null then
      new.deleted_at := now();
    end if;
    if old.status <> 'draft' then
      perform builder.mark_changed(new.id);
    elsif (new.unit_price is not null or new.total_price is not null) and old.status = 'draft' and builder.is_edited(old, new) then
      new.unit_price := null;
      new.total_price := null;
    end if;
  else
    if new.status <> 'draft' and (new.quote_number is distinct from old.quote_number or old.status = 'draft') then
      perform builder.add_imported_number(new.quote_number);
    end if;
    if tg_op = 'INSERT' then
      perform set_config('builder.upserted_quote', concat_ws('|', statement_timestamp(), new.id), true);
    else
      -- A constraint refuses a quoted quote without prices.
      priced := (new.status <> 'quoted' or (new.unit_price is not null and new.total_price is not null)) and (
        (moved and new.status = 'quoted') or new.currency <> old.currency
        or new.unit_price is distinct from old.unit_price or new.total_price is distinct from old.total_price
      );
      if priced then
        perform builder.check_pricing(old.id, old.status, new.status, new.currency);
      end if;
      -- A member of staff who moves it to draft or submitted may not have read it; a customer who submits it has.
      if moved and (new.status = 'draft' or (new.status = 'submitted' and old.status <> 'quoted')) then
        perform builder.mark_changed(new.id);
      end if;
    end if;
  end if;
  if new.status = 'quoted' and new.expires_at <= now() then
    if tg_op = 'UPDATE' and new.expires_at is not distinct from old.expires_at then
      new.expires_at := case when not (moved or priced) then new.expires_at end;
    elsif current_user = 'builder_staff' then
      perform builder.refuse_value('quotes', 'an_offer_ends_in_the_future');
    end if;
  end if;
  if tg_op = 'INSERT' then
    if not present then
      new.created_by := coalesce(new.created_by, builder.caller_id());
    end if;
  elsif new.status = 'approved' then
    perform builder.meet_quote('approve', new.id, moved);
  elsif moved and new.status = 'submitted' and old.status <> 'draft' then
    -- A quote that is submitted again has no price, except one that this request sets.
    new.unit_price := case when new.unit_price is distinct from old.unit_price then new.unit_price end;
    new.total_price := case when new.total_price is distinct from old.total_price then new.total_price end;
    new.expires_at := case when new.expires_at is distinct from old.expires_at then new.expires_at end;
  end if;
  if tg_op = 'UPDATE' or by_customer then
    -- Each version has its own updated_at, also if two transactions begin in the same microsecond or wait for each
    -- other. A time further in the future was imported.
    new.updated_at := case when old.updated_at >= now() and old.updated_at < now() + interval '1 minute'
      then old.updated_at + interval '1 microsecond' else now() end;
  end if;
  if moved then
    if old.status = 'ordered' then
      new.fulfillment_status := null;
    end if;
    if new.status in ('submitted', 'quoted', 'approved') then
      new := builder.stamp_move(old, new);
    end if;
  end if;
  return new;
end
$$;

create or replace trigger rules before insert or update on builder.quotes
  for each row execute function builder.rule_quote();

-- Refuses changes of the terms that were approved. A request that names the version may correct them while the quote
-- stays ordered.
create or replace function builder.keep_terms() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  if old.status = 'approved' or new.status <> 'ordered' then
    raise sqlstate 'PT409' using
      message = format('The price, currency, size and roster of a quote that is %s cannot change', old.status)
        || case when old.status = 'ordered' then format(' in the move to %s', new.status) else '' end,
      detail = 'Its customer approved them as they are.',
      hint = 'Make a new offer: .update({ status: ''quoted'', unit_price, total_price, … }).match({ id, updated_at }).';
  elsif current_setting('request.version', true) is distinct from 'compared' then
    raise sqlstate 'PT409' using
      message = 'The price, currency, size and roster of a quote that is ordered cannot change unless the request names the version that was read',
      detail = 'The correction is sent to its customer.',
      hint = 'Read it again, and write .update({ … }).match({ id, updated_at }) with the id and updated_at of what you read; or send its ETag in If-Match.';
  end if;
  return new;
end
$$;

-- Fires after `rules`.
create or replace trigger terms before update of unit_price, total_price, currency, roster_count, size_breakdown, customization
  on builder.quotes for each row
  when (
    old.status in ('approved', 'ordered') and new.status not in ('quoted', 'submitted')
    and (new.unit_price, new.total_price, new.currency, new.roster_count, new.size_breakdown, new.customization)
      is distinct from (old.unit_price, old.total_price, old.currency, old.roster_count, old.size_breakdown, old.customization)
  )
  execute function builder.keep_terms();

grant execute on function
  builder.columns_open_after_draft(),
  builder.refuse_move(text, text, text[]),
  builder.check_customer_insert(builder.quotes),
  builder.closed_column_changed(builder.quotes, builder.quotes),
  builder.check_customer_update(builder.quotes, builder.quotes),
  builder.mark_changed(uuid),
  builder.terms_of(numeric, numeric, text, integer, jsonb, jsonb),
  builder.meet_quote(text, uuid, boolean),
  builder.check_approval(uuid, text, bytea, numeric),
  builder.stamp_move(builder.quotes, builder.quotes)
  to builder_customer, builder_staff;
grant execute on function
  builder.forbid_column(text, text, text),
  builder.is_edited(builder.quotes, builder.quotes)
  to builder_customer;
grant execute on function builder.check_pricing(uuid, text, text, text) to builder_staff;
