-- The life of a quote: ten numbered rules. One trigger, apply_quote_rules(), calls them in the order that it explains. They hold
-- for everyone who writes: the service, the sweep and psql. What happened before is known from quote_events, and what was offered from quote_offers.
--
-- A request says in settings of its transaction what it names:
--   request.version  'compared': its filter compares updated_at, or the version of an ETag, of one row
--   request.price    'compared': its filter compares total_price of one row
--   request.rows     'one': its filter names one id; 'keyed': each row of its body has its key; 'filtered': neither
--   request.columns  the columns that it names, separated by commas
-- The sweep sets none of them, and psql only what its user sets. Then each row is judged by itself.

-- Whether the request names the version of the row that it changes.
create or replace function builder.names_version() returns boolean
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$ begin return current_setting('request.version', true) is not distinct from 'compared'; end $$;

-- Whether the request names this column; null where no request says what it names.
create or replace function builder.names_column(column_name text) returns boolean
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  return column_name = any (string_to_array(nullif(current_setting('request.columns', true), ''), ','));
end
$$;

-- Whether a price is set: by an offer, or by another price or currency. A price that is removed is no price.
create or replace function builder.sets_price(old builder.quotes, new builder.quotes) returns boolean
  language plpgsql immutable set search_path = pg_catalog, pg_temp
as $$
begin
  return (new.status = 'quoted' and old.status is distinct from 'quoted')
    or (new.unit_price is not null and new.unit_price is distinct from old.unit_price)
    or (new.total_price is not null and new.total_price is distinct from old.total_price)
    or new.currency <> old.currency;
end
$$;

-- The first term besides the price that differs between two states of a quote, or null. The terms are what an offer is about.
create or replace function builder.changed_design(old builder.quotes, new builder.quotes) returns text
  language plpgsql immutable set search_path = pg_catalog, pg_temp
as $$
begin
  return case
    when new.product_id is distinct from old.product_id then 'product_id'
    when new.design_id is distinct from old.design_id then 'design_id'
    when new.sport is distinct from old.sport then 'sport'
    when new.colors is distinct from old.colors then 'colors'
    when new.roster_count is distinct from old.roster_count then 'roster_count'
    when new.size_breakdown is distinct from old.size_breakdown then 'size_breakdown'
    when new.rush_order is distinct from old.rush_order then 'rush_order'
    when new.customization is distinct from old.customization then 'customization'
  end;
end
$$;

-- The first of all terms that differs, or null.
create or replace function builder.changed_term(old builder.quotes, new builder.quotes) returns text
  language plpgsql immutable set search_path = pg_catalog, pg_temp
as $$
begin
  return coalesce(case
    when new.unit_price is distinct from old.unit_price then 'unit_price'
    when new.total_price is distinct from old.total_price then 'total_price'
    when new.currency is distinct from old.currency then 'currency'
  end, builder.changed_design(old, new));
end
$$;

-- The first field that a customer may change only in a draft and that differs, or null.
create or replace function builder.changed_draft_field(old builder.quotes, new builder.quotes) returns text
  language plpgsql immutable set search_path = pg_catalog, pg_temp
as $$
begin
  return coalesce(builder.changed_term(old, new), case
    when new.account_id is distinct from old.account_id then 'account_id'
    when new.quote_number is distinct from old.quote_number then 'quote_number'
    when new.preview_front_url is distinct from old.preview_front_url then 'preview_front_url'
    when new.preview_back_url is distinct from old.preview_back_url then 'preview_back_url'
    when new.avatar_preview is distinct from old.avatar_preview then 'avatar_preview'
    when new.source is distinct from old.source then 'source'
    when new.created_by is distinct from old.created_by then 'created_by'
    when new.event_date is distinct from old.event_date then 'event_date'
    when new.tool_2d is distinct from old.tool_2d then 'tool_2d'
    when new.techpack_file is distinct from old.techpack_file then 'techpack_file'
  end);
end
$$;

-- The first field that a customer may change until the quote is ordered or closed and that differs, or null.
create or replace function builder.changed_open_field(old builder.quotes, new builder.quotes) returns text
  language plpgsql immutable set search_path = pg_catalog, pg_temp
