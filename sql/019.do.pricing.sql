-- A price goes with what it is a price of. Staff price what was submitted, once and unchanged since; where the customer
-- could have changed the quote after it was read, the request must name the version it has read (If-Match, or a filter on
-- updated_at), which the service says in request.version when its statement compares it.

-- Quotes that their customers have changed since they were submitted first, or priced.
create table builder.changed_quotes (
  quote_id uuid not null,
  constraint changed_quotes_pkey primary key (quote_id)
);
-- No role has a grant or a policy: the functions below are the only way.
alter table builder.changed_quotes enable row level security;

create function builder.mark_changed(quote_id uuid) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
as $$ insert into builder.changed_quotes values ($1) on conflict do nothing $$;

-- Also takes the mark away, since what is priced now is what was read.
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

create or replace function builder.stamp_move(old builder.quotes, new builder.quotes) returns builder.quotes
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
    -- Without its prices no quote is quoted: a constraint says so.
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

-- Hands the rows on only where a rule could say no: that costs more than the rules, and most writes make or save a draft.
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

revoke execute on function builder.check_priced_version(uuid, text), builder.mark_changed(uuid) from public;
grant execute on function builder.check_priced_version(uuid, text) to builder_staff;
grant execute on function builder.mark_changed(uuid) to builder_customer;
