-- The rules of a quote's prices, 4 to 8: who sets a price, who agrees to it, and what stays when it is agreed. quote-life.sql calls
-- them. What happened before is known from quote_events, and what was offered from quote_offers.

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

-- Rule 5, price: outside a draft, a request that sets a price names the version and the submission, unless the quote is submitted,
-- quoted, rejected or expired and has had one design only. Without the version it also names a currency that is neither USD nor of an
-- offer. Whoever sends another submission has read another one.
create or replace function builder.check_price(old builder.quotes, new builder.quotes) returns void
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  what constant text := case when new.status = 'quoted' and old.status <> 'quoted'
    then format('A quote cannot move from %s to quoted', old.status)
    else format('The price of a quote that is %s cannot change', old.status) end;
  status constant text := case when new.status <> old.status or builder.body_has('status') then new.status end;
  names_version constant boolean := builder.names_version(old, new);
begin
  perform builder.refuse_earlier_version(old, new);
  if not builder.sets_price(old, new) then
    return;
  end if;
  perform builder.require_one_quote('price');
  if new.status = 'draft' then
    return;
  elsif builder.sends_other_submission(old, new) then
    raise sqlstate 'PT409' using constraint = 'rule 5, price',
      message = 'The quote was submitted anew, so nothing was written',
      detail = 'The submitted_at of the request is not the stored one.',
      hint = builder.naming_hint(old, status, '{}', array['updated_at', 'submitted_at']);
  elsif names_version and builder.names_submission(old, new) then
    return;
  elsif old.status not in ('submitted', 'quoted', 'rejected', 'expired') or not builder.has_one_design(old) then
    raise sqlstate 'PT409' using constraint = 'rule 5, price',
      message = format('%s unless the request names the version%s that was priced', what,
        case when old.submitted_at is null then '' else ' and the submission' end),
      detail = case old.status
        when 'draft' then 'It is a draft, which its customer may change at any moment.'
        when 'approved' then 'Its customer has approved its price.'
        when 'ordered' then 'It is ordered, at the price that its customer approved.'
        else 'It may have another design than the one that was priced.' end,
      hint = builder.naming_hint(old, status, '{}', array['updated_at', 'submitted_at']);
  elsif not names_version and new.currency <> 'USD' and new.currency = old.currency and not builder.body_has('currency')
    and not builder.was_offered_in(old.id, new.currency)
  then
    raise sqlstate 'PT409' using constraint = 'rule 5, price',
      message = format('%s unless the request names its currency', what),
      detail = format('It is in %s, and no offer was.', new.currency),
      hint = format('Write .update({ %s, currency: ''%s'' }).eq(''id'', id).', builder.hinted_update(old, status, '{}', '{}'), new.currency);
  end if;
end
$$;

-- Whether the body has another submitted_at than the stored one. A quote without one may get one.
create or replace function builder.sends_other_submission(old builder.quotes, new builder.quotes) returns boolean
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  return builder.body_names('submitted_at') and builder.is_other_time(new.submitted_at, old.submitted_at)
    and not (old.submitted_at is null and new.submitted_at > old.updated_at);
end
$$;

-- Rule 5, price: a request that sets a price or orders, and whose body has an earlier updated_at than the row, is refused: it would
-- put back what its customer has corrected since.
create or replace function builder.refuse_earlier_version(old builder.quotes, new builder.quotes) returns void
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  if builder.body_names('updated_at') and new.updated_at <= old.updated_at - interval '1 millisecond' then
    raise sqlstate 'PT409' using constraint = 'rule 5, price',
      message = 'The quote has changed since it was read, so nothing was written',
      detail = 'The updated_at of the request is earlier than the stored one.',
      hint = builder.naming_hint(old, case when new.status <> old.status then new.status end, '{}', array['updated_at', 'submitted_at', 'quoted_at']);
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

-- Rule 6, approval: a request that approves a quote, or orders one that is not approved, names the offer, or the price if no offer
-- of that total had other terms. It need name nothing if the quote is quoted, approved or ordered and only these terms were ever
-- offered; what was never offered is named by its version. Nothing is approved after its end, except that
-- the owner inserts what was. An update that sets `approved` again is checked too, since its caller may have read other terms.
create or replace function builder.check_approval(old builder.quotes, new builder.quotes) returns void
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  offers record;
  is_offered boolean;
  by_price boolean;