as $$
begin
  return case
    when new.customer_notes is distinct from old.customer_notes then 'customer_notes'
    when new.contact_name is distinct from old.contact_name then 'contact_name'
    when new.contact_email is distinct from old.contact_email then 'contact_email'
    when new.contact_phone is distinct from old.contact_phone then 'contact_phone'
    when new.company is distinct from old.company then 'company'
    when new.shipping_address is distinct from old.shipping_address then 'shipping_address'
    when new.billing_address is distinct from old.billing_address then 'billing_address'
    when new.delivery_method is distinct from old.delivery_method then 'delivery_method'
  end;
end
$$;

-- Refuses a column to a customer. The service reports it at its field.
create or replace function builder.forbid_column(column_name text, why text, hint text) returns void
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  raise insufficient_privilege using
    message = 'permission denied: ' || why, hint = forbid_column.hint, schema = 'builder', table = 'quotes', column = column_name;
end
$$;

-- Rule 1, moves: a customer creates drafts and makes the moves of quote_transitions. Staff make any move.
create or replace function builder.check_move(old builder.quotes, new builder.quotes) returns void
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
declare
  moves text[];
begin
  if old.id is null then
    if new.status <> 'draft' then
      raise sqlstate 'PT409' using
        message = format('A quote cannot be created as %s', new.status), detail = 'This caller may create it as: draft.';
    end if;
  elsif new.status <> old.status then
    moves := array(select t.to_status from builder.quote_transitions t where t.from_status = old.status order by 1);
    if new.deleted_at is not null then
      moves := '{}';
    end if;
    if new.status <> all (moves) then
      raise sqlstate 'PT409' using
        message = format('A quote cannot move from %s to %s', old.status, new.status),
        detail = case when moves = '{}' then format('From %s this caller has no moves.', old.status)
          else format('From %s this caller may move it to: %s.', old.status, array_to_string(moves, ', ')) end;
    end if;
  end if;
end
$$;

-- Rule 2, fields: a customer edits a draft. Afterwards it edits only what changed_open_field() lists, until the quote is ordered
-- or closed. The request that moves a closed quote back to submitted may edit these fields too.
create or replace function builder.check_fields(old builder.quotes, new builder.quotes) returns void
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
declare
  is_closed constant boolean := old.status in ('ordered', 'rejected', 'expired', 'cancelled') and new.status = old.status;
  field text;
begin
  if new.account_id is distinct from old.account_id and new.account_id <> all (builder.caller_account_ids()) then
    -- The policy refuses it too, with an error that names no column.
    raise insufficient_privilege using
      message = 'new row violates row-level security policy for table "quotes"',
      schema = 'builder', table = 'quotes', column = 'account_id';
  end if;
  if new.source = 'admin_created' and new.source is distinct from old.source then
    perform builder.forbid_column('source', 'only staff may set source to admin_created', '');
  end if;
  if new.created_by is distinct from old.created_by and new.created_by is distinct from builder.caller_id() then
    perform builder.forbid_column('created_by', 'created_by must be the caller', '');
  end if;
  if old.status <> 'draft' then
    field := coalesce(
      builder.changed_draft_field(old, new), case when is_closed then builder.changed_open_field(old, new) end
    );
    if field is not null then
      perform builder.forbid_column(field, format('%s of a quote that is %s cannot be changed', field, old.status), case
        when old.status in ('rejected', 'expired') then 'Move it to submitted first.'
        when old.status in ('ordered', 'cancelled') then ''
        else 'Still open: status, customer_notes, contact_name, contact_email, contact_phone, company, shipping_address, '
          'billing_address, delivery_method.'
      end);
    end if;
  end if;
end
$$;

-- Rule 2, deletion: a customer deletes a draft or a closed quote. Only staff change a deleted one.
create or replace function builder.check_deletion(old builder.quotes, new builder.quotes) returns void
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  if old.deleted_at is not null then
    raise insufficient_privilege using message = 'permission denied: only staff may change a deleted quote';
  end if;
  if new.deleted_at is not null and old.status not in ('draft', 'rejected', 'expired', 'cancelled') then
    raise sqlstate 'PT409' using
      message = format('A quote that is %s cannot be deleted', old.status),
      detail = 'A draft or a closed quote (rejected, expired, cancelled) can be deleted.';
  end if;
end
$$;

