-- The everyday life of a quote: customers ask again, an offer's end is still to come, what was approved is what is ordered,
-- and a quote that begins in another status than draft has its history. Ids don't change, each refused value names its
-- column, and customers dismiss messages to everyone for themselves.

-- A customer who wants something else asks again.
insert into builder.quote_transitions values ('quoted', 'submitted'), ('rejected', 'submitted'), ('expired', 'submitted');

-- Raises the error of a check constraint. Without a column, the service knows the columns of the constraint.
create or replace function builder.refuse_value(table_name text, constraint_name text) returns void
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  raise check_violation using
    message = format('A value of %s is invalid: %s', table_name, constraint_name),
    schema = 'builder', table = table_name, constraint = constraint_name;
end
$$;

create function builder.forbid_column(column_name text, why text, hint text) returns void
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

-- The first column, by name, that a customer's update changes although this status closes it; or null. The rows are
-- compared as a whole, and the name is looked for only when they differ: comparing column by column takes half of the
-- time of an update.
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
        when old.status in ('rejected', 'expired') then 'Ask again first: move it to submitted.'
        when old.status = 'ordered' or closed then ''
        else format('Still open: status, %s.', array_to_string(builder.columns_open_after_draft(), ', '))
      end
    );
  end if;
end
$$;

-- Refuses other terms than those that were approved; those of an order that stays one may be corrected by who names the version.
create function builder.keep_terms() returns trigger
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
      detail = 'Its customer is told of the correction.',
      hint = 'Read it again, and write .update({ … }).match({ id, updated_at }) with the id and updated_at of what you read; or send its ETag in If-Match.';
  end if;
  return new;
end
$$;

-- Comes after `rules`, since triggers run by name.
create trigger terms before update of unit_price, total_price, currency, roster_count, size_breakdown, customization
  on builder.quotes for each row
  when (
    old.status in ('approved', 'ordered') and new.status not in ('quoted', 'submitted')
    and (new.unit_price, new.total_price, new.currency, new.roster_count, new.size_breakdown, new.customization)
      is distinct from (old.unit_price, old.total_price, old.currency, old.roster_count, old.size_breakdown, old.customization)
  )
  execute function builder.keep_terms();

-- Refuses a pricing by who may not have read what is priced. The price of what stays a draft is no offer: it is cleared
-- when the customer edits the draft, and the move to quoted names it anew.
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
  -- The version that is priced now is the one that was read.
  update builder.changed_quotes c set since_priced = false where c.quote_id = $1 and c.since_priced;
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
  priced boolean := false;
  present boolean := false;
begin
  if by_customer then
    -- The policy would refuse it too, with an error that names no column and that an upsert of a hidden row has as well.
    if new.account_id is distinct from old.account_id and new.account_id <> all (coalesce(builder.account_ids(), '{}')) then
      raise insufficient_privilege using
        message = 'new row violates row-level security policy for table "quotes"',
        schema = 'builder', table = 'quotes', column = 'account_id';
    end if;
    if tg_op = 'INSERT' then
      if moved or new.source = 'admin_created' or new.created_by is not null then
        -- A row that is there is updated by an upsert, and the rules apply to that. Constraints are checked before it, of the
        -- row as it would be inserted, so that this gets what they demand of the columns that a customer can't write.
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
      perform builder.note_brought_number(new.quote_number);
    end if;
    if tg_op = 'INSERT' then
      perform set_config('builder.upserted_quote', concat_ws('|', statement_timestamp(), new.id), true);
    else
      -- A quote that would be quoted without its prices is refused by a constraint, with a message of its own.
      priced := (new.status <> 'quoted' or (new.unit_price is not null and new.total_price is not null)) and (
        (moved and new.status = 'quoted') or new.currency <> old.currency
        or new.unit_price is distinct from old.unit_price or new.total_price is distinct from old.total_price
      );
      if priced then
        perform builder.check_pricing(old.id, old.status, new.status, new.currency);
      end if;
      -- Who puts it there may not have read it, as a customer has who submits.
      if moved and (new.status = 'draft' or (new.status = 'submitted' and old.status <> 'quoted')) then
        perform builder.mark_changed(new.id);
      end if;
    end if;
  end if;
  if new.status = 'quoted' and new.expires_at <= now() then
    if tg_op = 'UPDATE' and new.expires_at is not distinct from old.expires_at then
      new.expires_at := case when not (moved or priced) then new.expires_at end;
    elsif current_user = 'builder_staff' then
      perform builder.refuse_value('quotes', 'an_offer_ends_after_it_is_made');
    end if;
  end if;
  if tg_op = 'INSERT' then
    if not present then
      new.created_by := coalesce(new.created_by, builder.caller_id());
    end if;
  elsif new.status = 'approved' then
    perform builder.meet_quote('approve', new.id, moved);
  elsif moved and new.status = 'submitted' and old.status <> 'draft' then
    -- What is asked for again has no price yet. What the request itself writes stays.
    new.unit_price := case when new.unit_price is distinct from old.unit_price then new.unit_price end;
    new.total_price := case when new.total_price is distinct from old.total_price then new.total_price end;
    new.expires_at := case when new.expires_at is distinct from old.expires_at then new.expires_at end;
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
drop function builder.refuse_new_terms();

