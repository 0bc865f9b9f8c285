-- The life of a quote: ten numbered rules, each a function below its sentence: 1 and 2 in quote-fields.sql, 4 to 8 in quote-prices.sql.
-- One trigger, apply_quote_rules(), calls them. They hold for everyone who writes: the service, the sweep and psql.

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

-- Rule 9, stamps: the database's clock stamps a move or a price, unless staff supply the time. `submitted_at` names what was
-- submitted, and goes in a move to draft. A stamp after now becomes now. Each `updated_at` is later than the one before, and rows of
-- one request have different ones, so that it names the version of one row. No time dates a deletion anew.
create or replace function builder.stamp_quote(old builder.quotes, new builder.quotes, by_customer boolean) returns builder.quotes
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  moved constant boolean := new.status <> coalesce(old.status, 'draft');
  moment constant timestamp with time zone := clock_timestamp();
begin
  if by_customer then
    new.submitted_at := old.submitted_at;
    new.approved_at := old.approved_at;
    new.created_at := coalesce(old.created_at, moment);
    new.deleted_at := case when new.deleted_at is not null then moment end;
  elsif old.deleted_at is not null and new.deleted_at is not null then
    new.deleted_at := old.deleted_at;
  end if;
  if old.id is null then
    new.created_by := coalesce(new.created_by, builder.caller_id());
    new.created_at := case when new.created_at = now() then moment else coalesce(new.created_at, moment) end;
  end if;
  if moved or new.submitted_at is distinct from old.submitted_at then
    new.submitted_at := case when new.status = 'draft' and moved then null else builder.stamp_of(
      old.submitted_at, new.submitted_at, old.updated_at, moved and new.status = 'submitted', moment
    ) end;
  end if;
  if moved and new.status in ('approved', 'draft', 'submitted', 'quoted') and new.approved_at is not distinct from old.approved_at then
    new.approved_at := case when new.status = 'approved' then moment end;
  end if;
  new.approved_at := case when new.approved_at > moment then moment else new.approved_at end;
  new.created_at := case when new.created_at > moment then moment else new.created_at end;
  if coalesce(new.unit_price, new.total_price, old.unit_price, old.total_price) is not null or new.quoted_at is not null then
    new := builder.stamp_price(old, new, by_customer, moment);
  end if;
  if old.id is not null or by_customer or new.updated_at is null or new.updated_at = now() then
    new.updated_at := greatest(moment, old.updated_at + interval '1 microsecond');
  end if;
  new.updated_at := case when old.id is null then least(new.updated_at, moment) else new.updated_at end;
  return new;
end
$$;

-- Returns the stamp of a row that names something. Where the request makes what it names (`is_made`), it is the given time if that is
-- later than the stored one and `updated_at`, so what a client has read is no new stamp, and otherwise the clock's. Elsewhere it stays
-- as it is, once there is one. Two stamps of a row differ by a millisecond, as clients in JavaScript know no less.
create or replace function builder.stamp_of(
  stored timestamp with time zone, given timestamp with time zone, updated_at timestamp with time zone, is_made boolean,
  moment timestamp with time zone
) returns timestamp with time zone
  language plpgsql immutable set search_path = pg_catalog, pg_temp
as $$
declare
  is_later constant boolean := given is not null and coalesce(
    date_trunc('milliseconds', given) > date_trunc('milliseconds', greatest(stored, updated_at)), true
  );
begin
  return case
    when is_later and (is_made or stored is null) then least(given, greatest(moment, stored + interval '1 millisecond'))
    when is_made then greatest(moment, stored + interval '1 millisecond')
    else stored end;
end
$$;

-- Rule 9, stamps of a price: `quoted_at` is stamped whenever the terms of a priced quote change outside a draft, or it leaves a draft
-- with a price, so that it names one offer. `quoted_by` is who priced last. Both go with the prices.
create or replace function builder.stamp_price(
  old builder.quotes, new builder.quotes, by_customer boolean, moment timestamp with time zone
) returns builder.quotes
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
declare
  has_price constant boolean := new.unit_price is not null or new.total_price is not null;
  is_offer constant boolean := has_price and new.status <> 'draft';
  is_priced constant boolean := is_offer and not by_customer and builder.sets_price(old, new);