-- Rule 3, submission: a move to submitted removes the prices, and except from draft the expires_at, that the request leaves
-- unchanged. What is asked for, or asked for again, has no price yet.
create or replace function builder.clear_at_submission(old builder.quotes, new builder.quotes) returns builder.quotes
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  new.unit_price := case when new.unit_price is distinct from old.unit_price then new.unit_price end;
  new.total_price := case when new.total_price is distinct from old.total_price then new.total_price end;
  if old.status <> 'draft' and new.expires_at is not distinct from old.expires_at then
    new.expires_at := null;
  end if;
  return new;
end
$$;

-- Rule 4, offer: quoted needs both prices. When a quote is priced, an end that has passed is removed if the request leaves it
-- unchanged. A request that sets an end that has passed is refused.
create or replace function builder.check_offer(old builder.quotes, new builder.quotes) returns builder.quotes
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  if new.unit_price is null or new.total_price is null then
    perform builder.refuse_value('quotes', 'a_quoted_quote_has_both_prices');
  end if;
  if new.expires_at <= now() then
    if new.expires_at is distinct from old.expires_at then
      if current_user = 'builder_staff' then
        perform builder.refuse_value('quotes', 'an_offer_ends_in_the_future');
      end if;
    elsif builder.sets_price(old, new) then
      new.expires_at := null;
    end if;
  end if;
  return new;
end
$$;

-- Rule 5, price: outside a draft, a request that sets a price names the version, unless only one version can have been read.
-- A move to quoted without the version names both prices, and a currency other than USD.
create or replace function builder.check_price(old builder.quotes, new builder.quotes) returns void
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  moves constant boolean := new.status = 'quoted' and old.status <> 'quoted';
  what constant text := case when moves then format('A quote cannot move from %s to quoted', old.status)
    else format('The price of a quote that is %s cannot change', old.status) end;
  unnamed constant text[] := array_remove(array[
    case when not builder.names_column('unit_price') then 'unit_price' end,
    case when not builder.names_column('total_price') then 'total_price' end,
    case when not builder.names_column('currency') and new.currency <> 'USD' then 'currency' end
  ], null);
begin
  perform builder.require_one_quote('price');
  if new.status = 'draft' or builder.names_version() then
    return;
  end if;
  if moves and unnamed <> '{}' then
    raise sqlstate 'PT409' using
      message = format('%s unless the request names its %s', what, array_to_string(unnamed, ' and ')),
      detail = format('The quote has them already, in %s, but this request may not have read them.', new.currency),
      hint = 'Write .update({ status: ''quoted'', unit_price, total_price, currency }).';
  end if;
  if old.status not in ('submitted', 'quoted') or not builder.has_one_version_to_price(old.id) then
    raise sqlstate 'PT409' using
      message = format('%s unless the request names the version that was priced', what),
      detail = case when old.status = 'draft' then 'It is a draft, which its customer may change at any moment.'
        when old.status in ('submitted', 'quoted') then 'It may have been changed since it was first submitted or last priced.'
        else format('It is %s, and may have been changed before.', old.status) end,
      hint = 'Read it again, and write .update({ … }).match({ id, updated_at }) with the id and updated_at of what you read; or send its ETag in If-Match.';
  end if;
end
$$;

-- Returns whether the last event is the first submission, not by a member of the staff, or an offer with its price (and not
-- another currency before there is a price). Then only one version can have been read.
create or replace function builder.has_one_version_to_price(quote uuid) returns boolean
  language sql volatile security definer set search_path = pg_catalog, pg_temp
as $$
  select coalesce(bool_and(
    (last.event in ('quote.quoted', 'quote.repriced') and last.offer is not null) or (
      last.event = 'quote.submitted' and last.created_as <> 'staff' and coalesce(last.previous_status, 'draft') = 'draft'
      and last.place = 1
    )
  ), false)
  from (
    select e.*, row_number() over (order by e.id) as place, row_number() over (order by e.id desc) as place_from_end
    from builder.quote_events e
    where e.quote_id = quote and e.event not in ('quote.deleted', 'quote.restored', 'quote.expiring')
  ) last
  where last.place_from_end = 1
$$;

-- Rule 6, approval: a request that approves a quote, or orders one that is not approved, names the version, unless only these
-- terms were ever offered; with total_price in its filter, unless other terms had that total. Nothing is approved after its end.
-- An update that sets `approved` again is checked too, since its caller may have read other terms.
create or replace function builder.check_approval(old builder.quotes, new builder.quotes) returns void
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  is_offered boolean;
  has_other_terms boolean;
  has_other_terms_of_this_total boolean;
  by_price boolean;
