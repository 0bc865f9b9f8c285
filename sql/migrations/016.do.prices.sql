-- A price is what both saw: whoever sets a price or agrees to one names what they have read, whenever somebody else may
-- have changed it since. It holds for everyone who writes: the service, the sweep and psql.
--
-- How a request says what it names, as settings of its transaction:
--   request.version = 'compared': its filter compares updated_at, or the version of an ETag
--   request.price = 'compared': its filter compares total_price
--   request.rows = 'keyed': it changes each row by its key, and not all rows that a filter meets; 'filtered': the filter
--     names no key, so that any row may meet it
-- Which columns it names is what its SET clause lists.

-- Quotes that their customers have changed since they first submitted them. `since_priced`: and since the last pricing.
alter table builder.changed_quotes add column since_priced boolean not null default true;

create or replace function builder.mark_changed(quote_id uuid) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
as $$
  insert into builder.changed_quotes values ($1)
  on conflict on constraint changed_quotes_pkey do update set since_priced = true where not changed_quotes.since_priced
$$;

-- What was offered for a quote while it was quoted, each offer once.
create table builder.offers (
  quote_id uuid not null,
  terms bytea not null,
  total_price numeric,
  constraint offers_pkey primary key (quote_id, terms)
);
-- It has no policy and no grant: the functions that keep it run as their owner.
alter table builder.offers enable row level security;

-- What an approval is about, as a hash: the prices, the currency, the size and the roster, whose names are in the
-- customization.
create function builder.terms_of(
  unit_price numeric, total_price numeric, currency text, roster_count integer, size_breakdown jsonb, customization jsonb
) returns bytea
  language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
  select sha256(convert_to(
    jsonb_build_array(trim_scale(unit_price), trim_scale(total_price), currency, roster_count, size_breakdown)::text
      || customization::text, 'UTF8'
  ))
$$;

-- An offer that is left was noted when it was made, unless that was before this table was.
create function builder.note_offers() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if old.status = 'quoted' and not exists (select from builder.offers o where o.quote_id = old.id) then
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

-- Remembers which price columns a statement names, by the triggers below: each runs when the SET clause has its column,
-- whatever its value.
create function builder.note_named_column() returns trigger
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

-- Refuses a statement that prices or approves a quote by a filter without its id, since the quote that was read may no
-- longer meet it, and one that nobody read may: numbers are not unique, and customers choose them. And a statement that
-- meets several quotes and prices or approves one of them: whoever wrote it may have read only one. `acts`: this quote is
-- priced or approved, and not only met.
create function builder.meet_quote(act text, quote_id uuid, acts boolean) returns void
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
      message = format('One request can %s one quote, or each by its key, and the filter of this one %s', act,
        case when several then 'meets several' else 'names no id' end),
      hint = 'Write .update({ … }).eq(''id'', quote.id) for each, or send one PATCH with an array of rows that have their ids.';
  end if;
  perform set_config(setting, concat_ws('|', this, quote_id, acted, several), true);
end
$$;

-- Refuses a pricing by who may not have read what is priced. The price of what stays a draft is no offer: it is cleared
-- when the customer edits the draft, and the move to quoted names it anew.
create function builder.check_pricing(quote_id uuid, old_status text, new_status text, currency text) returns void
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
    else new_status <> old_status or old_status not in ('draft', 'submitted', 'quoted', 'ordered')
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
  -- The version that is priced now is the one that was read.
  update builder.changed_quotes c set since_priced = false where c.quote_id = $1 and c.since_priced;
end
$$;

-- Refuses an approval by who may have read another offer. `old_total` is what a filter compares, `terms` what is approved.
create function builder.check_approval(quote_id uuid, old_status text, terms bytea, old_total numeric) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  has_other_terms constant boolean := exists (
    select from builder.offers o where o.quote_id = $1 and o.terms <> $3
  );
  has_other_terms_of_this_total constant boolean := exists (
    select from builder.offers o where o.quote_id = $1 and o.terms <> $3 and o.total_price = $4
  );
  -- What is ordered may have got its price there.
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

create function builder.refuse_new_terms() returns void
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  raise sqlstate 'PT409' using
    message = 'The price, currency, size and roster of a quote that is approved cannot change',
    detail = 'Its customer approved them as they are.',
    hint = 'Offer it anew: .update({ status: ''quoted'', unit_price, total_price, … }).match({ id, updated_at }).';
end
$$;

-- Whether a customer's update changes more than the status.
create function builder.is_edited(old builder.quotes, new builder.quotes) returns boolean
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
declare
  moves constant text[] := '{status,submitted_at,approved_at,created_at,updated_at,deleted_at}';
begin
  return to_jsonb(old) - moves <> to_jsonb(new) - moves;
end
$$;

-- What happens when a quote moves to another status, or is made in another than draft: the times and names that the
-- database sets, unless staff supply them.
create or replace function builder.stamp_move(old builder.quotes, new builder.quotes) returns builder.quotes
  language plpgsql volatile set search_path = pg_catalog, pg_temp
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
        message = format('A quote cannot move from %s to approved after it has expired', coalesce(old.status, 'nothing')),
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

