-- The life of a quote: ten numbered rules, each a function below its sentence; 1 and 2 are in quote-fields.sql. One trigger,
-- apply_quote_rules(), calls them. They hold for everyone who writes: the service, the sweep and psql. What happened before is
-- known from quote_events, and what was offered from quote_offers.
--
-- A request says in settings of its transaction what it names:
--   request.version  'compared': its filter compares updated_at, or the version of an ETag, of one row
--   request.price    'compared': its filter compares total_price of one row
--   request.rows     'one': its filter names one id; 'keyed': each row of its body has its key; 'filtered': neither
--   request.columns  the columns that its body has, separated by commas
-- The sweep sets none of them, and psql only what its user sets. Then each row is judged by itself.

-- Whether the body of the request has this column.
create or replace function builder.names_column(column_name text) returns boolean
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  return coalesce(column_name = any (string_to_array(current_setting('request.columns', true), ',')), false);
end
$$;

-- Whether the body of the request has this column of a row whose key it names.
create or replace function builder.body_names(column_name text) returns boolean
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  return builder.names_column(column_name) and coalesce(current_setting('request.rows', true) in ('one', 'keyed'), false);
end
$$;

-- Whether the request names the version of the row that it changes: by its filter, or by the updated_at of its body.
create or replace function builder.names_version(old builder.quotes, new builder.quotes) returns boolean
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  return current_setting('request.version', true) is not distinct from 'compared'
    or (builder.body_names('updated_at') and coalesce(new.updated_at = old.updated_at, false));
end
$$;

-- Whether the request names the price of the row that it changes: by its filter, or by the total_price of its body.
create or replace function builder.names_price(old builder.quotes, new builder.quotes) returns boolean
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  return current_setting('request.price', true) is not distinct from 'compared'
    or (builder.body_names('total_price') and coalesce(new.total_price = old.total_price, false));
end
$$;

-- Returns the hint for a request that must name a version, or a price if `column_name` is total_price.
create or replace function builder.naming_hint(update text, column_name text default 'updated_at') returns text
  language plpgsql immutable set search_path = pg_catalog, pg_temp
as $$
begin
  return format(
    'Read it again, and write .update({ %s }).match({ id, %s }) with what you read. As an address: PATCH …/quotes?id=eq.…&%s. '
    'Or send what you read of %2$s in the body%s.', update, column_name,
    case column_name when 'updated_at' then 'updated_at=eq.2026-…%2B00:00' else 'total_price=eq.…' end,
    case column_name when 'updated_at' then ', or its ETag in If-Match' else '' end
  );
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

-- Rule 3, submission: a move to submitted or back to draft removes the prices with quoted_at and quoted_by, and except in draft →
-- submitted the expires_at, that the request leaves unchanged. What is asked for, or asked for again, has no price yet.
create or replace function builder.clear_at_submission(old builder.quotes, new builder.quotes) returns builder.quotes
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  new.unit_price := case when new.unit_price is distinct from old.unit_price then new.unit_price end;
  new.total_price := case when new.total_price is distinct from old.total_price then new.total_price end;
  new.quoted_at := case when new.quoted_at is distinct from old.quoted_at then new.quoted_at end;
  new.quoted_by := case when new.quoted_by is distinct from old.quoted_by then new.quoted_by end;
  if old.status <> 'draft' and new.expires_at is not distinct from old.expires_at then
    new.expires_at := null;
  end if;
  return new;
end
$$;

-- Rule 3, submission: the contact_email, which a draft may hold half typed, is checked in a move to, or an insert as, submitted, quoted,
-- approved or ordered, and when it changes in a quote that is no draft.
create or replace function builder.check_contact(old builder.quotes, new builder.quotes, moved boolean) returns void
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  if ((moved and new.status in ('submitted', 'quoted', 'approved', 'ordered'))
      or (old.id is not null and new.contact_email is distinct from old.contact_email))
    and not builder.is_email_address(new.contact_email)
  then
    perform builder.refuse_value('quotes', 'contact_email_is_one_address');
  end if;
end
$$;

-- Rule 4, offer: quoted needs both prices. When a quote is priced, an end that has passed is removed if the request leaves it
-- unchanged. A request of the API that sets an end that has passed is refused.
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