begin
  if not has_price and (old.unit_price is not null or old.total_price is not null) then
    new.quoted_at := null;
    new.quoted_by := null;
  elsif is_priced or (is_offer and (coalesce(old.status, 'draft') = 'draft' or old::builder.terms is distinct from new::builder.terms)) then
    new.quoted_at := builder.stamp_of(old.quoted_at, new.quoted_at, old.updated_at, true, moment);
  elsif is_offer or new.quoted_at is not null then
    new.quoted_at := builder.stamp_of(old.quoted_at, new.quoted_at, old.updated_at, false, moment);
  end if;
  if is_priced and (new.quoted_by is null or new.quoted_by is not distinct from old.quoted_by) then
    new.quoted_by := coalesce(builder.caller_id(), old.quoted_by);
  end if;
  return new;
end
$$;

-- Rule 10, fulfillment: it exists only while a quote is ordered, and leaving that state clears it. No constraint says so, since an
-- upsert would break it with the columns of a row that exists.
create or replace function builder.clear_fulfillment(new builder.quotes) returns builder.quotes
  language plpgsql immutable set search_path = pg_catalog, pg_temp
as $$ begin new.fulfillment_status := null; return new; end $$;

-- Whether the row exists, for a customer in one of its accounts. It stays until the end of the transaction. An upsert locks it
-- as strongly afterwards: after a weaker lock it could deadlock.
create or replace function builder.is_there(quote uuid) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform from builder.quotes q
  where q.id = quote and (builder.caller_kind() <> 'customer' or q.account_id = any (builder.caller_account_ids())) for no key update;
  return found;
end
$$;

-- Refuses what a request may not do, before rule 3 removes a price. A rule is called only where it can matter, since passing a row to a
-- function costs more than the condition.
create or replace function builder.judge_quote(old builder.quotes, new builder.quotes, by_customer boolean, moved boolean) returns void
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  if by_customer then
    if moved or old.deleted_at is not null or new.deleted_at is not null then
      perform builder.check_move(old, new); -- 1, 2
    end if;
    perform builder.check_fields(old, new); -- 2
  elsif old.status = 'draft' and moved and builder.names_version(old, new) then
    perform builder.note_version(old.id);
  end if;
  if (new.status = 'approved' and (old.status is distinct from 'approved' or builder.body_has('status')))
    or (new.status = 'ordered' and old.status not in ('approved', 'ordered')) then
    perform builder.check_approval(old, new); -- 6, and 7
  end if;
  if old.status in ('approved', 'ordered') and new.status not in ('quoted', 'submitted') then
    perform builder.check_terms(old, new); -- 8
  end if;
  if old.id is not null and not by_customer and (builder.sets_price(old, new) or (moved and new.status = 'ordered')) then
    perform builder.check_price(old, new); -- 5, and 7
  end if;
end
$$;

-- Applies the rules, in the order in which one may rely on another.
create or replace function builder.apply_quote_rules() returns trigger language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  by_customer constant boolean := current_user = 'builder_customer' or builder.caller_kind() = 'customer';
  moved constant boolean := new.status is distinct from coalesce(old.status, 'draft');
  -- A function that returns a row returns copies of large values, which an update would store anew: at the end these are put back.
  customization constant jsonb := new.customization; tool_2d constant text := new.tool_2d;
  customer_notes constant text := new.customer_notes; internal_notes constant text := new.internal_notes;
begin
  if by_customer and new.account_id is distinct from old.account_id then
    perform builder.check_account(new.account_id);
  end if;
  if tg_op = 'INSERT' and current_setting('request.rows', true) = 'keyed' and builder.is_there(new.id) then
    return new; -- The upsert becomes an update, which is checked then.
  end if;
  perform builder.judge_quote(old, new, by_customer, moved); -- 1, 2, 5 to 8
  if new.status = 'quoted' then
    new := builder.check_offer(old, new); -- 4
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
  new := builder.stamp_quote(old, new, by_customer); -- 9
  new.customization := customization; new.tool_2d := tool_2d;
  new.customer_notes := customer_notes; new.internal_notes := internal_notes;
  return new;
end
$$;
-- The owner's corrections (corrections.sql) are not judged.
create or replace trigger rules before insert or update on builder.quotes for each row
  when (current_setting('builder.correction', true) is distinct from 'on' or not builder.is_correction())
  execute function builder.apply_quote_rules();

grant execute on function
  builder.clear_at_submission(builder.quotes, builder.quotes),
  builder.check_contact(builder.quotes, builder.quotes, boolean),
  builder.judge_quote(builder.quotes, builder.quotes, boolean, boolean),
  builder.stamp_quote(builder.quotes, builder.quotes, boolean),
  builder.clear_fulfillment(builder.quotes),
  builder.stamp_of(timestamp with time zone, timestamp with time zone, timestamp with time zone, boolean, timestamp with time zone),
  builder.stamp_price(builder.quotes, builder.quotes, boolean, timestamp with time zone),
  builder.is_there(uuid)
  to builder_customer, builder_staff;