-- The rows are passed on only where a rule could refuse them or a stamp is set, since passing them costs more than the
-- rules do, most writes make or save a draft, and the sweep expires quotes of any size.
create or replace function builder.rule_quote() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  by_customer constant boolean := current_user = 'builder_customer';
  moved constant boolean := new.status <> coalesce(old.status, 'draft');
begin
  if by_customer then
    if tg_op = 'INSERT' then
      if moved or new.source = 'admin_created' or new.created_by is not null then
        perform builder.check_customer_insert(new);
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
    if old.status in ('submitted', 'quoted', 'approved') then
      perform builder.mark_changed(new.id);
    elsif (new.unit_price is not null or new.total_price is not null) and old.status = 'draft' and builder.is_edited(old, new) then
      new.unit_price := null;
      new.total_price := null;
    end if;
  else
    if new.status <> 'draft' and (new.quote_number is distinct from old.quote_number or old.status = 'draft') then
      perform builder.note_brought_number(new.quote_number);
    end if;
    if tg_op = 'INSERT' then
      perform set_config('builder.upserted_quote', concat_ws('|', statement_timestamp(), new.id), true);
    else
      -- A quote that would be quoted without its prices is refused by a constraint, with a message of its own.
      if (new.status <> 'quoted' or (new.unit_price is not null and new.total_price is not null)) and (
        (moved and new.status = 'quoted') or new.currency <> old.currency
        or new.unit_price is distinct from old.unit_price or new.total_price is distinct from old.total_price
      ) then
        perform builder.check_pricing(old.id, old.status, new.status, new.currency);
      end if;
      if old.status = 'approved' and new.status = 'approved' and (
        new.unit_price is distinct from old.unit_price or new.total_price is distinct from old.total_price
        or new.currency <> old.currency or new.roster_count is distinct from old.roster_count
        or new.size_breakdown is distinct from old.size_breakdown or new.customization <> old.customization
      ) then
        perform builder.refuse_new_terms();
      end if;
      -- Who puts it there may not have read it, as a customer has who submits.
      if moved and (
        new.status = 'draft' or (new.status = 'submitted' and old.status <> 'quoted')
        or (new.status = 'ordered' and old.status not in ('submitted', 'quoted', 'approved'))
      ) then
        perform builder.mark_changed(new.id);
      end if;
    end if;
  end if;
  if tg_op = 'INSERT' then
    new.created_by := coalesce(new.created_by, builder.caller_id());
  elsif new.status = 'approved' then
    perform builder.meet_quote('approve', new.id, moved);
  end if;
  if tg_op = 'UPDATE' or by_customer then
    -- A filter on updated_at names one version: of two transactions that begin in one microsecond, or that wait for each
    -- other, each writes another time than those before. Further ahead is what an import brought.
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

-- Named to come before `rules`, since triggers run by name.
create trigger names_currency before update of currency on builder.quotes
  for each row when (current_user <> 'builder_customer') execute function builder.note_named_column('currency');
create trigger names_total_price before update of total_price on builder.quotes
  for each row when (current_user <> 'builder_customer') execute function builder.note_named_column('total_price');
create trigger names_unit_price before update of unit_price on builder.quotes
  for each row when (current_user <> 'builder_customer') execute function builder.note_named_column('unit_price');

-- An insert that becomes an update by its key makes no offer of its own.
create trigger offers_of_new_quotes after insert on builder.quotes
  for each row when (new.status = 'quoted') execute function builder.note_offers();
create trigger offers after update on builder.quotes
  for each row when (new.status = 'quoted' or old.status = 'quoted') execute function builder.note_offers();

-- The checks of sizes and of what is in a column's JSON, as triggers: check constraints run for each update, also when a
-- move to another status changes none of these columns, and of a snapshot of 1 MiB that takes a tenth of a second. The
-- errors are those of constraints with the same names.
create function builder.refuse_value(table_name text, constraint_name text) returns void
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  raise check_violation using
    message = format('new row for relation "%s" violates check constraint "%s"', table_name, constraint_name),
    schema = 'builder', table = table_name, constraint = constraint_name;
end
$$;

-- Written out, since each call of a function takes a hundredth of a save.
create function builder.check_json() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  address_keys constant text[] := '{street,city,state,zip,country}';
begin
  if new.customization is distinct from old.customization and (
    jsonb_typeof(new.customization) <> 'object' or octet_length(new.customization::text) > 1048576
  ) then
    perform builder.refuse_value('quotes', 'customization_is_an_object_of_at_most_1_mib');
  end if;
  if new.colors is distinct from old.colors
    and not builder.is_record_of_texts(new.colors, '{primary,secondary,accent,accent2,accent3}')
  then
    perform builder.refuse_value('quotes', 'colors_has_only_the_five_colors');
  end if;
  if new.size_breakdown is distinct from old.size_breakdown and not builder.is_size_breakdown(new.size_breakdown) then
    perform builder.refuse_value('quotes', 'size_breakdown_counts_are_whole_numbers');
  end if;
  if new.shipping_address is distinct from old.shipping_address
    and not builder.is_record_of_texts(new.shipping_address, address_keys)
  then
    perform builder.refuse_value('quotes', 'shipping_address_has_only_address_fields');
  end if;
  if new.billing_address is distinct from old.billing_address
    and not builder.is_record_of_texts(new.billing_address, address_keys)
  then
    perform builder.refuse_value('quotes', 'billing_address_has_only_address_fields');
  end if;
  return new;