-- Rule 5, price: outside a draft, a request that sets a price names the version, unless the quote is submitted, quoted, rejected or
-- expired and has had one design only. Without the version it also names a currency that is neither USD nor of an offer.
create or replace function builder.check_price(old builder.quotes, new builder.quotes) returns void
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  what constant text := case when new.status = 'quoted' and old.status <> 'quoted'
    then format('A quote cannot move from %s to quoted', old.status)
    else format('The price of a quote that is %s cannot change', old.status) end;
  update constant text := case when new.status = 'quoted' then 'status: ''quoted'', ' else '' end || 'unit_price, total_price';
begin
  perform builder.require_one_quote('price');
  if new.status = 'draft' or builder.names_version(old, new) then
    return;
  end if;
  if old.status not in ('submitted', 'quoted', 'rejected', 'expired') or not builder.has_one_design(old) then
    raise sqlstate 'PT409' using
      message = format('%s unless the request names the version that was priced', what),
      detail = case old.status
        when 'draft' then 'It is a draft, which its customer may change at any moment.'
        when 'approved' then 'Its customer has approved its price.'
        when 'ordered' then 'It is ordered, at the price that its customer approved.'
        else 'It has had more than one design, and this request may be about an earlier one.' end,
      hint = builder.naming_hint(update);
  end if;
  if new.currency <> 'USD' and new.currency = old.currency and not builder.names_column('currency') and not builder.was_offered_in(old.id, new.currency) then
    raise sqlstate 'PT409' using
      message = format('%s unless the request names its currency', what),
      detail = format('It is in %s, and no offer was.', new.currency),
      hint = format('Write .update({ %s, currency: ''%s'' }).', update, new.currency);
  end if;
end
$$;

-- Returns whether a quote has had one design only: every digest of its history is that of this row. A digest that is missing, where
-- a quote was made or left the draft, or a history without one, is another design.
create or replace function builder.has_one_design(quote builder.quotes) returns boolean
  language sql volatile security definer set search_path = pg_catalog, pg_temp
as $$
  select coalesce(bool_and(e.design_digest is not distinct from present.digest), false)
  from (select builder.design_digest(quote) as digest offset 0) present, builder.quote_events e
  where e.quote_id = quote.id and (
    e.design_digest is not null or e.previous_status is null or (e.previous_status = 'draft' and e.status <> 'draft')
  )
$$;

create or replace function builder.was_offered_in(quote uuid, currency text) returns boolean
  language sql volatile security definer set search_path = pg_catalog, pg_temp
as $$ select exists (select from builder.quote_offers o where o.quote_id = quote and o.currency = was_offered_in.currency) $$;

-- Rule 6, approval: a request that approves a quote, or orders one that is not approved, names the version, unless only these
-- terms were ever offered; with the price named, unless other terms had that total. Nothing is approved after its end. An update
-- that sets `approved` again is checked too, since its caller may have read other terms.
create or replace function builder.check_approval(old builder.quotes, new builder.quotes) returns void
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  offers record;
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
  if builder.names_version(old, new) then
    return;
  elsif old.total_price is not null and new.total_price is distinct from old.total_price then
    perform builder.refuse_other_price(new.status);
  end if;
  select * into offers from builder.compare_offers(new, old.total_price);
  if offers.is_offered and old.status in ('quoted', 'approved', 'ordered') then
    by_price := not offers.has_other_terms_of_this_total;
    if not offers.has_other_terms or (by_price and builder.names_price(old, new)) then
      return;
    end if;
  end if;
  raise sqlstate 'PT409' using
    message = format('A quote cannot move from %s to %s unless the request names %s that was read', old.status, new.status,
      case when by_price then 'the version or the price' else 'the version' end),
    detail = case when offers.has_other_terms then 'Its price, size, roster or design has changed since it was first offered.'
      else format('It is %s, so it may have been changed since somebody agreed to its price.', old.status) end,
    hint = builder.naming_hint(format('status: ''%s''', new.status), case when by_price then 'total_price' else 'updated_at' end);
end
$$;