-- The history of what is made in another status than draft has no previous status.
alter table builder.quote_events alter column previous_status drop not null;

-- A line for each thing that changed, or for what the trigger names. Of a price that changes with the status, the line of
-- the status tells. Nobody is told of what is brought in from elsewhere.
create or replace function builder.record_quote_events() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  kind constant text := builder.caller_kind();
  quiet constant text := coalesce(current_setting('builder.quiet', true), '');
  imported constant boolean := tg_op = 'INSERT' and new.source = 'csv_import';
begin
  if imported then
    perform set_config('builder.quiet', 'on', true);
  end if;
  insert into builder.quote_events (
    quote_id, account_id, event, status, previous_status, fulfillment_status, unit_price, total_price, currency,
    created_by, created_as, staff_id
  )
  select new.id, new.account_id, 'quote.' || reached, new.status, old.status, new.fulfillment_status, new.unit_price,
    new.total_price, new.currency, case when kind = 'customer' then builder.caller_id() end, kind,
    case when kind = 'staff' then builder.caller_id() end
  from unnest(case when tg_nargs > 0 then array[tg_argv[0]] else array[
    case when new.status is distinct from old.status then new.status
      when new.status <> 'ordered'
        and (new.unit_price, new.total_price, new.currency) is distinct from (old.unit_price, old.total_price, old.currency)
      then 'repriced' end,
    case when new.fulfillment_status is distinct from old.fulfillment_status then new.fulfillment_status end,
    case when (new.deleted_at is null) <> (tg_op = 'INSERT' or old.deleted_at is null)
      then case when new.deleted_at is null then 'restored' else 'deleted' end end
  ] end) reached
  where reached is not null;
  if imported then
    perform set_config('builder.quiet', quiet, true);
  end if;
  return null;
end
$$;
create trigger history_of_new_quotes after insert on builder.quotes for each row
  when (new.status <> 'draft') execute function builder.record_quote_events();
create trigger amendments after update of unit_price, total_price, currency, roster_count, size_breakdown, customization
  on builder.quotes for each row
  when (
    old.status = 'ordered' and new.status = 'ordered'
    and (new.unit_price, new.total_price, new.currency, new.roster_count, new.size_breakdown, new.customization)
      is distinct from (old.unit_price, old.total_price, old.currency, old.roster_count, old.size_breakdown, old.customization)
  )
  execute function builder.record_quote_events('amended');

insert into builder.event_messages (event, channel, body)
values ('quote.amended', 'email', 'Your order {quote_number} has been corrected.');

-- An id does not change: the history, the offers and the notifications name a row by it.
do $$
declare
  one text;
begin
  foreach one in array array['quotes', 'graphics', 'notifications'] loop
    execute format('revoke update on builder.%I from builder_staff', one);
    execute format('grant update (%s) on builder.%I to builder_staff', (
      select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
      where attrelid = ('builder.' || one)::regclass and attnum > 0 and not attisdropped and attname <> 'id'
    ), one);
  end loop;
end
$$;
revoke update (id) on builder.quotes from builder_customer;

-- Clients are JavaScript, which has no whole numbers beyond this.
alter table builder.notifications add constraint id_is_exact_in_javascript
  check (id between -9007199254740991 and 9007199254740991) not valid;

-- An id that a client supplies is kept, and the sequence moves past it, so that no id generated later is the same. A
-- small step is made by nextval(), which cannot move the sequence back while others draw from it; a large one by
-- setval(), one transaction at a time. An id in the upper half moves nothing: the sequence never gets there.
create or replace function builder.step_over_supplied_notification_id() returns trigger
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
-- Where such an id was taken before, ids go on behind the largest of the others.
select setval('builder.notifications_id_seq', greatest(1, (select max(id) from builder.notifications where id < 1::bigint << 52)))
where (select last_value from builder.notifications_id_seq) >= 1::bigint << 52;

-- Who has dismissed a message to everyone, for itself.
create table builder.dismissals (
  notification_id bigint not null,
  user_id uuid not null,
  constraint dismissals_pkey primary key (notification_id, user_id)
);
alter table builder.dismissals enable row level security;
create policy customers_dismiss_for_themselves on builder.dismissals to builder_customer
  using (user_id = (select builder.caller_id()));