end
$$;

create function builder.refuse_texts() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp
as $$ begin perform builder.refuse_value('quotes', 'texts_of_a_quote_have_a_bounded_size'); return null; end $$;

create trigger sizes_of_json before insert or update of customization, colors, size_breakdown, shipping_address, billing_address
  on builder.quotes for each row execute function builder.check_json();
create trigger sizes_of_texts before insert or update of sport, customer_notes, internal_notes, contact_name, contact_email,
  contact_phone, company, tool_2d, techpack_file, avatar_preview
  on builder.quotes for each row
  when (not builder.quote_texts_fit(
    new.sport, new.customer_notes, new.internal_notes, new.contact_name, new.contact_email, new.contact_phone, new.company,
    new.tool_2d, new.techpack_file, new.avatar_preview
  ))
  execute function builder.refuse_texts();

alter table builder.quotes
  drop constraint customization_is_an_object_of_at_most_1_mib,
  drop constraint colors_has_only_the_five_colors,
  drop constraint size_breakdown_counts_are_whole_numbers,
  drop constraint shipping_address_has_only_address_fields,
  drop constraint billing_address_has_only_address_fields,
  drop constraint texts_of_a_quote_have_a_bounded_size;

-- What is due, for a sweep whose batch has failed: of these accounts, an account's first quote before any account's second,
-- so that none waits behind another's; or of all others, as a batch has them. But for what was tried already.
create function builder.due_quotes(batch integer, accounts uuid[], others boolean, tried uuid[]) returns table (id uuid, account_id uuid)
  language sql security definer set search_path = pg_catalog, pg_temp
as $$
  select due.id, due.account_id
  from (
    select q.id, q.account_id, q.expires_at,
      case when others then 0 else row_number() over (partition by q.account_id order by q.expires_at, q.id) end as place
    from builder.quotes q
    where q.status in ('draft', 'submitted', 'quoted') and q.deleted_at is null and q.expires_at <= now()
      and (q.account_id = any (accounts)) <> others and q.id <> all (tried)
  ) due
  order by due.place, due.expires_at
  limit batch
$$;

-- Sets quotes past their expires_at to expired: a batch, but for those of some accounts.
create function builder.expire_quotes(batch integer, but_of uuid[]) returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  expired integer;
begin
  with due as (
    select id from builder.quotes
    where status in ('draft', 'submitted', 'quoted') and deleted_at is null and expires_at <= now()
      and account_id <> all (but_of)
    order by expires_at
    limit batch
    for update skip locked
  )
  update builder.quotes set status = 'expired' from due where quotes.id = due.id;
  get diagnostics expired = row_count;
  return expired;
end
$$;

-- Sets one quote to expired, if it is due and nobody has locked it. Returns how many that were.
create function builder.expire_quote(quote_id uuid) returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  expired integer;
begin
  with due as (
    select id from builder.quotes
    where id = quote_id and status in ('draft', 'submitted', 'quoted') and deleted_at is null and expires_at <= now()
    for update skip locked
  )
  update builder.quotes set status = 'expired' from due where quotes.id = due.id;
  get diagnostics expired = row_count;
  return expired;
end
$$;

drop function builder.check_priced_version(uuid, text);

revoke execute on function
  builder.terms_of(numeric, numeric, text, integer, jsonb, jsonb),
  builder.note_offers(),
  builder.note_named_column(),
  builder.meet_quote(text, uuid, boolean),
  builder.check_pricing(uuid, text, text, text),
  builder.check_approval(uuid, text, bytea, numeric),
  builder.refuse_new_terms(),
  builder.is_edited(builder.quotes, builder.quotes),
  builder.refuse_value(text, text),
  builder.check_json(),
  builder.refuse_texts(),
  builder.due_quotes(integer, uuid[], boolean, uuid[]),
  builder.expire_quotes(integer, uuid[]),
  builder.expire_quote(uuid)
  from public;
grant execute on function
  builder.refuse_value(text, text),
  builder.terms_of(numeric, numeric, text, integer, jsonb, jsonb),
  builder.meet_quote(text, uuid, boolean),
  builder.check_approval(uuid, text, bytea, numeric)
  to builder_customer, builder_staff;
grant execute on function builder.is_edited(builder.quotes, builder.quotes) to builder_customer;
grant execute on function
  builder.mark_changed(uuid),
  builder.check_pricing(uuid, text, text, text),
  builder.refuse_new_terms()
  to builder_staff;
grant execute on function
  builder.due_quotes(integer, uuid[], boolean, uuid[]),
  builder.expire_quotes(integer, uuid[]),
  builder.expire_quote(uuid)
  to builder_sweeper;