-- Refuses an approval whose body has another price than the quote.
create or replace function builder.refuse_other_price(status text) returns void
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  raise sqlstate 'PT409' using
    message = 'The price has changed, so nothing was written',
    detail = 'The total_price of the request is not the stored one.',
    hint = builder.naming_hint(format('status: ''%s''', status));
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
      hint = 'Write .update({ … }).eq(''id'', quote.id) for each, as an address PATCH …/quotes?id=eq.…; or send one PATCH with an '
        'array of rows that have their ids.';
  end if;
end
$$;

-- Rule 8, terms: the terms of an approved or ordered quote change only in a move to quoted or submitted, or, while it stays
-- ordered, by a request that names the version.
create or replace function builder.check_terms(old builder.quotes, new builder.quotes) returns void
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
declare
  stays_ordered constant boolean := old.status = 'ordered' and new.status = 'ordered';
  term text;
begin
  if (stays_ordered and builder.names_version(old, new)) or old::builder.terms is not distinct from new::builder.terms then
    return;
  end if;
  term := builder.changed_term(old, new);
  raise sqlstate 'PT409' using
    message = format('The %s of a quote that is %s cannot change', term, old.status) || case
      when stays_ordered then ' unless the request names the version that was read'
      when new.status <> old.status then format(' in the move to %s', new.status) else '' end,
    detail = case when stays_ordered then 'The correction is sent to its customer.'
      else 'Its customer approved the price, sizes, roster and design as they are.' end,
    hint = builder.naming_hint(case when stays_ordered then term else 'status: ''quoted'', unit_price, total_price, …' end);
end
$$;

-- Rule 9, stamps: the database's clock stamps a move or a price, unless staff supply the time. `quoted_by` is who priced last. A
-- stamp goes with what it says. Each `updated_at` is later than the one before, and no time dates a deletion anew.
create or replace function builder.stamp_quote(old builder.quotes, new builder.quotes, by_customer boolean) returns builder.quotes
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
declare
  moved constant boolean := new.status <> coalesce(old.status, 'draft');
begin
  if by_customer then
    new.submitted_at := old.submitted_at;
    new.approved_at := old.approved_at;
    new.created_at := coalesce(old.created_at, now());
    new.deleted_at := case when new.deleted_at is not null then now() end;
  elsif old.deleted_at is not null and new.deleted_at is not null then
    new.deleted_at := old.deleted_at;
  end if;
  if old.id is null then
    new.created_by := coalesce(new.created_by, builder.caller_id());
  end if;
  if old.id is not null or by_customer then
    new.updated_at := greatest(now(), old.updated_at + interval '1 microsecond');
  end if;
  if moved and new.status = 'submitted' and new.submitted_at is not distinct from old.submitted_at then
    new.submitted_at := now();
  end if;
  if moved and new.status in ('approved', 'draft', 'submitted', 'quoted') and new.approved_at is not distinct from old.approved_at then
    new.approved_at := case when new.status = 'approved' then now() end;
  end if;
  if not by_customer and (old.id is not null or new.status = 'quoted') then
    new := builder.stamp_price(old, new);
  end if;
  return new;
end
$$;

-- Rule 9, stamps of a price: they go with both prices.
create or replace function builder.stamp_price(old builder.quotes, new builder.quotes) returns builder.quotes
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
declare
  has_price constant boolean := new.unit_price is not null or new.total_price is not null;
begin
  if has_price and new.status <> 'draft' and builder.sets_price(old, new) then
    if new.quoted_at is null or new.quoted_at is not distinct from old.quoted_at then
      new.quoted_at := now();
    end if;
    if new.quoted_by is null or new.quoted_by is not distinct from old.quoted_by then
      new.quoted_by := coalesce(builder.caller_id(), old.quoted_by);
    end if;
  elsif not has_price and (old.unit_price is not null or old.total_price is not null) then
    new.quoted_at := case when new.quoted_at is distinct from old.quoted_at then new.quoted_at end;
    new.quoted_by := case when new.quoted_by is distinct from old.quoted_by then new.quoted_by end;
  end if;
  return new;
end
$$;

-- Rule 10, fulfillment: it exists only while a quote is ordered, and leaving that state clears it. No constraint says so, since an
-- upsert would break it with the columns of a row that exists.
create or replace function builder.clear_fulfillment(new builder.quotes) returns builder.quotes
  language plpgsql immutable set search_path = pg_catalog, pg_temp
