-- The first two rules of a quote's life: what a customer may do. Who is neither staff nor the sweep nor the owner is a customer.
-- quote-life.sql calls them.

-- Refuses a column to a customer. The service reports it at its field, with what it must be.
create or replace function builder.forbid_column(column_name text, why text, hint text, expected text default '') returns void
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  raise insufficient_privilege using
    message = 'permission denied: ' || why, hint = forbid_column.hint, detail = expected, schema = 'builder', table = 'quotes', column = column_name;
end
$$;

-- Rule 2, deletion: a customer deletes a draft or a closed quote. Only staff change a deleted one.
create or replace function builder.check_deletion(old builder.quotes, new builder.quotes) returns void
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  if old.deleted_at is not null then
    raise insufficient_privilege using constraint = 'rule 2, deletion', message = 'permission denied: only staff may change a deleted quote';
  end if;
  if new.deleted_at is not null and old.status not in ('draft', 'rejected', 'expired', 'cancelled') then
    raise sqlstate 'PT409' using constraint = 'rule 2, deletion',
      message = format('A quote that is %s cannot be deleted', old.status),
      detail = 'A draft or a closed quote (rejected, expired, cancelled) can be deleted.',
      hint = case when old.status <> 'ordered' then 'Write .update({ status: ''cancelled'' }) first.' else '' end;
  end if;
end
$$;

-- Rule 1, moves: a customer creates drafts and submitted quotes, and makes the moves of quote_transitions. Staff make any move.
create or replace function builder.check_move(old builder.quotes, new builder.quotes) returns void
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
declare
  moves text[];
begin
  if old.deleted_at is not null or new.deleted_at is not null then
    perform builder.check_deletion(old, new);
  end if;
  if old.id is null then
    if new.status not in ('draft', 'submitted') then
      raise sqlstate 'PT409' using constraint = 'rule 1, moves',
        message = format('A quote cannot be created as %s', new.status),
        detail = 'This caller may create it as: draft, submitted.';
    end if;
  elsif new.status <> old.status then
    moves := array(select t.to_status from builder.quote_transitions t where t.from_status = old.status order by 1);
    if new.deleted_at is not null then
      moves := '{}';
    end if;
    if new.status <> all (moves) then
      raise sqlstate 'PT409' using constraint = 'rule 1, moves',
        message = format('A quote cannot move from %s to %s', old.status, new.status),
        detail = case when moves = '{}' then format('From %s this caller has no moves.', old.status)
          else format('From %s this caller may move it to: %s.', old.status, array_to_string(moves, ', ')) end;
    end if;
  end if;
end
$$;

-- Rule 2, fields: a customer edits a draft, also in the request that moves a quote back to it. quote-columns.sql says what it edits
-- afterwards, and until when.
create or replace function builder.check_fields(old builder.quotes, new builder.quotes) returns void
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
declare
  is_closed constant boolean := old.status in ('ordered', 'rejected', 'expired', 'cancelled') and new.status = old.status;
  field text;
begin
  if new.source = 'admin_created' and new.source is distinct from old.source then
    perform builder.forbid_column('source', 'only staff may set source to admin_created', '');
  end if;
  if new.created_by is distinct from old.created_by and new.created_by is distinct from builder.caller_id() then
    perform builder.forbid_column(
      'created_by', 'created_by must be the user of the token', format('It is %s. A new quote may omit it.', builder.caller_id()),
      'the user of the token'
    );
  end if;
  if old.status <> 'draft' and new.status <> 'draft' then
    field := coalesce(
      builder.changed_column(old, new, 'in a draft'),
      case when new.status <> 'submitted' then builder.changed_column(old, new, 'until quoted') end,
      case when is_closed then builder.changed_column(old, new, 'until ordered') end
    );
    if field is not null then
      perform builder.forbid_column(
        field, format('%s of a quote that is %s cannot be changed', field, old.status), builder.open_fields(field, old.status)
      );
    end if;
  end if;
end
$$;

-- Refuses an account that is not the customer's. The policy refuses it too, with an error that names no column.
create or replace function builder.check_account(account uuid) returns void
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
declare
  accounts constant uuid[] := builder.caller_account_ids();
begin
  if account <> all (accounts) then
    perform builder.forbid_column(
      'account_id', 'account_id must be an account of the token', format('The accounts of the token: %s%s.',
        array_to_string(accounts[:20], ', '), case when cardinality(accounts) > 20 then ', …' else '' end),
      'an account of the token'
    );
  end if;
end
$$;

-- Returns the hint for a field that a customer may not change in this status.
create or replace function builder.open_fields(field text, status text) returns text
  language plpgsql immutable set search_path = pg_catalog, pg_temp
as $$
declare
  by_draft constant text := format('To change it, make it a draft again in the same request: .update({ status: ''draft'', %s }).', field);
  still_open constant text := 'Still open: status, ' || (
    select string_agg(name, ', ') from builder.quote_columns()
    where list = 'until ordered' or (list = 'until quoted' and open_fields.status = 'submitted')
  );
begin
  return case status
    when 'submitted' then format('%s %s.', by_draft, still_open)
    when 'quoted' then still_open || '. To change others, move it to submitted, and then to draft.'
    when 'approved' then still_open || '.'
    when 'rejected' then by_draft
    when 'expired' then by_draft
    else ''
  end;
end
$$;

grant execute on function
  builder.forbid_column(text, text, text, text),
  builder.check_account(uuid),
  builder.check_move(builder.quotes, builder.quotes),
  builder.check_fields(builder.quotes, builder.quotes),
  builder.open_fields(text, text),
  builder.check_deletion(builder.quotes, builder.quotes)
  to builder_customer;