begin
  if new.status = 'approved' and old.status is distinct from 'approved' and new.expires_at <= now()
    and (old.id is not null or current_user = 'builder_staff')
  then
    raise sqlstate 'PT409' using constraint = 'rule 6, approval',
      message = 'A quote that has expired cannot be approved',
      detail = format('It expired at %s.', to_json(new.expires_at) #>> '{}'),
      hint = case when builder.caller_kind() = 'customer' then 'To ask for a new price, write .update({ status: ''submitted'' }).eq(''id'', id).'
        else 'Give it a later end in the same request: .update({ status: ''approved'', expires_at: null }).eq(''id'', id).' end;
  elsif old.id is null then
    return;
  end if;
  perform builder.require_one_quote('approve');
  if (old.total_price is not null and new.total_price is distinct from old.total_price)
    or (old.quoted_at is not null and builder.body_names('quoted_at') and builder.is_other_time(new.quoted_at, old.quoted_at))
  then
    perform builder.refuse_other_offer(old, new.status, old.total_price is not null and new.total_price is distinct from old.total_price);
  end if;
  select * into offers from builder.compare_offers(new, new.total_price);
  is_offered := offers.is_offered and new::builder.terms is not distinct from old::builder.terms;
  by_price := is_offered and not offers.has_other_terms_of_this_total;
  if (is_offered and (
      (old.status in ('quoted', 'approved', 'ordered') and not offers.has_other_terms)
      or (by_price and builder.names_price(old, new)) or builder.names_offer(old, new)
    )) or (not is_offered and builder.names_version(old, new))
  then
    return;
  end if;
  raise sqlstate 'PT409' using constraint = 'rule 6, approval',
    message = format('A quote cannot move from %s to %s unless the request names %s that was read', old.status, new.status,
      case when by_price then 'the price or the offer' when is_offered then 'the offer' else 'the version' end),
    detail = case when not is_offered then 'Its terms were never offered.'
      when offers.has_other_terms then 'Its price, size, roster or design has changed since it was first offered.'
      else format('It is %s, so it may have been changed since somebody agreed to its price.', old.status) end,
    hint = builder.naming_hint(old, new.status, '{}', case
      when by_price then array['total_price'] when is_offered then array['quoted_at']
      when builder.sets_price(old, new) then array['updated_at', 'submitted_at'] else array['updated_at'] end);
end
$$;

-- Refuses an approval whose body has another price or offer than the quote. Staff who have agreed to another price set it first.
create or replace function builder.refuse_other_offer(quote builder.quotes, status text, is_other_price boolean) returns void
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  raise sqlstate 'PT409' using constraint = 'rule 6, approval',
    message = 'The offer has changed, so nothing was written',
    detail = 'The total_price or quoted_at of the request is not the stored one.',
    hint = case when is_other_price and builder.caller_kind() <> 'customer' then 'To agree to another price, set the price first, then '
        || 'approve. ' || builder.naming_hint(quote, 'quoted', array['unit_price', 'total_price'], array['updated_at', 'submitted_at'])
      else builder.naming_hint(quote, status, '{}', array['total_price', 'quoted_at']) end;
end
$$;

-- Refuses an approval by a customer that sends another offer than the stored one, which it may only send unchanged.
create or replace function builder.refuse_changed_offer(quote_id uuid) returns void
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
declare
  quote builder.quotes;
  wanted builder.quotes;
begin
  select q.id, q.status, q.quoted_at into quote.id, quote.status, quote.quoted_at from builder.quotes q where q.id = quote_id;
  wanted.status := 'approved';
  perform builder.check_move(quote, wanted);
  perform builder.refuse_other_offer(quote, wanted.status, true);
end
$$;

-- Rule 7, one quote: a request whose filter names no single id neither prices nor approves, since it may match a quote that
-- was never read.
create or replace function builder.require_one_quote(act text) returns void
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  if current_setting('request.rows', true) is not distinct from 'filtered' then
    raise sqlstate 'PT409' using constraint = 'rule 7, one quote',
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
  raise sqlstate 'PT409' using constraint = 'rule 8, terms',
    message = format('The %s of a quote that is %s cannot change', term, old.status) || case
      when stays_ordered then ' unless the request names the version that was read'
      when new.status <> old.status then format(' in the move to %s', new.status) else '' end,
    detail = case when stays_ordered then 'The correction is sent to its customer.'
      else 'Its customer approved the price, sizes, roster and design as they are.' end,
    hint = builder.naming_hint(old, case when not stays_ordered then 'quoted' end,
      case when stays_ordered then '{}' else array['unit_price', 'total_price'] end, array['updated_at', 'submitted_at']);
end
$$;

grant execute on function
  builder.sets_price(builder.quotes, builder.quotes),
  builder.check_offer(builder.quotes, builder.quotes),
  builder.check_approval(builder.quotes, builder.quotes),
  builder.refuse_other_offer(builder.quotes, text, boolean),
  builder.refuse_changed_offer(uuid),
  builder.require_one_quote(text),
  builder.check_terms(builder.quotes, builder.quotes)
  to builder_customer, builder_staff;
grant execute on function
  builder.check_price(builder.quotes, builder.quotes),
  builder.sends_other_submission(builder.quotes, builder.quotes),
  builder.refuse_earlier_version(builder.quotes, builder.quotes),
  builder.has_one_design(builder.quotes),
  builder.was_offered_in(uuid, text)
  to builder_staff;