as $$ begin new.fulfillment_status := null; return new; end $$;

-- Notes for the history that the request names the version of a draft.
create or replace function builder.note_version(quote uuid) returns void
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  perform set_config('builder.named_drafts', concat_ws(',', nullif(current_setting('builder.named_drafts', true), ''), quote), true);
end
$$;

-- Whether the row exists, for a customer in one of its accounts. It stays until the end of the transaction.
create or replace function builder.is_there(quote uuid) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform from builder.quotes q
  where q.id = quote and (builder.caller_kind() <> 'customer' or q.account_id = any (builder.caller_account_ids())) for key share;
  return found;
end
$$;

-- Applies the rules, in the order in which one may rely on another: what a request may do is checked before rule 3 removes a
-- price. A rule is called only where it can matter, since passing a row to a function costs more than the condition.
create or replace function builder.apply_quote_rules() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  by_customer constant boolean := current_user = 'builder_customer' or builder.caller_kind() = 'customer';
  moved constant boolean := new.status is distinct from coalesce(old.status, 'draft');
begin
  if tg_op = 'INSERT' and current_setting('request.rows', true) = 'keyed' and builder.is_there(new.id) then
    return new; -- The upsert becomes an update, which is checked then.
  elsif by_customer then
    if moved or old.deleted_at is not null or new.deleted_at is not null then
      perform builder.check_move(old, new); -- 1, 2
    end if;
    perform builder.check_fields(old, new); -- 2
  elsif old.status = 'draft' and moved and builder.names_version(old, new) then
    perform builder.note_version(old.id);
  end if;
  if new.status = 'quoted' then
    new := builder.check_offer(old, new); -- 4
  elsif (new.status = 'approved' and (old.status is distinct from 'approved' or builder.names_column('status')))
    or (new.status = 'ordered' and old.status not in ('approved', 'ordered'))
  then
    perform builder.check_approval(old, new); -- 6, and 7
  end if;
  if tg_op = 'UPDATE' and not by_customer and builder.sets_price(old, new) then
    perform builder.check_price(old, new); -- 5, and 7
  end if;
  if old.status in ('approved', 'ordered') and new.status not in ('quoted', 'submitted') then
    perform builder.check_terms(old, new); -- 8
  end if;
  if tg_op = 'UPDATE' and moved and new.status in ('submitted', 'draft') then
    new := builder.clear_at_submission(old, new); -- 3
  end if;
  if new.status <> 'draft' and new.contact_email is not null then
    perform builder.check_contact(old, new, moved); -- 3
  end if;
  if old.status = 'ordered' and moved then
    new := builder.clear_fulfillment(new); -- 10
  elsif new.fulfillment_status is not null and new.status <> 'ordered' then
    perform builder.refuse_value('quotes', 'only_an_ordered_quote_has_a_fulfillment_status'); -- 10
  end if;
  return builder.stamp_quote(old, new, by_customer); -- 9
end
$$;
create or replace trigger rules before insert or update on builder.quotes
  for each row execute function builder.apply_quote_rules();

grant execute on function
  builder.names_column(text),
  builder.body_names(text),
  builder.names_version(builder.quotes, builder.quotes),
  builder.names_price(builder.quotes, builder.quotes),
  builder.naming_hint(text, text),
  builder.sets_price(builder.quotes, builder.quotes),
  builder.clear_at_submission(builder.quotes, builder.quotes),
  builder.check_contact(builder.quotes, builder.quotes, boolean),
  builder.check_offer(builder.quotes, builder.quotes),
  builder.check_approval(builder.quotes, builder.quotes),
  builder.refuse_other_price(text),
  builder.require_one_quote(text),
  builder.check_terms(builder.quotes, builder.quotes),
  builder.stamp_quote(builder.quotes, builder.quotes, boolean),
  builder.clear_fulfillment(builder.quotes),
  builder.is_there(uuid)
  to builder_customer, builder_staff;
grant execute on function
  builder.check_price(builder.quotes, builder.quotes),
  builder.has_one_design(builder.quotes),
  builder.was_offered_in(uuid, text),
  builder.note_version(uuid),
  builder.stamp_price(builder.quotes, builder.quotes)
  to builder_staff;
