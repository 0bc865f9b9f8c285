-- The life of a quote: which moves a customer may make, what may still be edited, what staff price, and which times the
-- database sets. It holds for everyone who writes: the service, the sweep and psql.

-- The moves of a customer. Staff may put a quote in any status.
create table builder.quote_transitions (
  from_status text not null,
  to_status text not null,
  primary key (from_status, to_status)
);
insert into builder.quote_transitions values
  ('draft', 'submitted'),
  ('submitted', 'draft'),
  ('quoted', 'approved'),
  ('quoted', 'rejected'),
  ('draft', 'cancelled'),
  ('submitted', 'cancelled'),
  ('quoted', 'cancelled'),
  ('approved', 'cancelled');

-- Quotes that their customers have changed since they were first submitted, or since they were last priced.
create table builder.changed_quotes (
  quote_id uuid not null,
  constraint changed_quotes_pkey primary key (quote_id)
);

-- What a customer may still edit after draft, until the quote is ordered or closed.
create function builder.columns_open_after_draft() returns text[]
  language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
  select '{customer_notes,contact_name,contact_email,contact_phone,company,shipping_address,billing_address,
    delivery_method}'::text[]
$$;

create function builder.refuse_move(old_status text, new_status text, moves text[]) returns void
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

create function builder.check_customer_insert(new builder.quotes) returns void
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  if new.status <> 'draft' then
    perform builder.refuse_move('nothing', new.status, '{draft}');
  end if;
  if new.source = 'admin_created' then
    raise insufficient_privilege using message = 'permission denied: only staff may set source to admin_created';
  end if;
  if new.created_by is not null and new.created_by is distinct from builder.caller_id() then
    raise insufficient_privilege using message = 'permission denied: created_by must be the caller';
  end if;
end
$$;

-- The first column, by name, that a customer's update changes although this status closes it; or null. The rows are
-- compared as a whole, and the name is looked for only when they differ: comparing column by column takes half of the
-- time of an update.
create function builder.closed_column_changed(old builder.quotes, new builder.quotes) returns text
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
declare
  open constant text[] := '{status,submitted_at,approved_at,created_at,updated_at,deleted_at}'::text[]
    || case when old.status in ('ordered', 'rejected', 'expired', 'cancelled') then '{}'
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

create function builder.check_customer_update(old builder.quotes, new builder.quotes) returns void
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
    raise insufficient_privilege using message = 'permission denied: only staff may set source to admin_created';
  end if;
  if new.created_by is distinct from old.created_by and new.created_by is distinct from builder.caller_id() then
    raise insufficient_privilege using message = 'permission denied: created_by must be the caller';
  end if;
  if old.status = 'draft' then
    return;
  end if;
  column_name := builder.closed_column_changed(old, new);
  if column_name is not null then
    raise insufficient_privilege using
      message = format('permission denied: %s of a quote that is %s cannot be changed', column_name, old.status),
      hint = case
        when old.status = 'ordered' or closed then ''
        else format('Still open: status, %s.', array_to_string(builder.columns_open_after_draft(), ', '))
      end;
  end if;
end
$$;

create function builder.mark_changed(quote_id uuid) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
as $$ insert into builder.changed_quotes values ($1) on conflict do nothing $$;

-- A price is that of one version of the quote. Where the customer could have changed the quote after staff read it, the
-- request must name the version that was read (If-Match, or a filter on updated_at); the service sets request.version
-- when its statement compares it. A quote that was submitted once and has not been changed since needs no version.
-- The mark of a change is removed, since the version that is priced now is the one that was read.
create function builder.check_priced_version(quote_id uuid, status text) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  was_changed boolean;
begin
  delete from builder.changed_quotes c where c.quote_id = $1;
  was_changed := found;
  if (status = 'draft' or was_changed) and current_setting('request.version', true) is distinct from 'compared' then
    raise sqlstate 'PT409' using
      message = format('A quote cannot move from %s to quoted unless the request names the version that was priced', status),
      detail = case when status = 'draft' then 'It is a draft, which its customer may change at any moment.'
        else 'Its customer has changed it since it was submitted.' end,
      hint = 'Read it again, and send the ETag of that answer in If-Match, or updated_at=eq.<as it was read> as a filter.';
  end if;
end
$$;

-- What happens when a quote moves to another status, or is made in another than draft: the times and names that the
-- database sets, unless staff supply them, and what a move ends.
create function builder.stamp_move(old builder.quotes, new builder.quotes) returns builder.quotes
  language plpgsql volatile set search_path = pg_catalog, pg_temp
as $$
begin
  if old.status = 'ordered' then
    new.fulfillment_status := null;
  end if;
  if new.status = 'submitted' then
    if new.submitted_at is not distinct from old.submitted_at then
      new.submitted_at := now();
    end if;
    if old.submitted_at is not null and current_user = 'builder_customer' then
      perform builder.mark_changed(new.id);
    end if;
  elsif new.status = 'quoted' then
    -- A quote without its prices is refused by a constraint, with a message of its own.
    if old.status is not null and current_user = 'builder_staff' and new.unit_price is not null and new.total_price is not null then
      perform builder.check_priced_version(old.id, old.status);
    end if;
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
    if new.approved_at is not distinct from old.approved_at then
      new.approved_at := now();
    end if;
  end if;
  return new;
end
$$;

-- The rows are passed on only where a rule could refuse them, since passing them costs more than the rules do and most
-- writes make or save a draft.
create function builder.rule_quote() returns trigger
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
    end if;
  elsif new.status <> 'draft' and (new.quote_number is distinct from old.quote_number or old.status = 'draft') then
    perform builder.note_brought_number(new.quote_number);
  end if;
  if tg_op = 'INSERT' then
    new.created_by := coalesce(new.created_by, builder.caller_id());
  end if;
  if tg_op = 'UPDATE' or by_customer then
    new.updated_at := now();
  end if;
  if moved then
    new := builder.stamp_move(old, new);
  end if;
  return new;
end
$$;

create trigger rules before insert or update on builder.quotes
  for each row execute function builder.rule_quote();
