-- The life of a quote: which moves a customer may make, what may still be edited, and which times are stamped.
-- It holds for everyone who writes, the service, the sweep and psql alike.

-- The moves of a customer; staff may put a quote in any status.
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

-- What a customer may still edit after draft, until the quote is ordered or closed.
create function builder.columns_open_after_draft() returns text[]
  language sql immutable parallel safe set search_path = ''
as $$
  select '{customer_notes,contact_name,contact_email,contact_phone,company,shipping_address,billing_address,
    delivery_method}'::text[]
$$;

create function builder.refuse_move(old_status text, new_status text, moves text[]) returns void
  language plpgsql stable set search_path = ''
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
  language plpgsql stable set search_path = ''
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

create function builder.check_customer_update(old builder.quotes, new builder.quotes) returns void
  language plpgsql stable set search_path = ''
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
  select changed.key into column_name
  from jsonb_each(to_jsonb(new)) changed
  where changed.value is distinct from to_jsonb(old) -> changed.key
    and changed.key not in ('status', 'submitted_at', 'approved_at', 'created_at', 'updated_at', 'deleted_at')
    and (old.status = 'ordered' or closed or changed.key <> all (builder.columns_open_after_draft()))
  order by changed.key
  limit 1;
  if found then
    raise insufficient_privilege using
      message = format('permission denied: %s of a quote that is %s cannot be changed', column_name, old.status),
      hint = case
        when old.status = 'ordered' or closed then ''
        else format('Still open: status, %s.', array_to_string(builder.columns_open_after_draft(), ', '))
      end;
  end if;
end
$$;

-- The times and names the database sets. A customer's own are replaced; staff may supply them.
create function builder.stamp_quote(old builder.quotes, new builder.quotes, by_customer boolean)
  returns builder.quotes
  language plpgsql stable set search_path = ''
as $$
declare
  moved constant boolean := old.status is distinct from new.status;
begin
  if by_customer then
    new.submitted_at := old.submitted_at;
    new.approved_at := old.approved_at;
    new.created_at := coalesce(old.created_at, now());
    new.updated_at := now();
    new.deleted_at := case when new.deleted_at is not null then now() end;
  end if;
  if moved and new.status = 'submitted' and new.submitted_at is not distinct from old.submitted_at then
    new.submitted_at := now();
  elsif moved and new.status = 'quoted' then
    if new.quoted_at is not distinct from old.quoted_at then
      new.quoted_at := now();
    end if;
    if new.quoted_by is not distinct from old.quoted_by then
      new.quoted_by := coalesce(builder.caller_id(), old.quoted_by);
    end if;
  elsif moved and new.status = 'approved' and new.approved_at is not distinct from old.approved_at then
    new.approved_at := now();
  end if;
  return new;
end
$$;

create function builder.rule_quote() returns trigger
  language plpgsql set search_path = ''
as $$
declare
  by_customer constant boolean := current_user = 'builder_customer';
begin
  if tg_op = 'INSERT' then
    if by_customer then
      perform builder.check_customer_insert(new);
    end if;
    new.created_by := coalesce(new.created_by, builder.caller_id());
  else
    if by_customer then
      perform builder.check_customer_update(old, new);
    end if;
    if old.status = 'ordered' and new.status <> 'ordered' then
      new.fulfillment_status := null;
    end if;
    new.updated_at := now();
  end if;
  if new.status = 'approved' and old.status is distinct from 'approved' and new.expires_at <= now() then
    raise sqlstate 'PT409' using
      message = format('A quote cannot move from %s to approved after it has expired', coalesce(old.status, 'nothing')),
      detail = format('It expired at %s.', to_json(new.expires_at) #>> '{}');
  end if;
  return builder.stamp_quote(old, new, by_customer);
end
$$;

create trigger rules before insert or update on builder.quotes
  for each row execute function builder.rule_quote();