grant select, insert, delete on builder.dismissals to builder_customer;

-- What customers read and update in place of the table: of a message to everyone, `dismissed` is their own. The version
-- (`xmin`) grows with each write of the message and each dismissal, so that an ETag is of both.
create view builder.notifications_of_customer with (security_invoker = true) as
select n.id, n.account_id, n.type, n.body, n.link, n.channel, n.dismissed or d.user_id is not null as dismissed, n.expires_at,
  n.created_at, n.xmin::text::bigint + coalesce(d.xmin::text::bigint, 0) as xmin
from builder.notifications n
  left join builder.dismissals d on d.notification_id = n.id and d.user_id = (select builder.caller_id())
    and n.account_id = '00000000-0000-0000-0000-000000000000';

-- A row that has changed since it was found is left alone when the request names its version.
create function builder.dismiss_notification() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  caller constant uuid := builder.caller_id();
begin
  if old.account_id <> builder.everyone() then
    update builder.notifications n set dismissed = new.dismissed
    where n.id = old.id and (
      current_setting('request.version', true) is distinct from 'compared' or n.xmin::text::bigint = old.xmin
    );
    if not found then
      return null;
    end if;
  elsif caller is null then
    return null;
  elsif new.dismissed and not old.dismissed then
    insert into builder.dismissals values (old.id, caller) on conflict do nothing;
  elsif not new.dismissed then
    delete from builder.dismissals d where d.notification_id = old.id and d.user_id = caller;
  end if;
  select * into new from builder.notifications_of_customer n where n.id = old.id;
  return case when found then new end;
end
$$;
create trigger dismiss instead of update on builder.notifications_of_customer
  for each row execute function builder.dismiss_notification();
grant select, update (dismissed) on builder.notifications_of_customer to builder_customer;

-- The other devices of who dismisses are told: the line is of the caller's own account.
create function builder.record_dismissals() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if tg_op = 'INSERT' then
    insert into builder.changes (collection, operation, account_id, key)
    select 'notifications', 'U', d.user_id, d.notification_id::text from new_rows d;
  elsif tg_op = 'DELETE' then
    insert into builder.changes (collection, operation, account_id, key)
    select 'notifications', 'U', d.user_id, d.notification_id::text
    from old_rows d join builder.notifications n on n.id = d.notification_id;
  else
    -- What is sent of a changed message to everyone has the `dismissed` of nobody, so it is followed by each one's own.
    insert into builder.changes (collection, operation, account_id, key)
    select 'notifications', 'U', d.user_id, d.notification_id::text
    from new_rows n join builder.dismissals d on d.notification_id = n.id;
  end if;
  return null;
end
$$;
create trigger record_inserts after insert on builder.dismissals referencing new table as new_rows
  for each statement execute function builder.record_dismissals();
create trigger record_deletes after delete on builder.dismissals referencing old table as old_rows
  for each statement execute function builder.record_dismissals();
create function builder.forget_dismissals() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  delete from builder.dismissals d using old_rows n where d.notification_id = n.id;
  return null;
end
$$;
create trigger forget_dismissals after delete on builder.notifications referencing old table as old_rows
  for each statement execute function builder.forget_dismissals();
create trigger record_updates_of_dismissed after update on builder.notifications referencing new table as new_rows
  for each statement execute function builder.record_dismissals();

-- As it was, but that a line of an account may be about a message to everyone, which it has dismissed.
create or replace function builder.write_seen_lines() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  execute format(
    $body$create or replace function builder.seen_lines(candidates integer[], ids bigint[]) returns integer[]
  language plpgsql stable set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
as $function$
begin
  return array(
    select candidate from unnest(candidates) candidate
      -- With an offset Postgres finds each line and each row by its id, and never reads a whole table instead.
      cross join lateral (select * from builder.changes where id = ids[candidate] offset 0) changed
    where case
      when operation = 'D' then true
%s
    end
  );
end
$function$
$body$,
    (
      select string_agg(
        format($case$      when collection = %L then exists (
        select from builder.%I r where r.id = changed.key::%s and r.account_id in (changed.account_id, '00000000-0000-0000-0000-000000000000')%s offset 0)$case$,
          name, name, format_type(atttypid, atttypmod), ' and r.' || quote_ident(deleted_column) || ' is null'),
        E'\n' order by name)
      from builder.live_collections join pg_attribute on attrelid = ('builder.' || quote_ident(name))::regclass and attname = 'id'
    )
  );
  return null;
end
$$;
update builder.live_collections set name = name;

revoke execute on function
  builder.forbid_column(text, text, text),
  builder.keep_terms(),
  builder.dismiss_notification(),
  builder.record_dismissals(),
  builder.forget_dismissals()
  from public;
grant execute on function builder.forbid_column(text, text, text) to builder_customer;