begin
  if new.status = 'approved' and old.status is distinct from 'approved' and new.expires_at <= now() then
    raise sqlstate 'PT409' using
      message = 'A quote that has expired cannot be approved',
      detail = format('It expired at %s.', to_json(new.expires_at) #>> '{}');
  elsif old.id is null then
    return;
  end if;
  perform builder.require_one_quote('approve');
  select * into is_offered, has_other_terms, has_other_terms_of_this_total from builder.compare_offers(new, old.total_price);
  is_offered := is_offered and old.status in ('quoted', 'approved', 'ordered');
  by_price := is_offered and not has_other_terms_of_this_total;
  if builder.names_version() or (
    is_offered and (not has_other_terms or (by_price and current_setting('request.price', true) is not distinct from 'compared'))
  ) then
    return;
  end if;
  raise sqlstate 'PT409' using
    message = format('A quote cannot move from %s to %s unless the request names %s that was read', old.status, new.status,
      case when by_price then 'the version or the price' else 'the version' end),
    detail = case when has_other_terms then 'Its price, size, roster or design has changed since it was first offered.'
      else format('It is %s, so it may have been changed since somebody agreed to its price.', old.status) end,
    hint = format('Read it again, and write .update({ status: ''%s'' }).match({ id, %s', new.status, case when by_price
      then 'total_price }) with what you read, or .match({ id, updated_at }); or send its ETag in If-Match.'
      else 'updated_at }) with what you read; or send its ETag in If-Match.' end);
end
$$;

-- Rule 7, one quote: a request whose filter names no single id neither prices nor approves, since it may match a quote that
-- was never read.
create or replace function builder.require_one_quote(act text) returns void
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  if current_setting('request.rows', true) is not distinct from 'filtered' then
    raise sqlstate 'PT409' using
      message = format('A request with a filter can %s only one quote, and the filter must name its id', act),
      detail = 'This filter names no single id.',
      hint = 'Write .update({ … }).eq(''id'', quote.id) for each, or send one PATCH with an array of rows that have their ids.';
  end if;
end
$$;

-- Rule 8, terms: the terms of an approved or ordered quote change only in a move to quoted or submitted, or, while it stays
-- ordered, by a request that names the version.
create or replace function builder.check_terms(old builder.quotes, new builder.quotes) returns void
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
declare
  term constant text := builder.changed_term(old, new);
  stays_ordered constant boolean := old.status = 'ordered' and new.status = 'ordered';
begin
  if term is null or (stays_ordered and builder.names_version()) then
    return;
  end if;
  raise sqlstate 'PT409' using
    message = format('The %s of a quote that is %s cannot change', term, old.status) || case
      when stays_ordered then ' unless the request names the version that was read'
      when new.status <> old.status then format(' in the move to %s', new.status) else '' end,
    detail = case when stays_ordered then 'The correction is sent to its customer.'
      else 'Its customer approved the price, sizes, roster and design as they are.' end,
    hint = case when stays_ordered
      then 'Read it again, and write .update({ … }).match({ id, updated_at }) with the id and updated_at of what you read; or send its ETag in If-Match.'
      else 'Make a new offer: .update({ status: ''quoted'', unit_price, total_price, … }).match({ id, updated_at }).' end;
end
$$;

-- Rule 9, stamps: the database's clock stamps a move or a price, unless staff supply the time. `quoted_by` is who priced
-- last. Each `updated_at` is later than the one before.
create or replace function builder.stamp_quote(old builder.quotes, new builder.quotes) returns builder.quotes
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
declare
  by_customer constant boolean := current_user = 'builder_customer';
  moved constant boolean := new.status <> coalesce(old.status, 'draft');
begin
  if by_customer then
    new.submitted_at := old.submitted_at;
    new.approved_at := old.approved_at;
    new.created_at := coalesce(old.created_at, now());
    new.deleted_at := case when new.deleted_at is not null then now() end;
  end if;
  if old.id is null then
    new.created_by := coalesce(new.created_by, builder.caller_id());
  end if;
  if old.id is not null or by_customer then
    new.updated_at := greatest(now(), old.updated_at + interval '1 microsecond');
  end if;
  if moved and new.status = 'submitted' and new.submitted_at is not distinct from old.submitted_at then
    new.submitted_at := now();
  elsif moved and new.status = 'approved' and new.approved_at is not distinct from old.approved_at then
    new.approved_at := now();
  end if;
  if not by_customer and new.status <> 'draft' and builder.sets_price(old, new) and (old.id is not null or new.status = 'quoted') then
    if new.quoted_at is not distinct from old.quoted_at then
      new.quoted_at := now();
    end if;
    if new.quoted_by is not distinct from old.quoted_by then
      new.quoted_by := coalesce(builder.caller_id(), old.quoted_by);
    end if;
  end if;
  return new;
end
$$;

-- Rule 10, fulfillment: it exists only while a quote is ordered (a constraint says so), and leaving that state clears it.
create or replace function builder.clear_fulfillment(new builder.quotes) returns builder.quotes
  language plpgsql immutable set search_path = pg_catalog, pg_temp
as $$ begin new.fulfillment_status := null; return new; end $$;

-- Whether the row exists in an account of the caller. It stays until the end of the transaction.
create or replace function builder.is_own_quote(quote uuid) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform from builder.quotes q where q.id = quote and q.account_id = any (builder.caller_account_ids()) for key share;
  return found;
end
$$;

-- Applies the rules, in the order in which one may rely on another: a price is checked before rules 3 and 4 remove one. A
-- rule is called only where it can matter, since passing a row to a function costs more than the condition.
create or replace function builder.apply_quote_rules() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  by_customer constant boolean := current_user = 'builder_customer';
  moved constant boolean := new.status is distinct from coalesce(old.status, 'draft');
begin
  if by_customer then
    -- An upsert of an existing row becomes an update, which is checked then.
    if tg_op = 'INSERT' and (moved or new.source = 'admin_created' or new.created_by is not null)
      and builder.is_own_quote(new.id)
    then
      return new;
    end if;
    if old.deleted_at is not null or new.deleted_at is not null then
      perform builder.check_deletion(old, new); -- 2
    end if;
    if moved then
      perform builder.check_move(old, new); -- 1
    end if;
    perform builder.check_fields(old, new); -- 2
  elsif tg_op = 'UPDATE' and builder.sets_price(old, new)
    and not (new.status = 'quoted' and (new.unit_price is null or new.total_price is null))
  then
    perform builder.check_price(old, new); -- 5, and 7
  end if;
  if moved and tg_op = 'UPDATE' and new.status = 'submitted' then
    new := builder.clear_at_submission(old, new); -- 3
  elsif new.status = 'quoted' then
    new := builder.check_offer(old, new); -- 4
  elsif (new.status = 'approved' and (old.status is distinct from 'approved' or builder.names_column('status')))
    or (new.status = 'ordered' and old.status not in ('approved', 'ordered'))
  then
    perform builder.check_approval(old, new); -- 6, and 7
  end if;
  if old.status in ('approved', 'ordered') and new.status not in ('quoted', 'submitted') then
    perform builder.check_terms(old, new); -- 8
  end if;
  if old.status = 'ordered' and moved then
    new := builder.clear_fulfillment(new); -- 10
  end if;
  return builder.stamp_quote(old, new); -- 9
end
$$;
create or replace trigger rules before insert or update on builder.quotes
  for each row execute function builder.apply_quote_rules();

grant execute on function
  builder.names_version(),
  builder.names_column(text),
  builder.sets_price(builder.quotes, builder.quotes),
  builder.changed_design(builder.quotes, builder.quotes),
  builder.changed_term(builder.quotes, builder.quotes),
  builder.check_offer(builder.quotes, builder.quotes),
  builder.clear_at_submission(builder.quotes, builder.quotes),
  builder.check_approval(builder.quotes, builder.quotes),
  builder.require_one_quote(text),
  builder.check_terms(builder.quotes, builder.quotes),
  builder.clear_fulfillment(builder.quotes),
  builder.stamp_quote(builder.quotes, builder.quotes)
  to builder_customer, builder_staff;
grant execute on function
  builder.changed_draft_field(builder.quotes, builder.quotes),
  builder.changed_open_field(builder.quotes, builder.quotes),
  builder.forbid_column(text, text, text),
  builder.check_move(builder.quotes, builder.quotes),
  builder.check_fields(builder.quotes, builder.quotes),
  builder.check_deletion(builder.quotes, builder.quotes),
  builder.is_own_quote(uuid)
  to builder_customer;
grant execute on function
  builder.check_price(builder.quotes, builder.quotes),
  builder.has_one_version_to_price(uuid)
  to builder_staff;
