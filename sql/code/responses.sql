-- Bounds and counts the results of the service's statements.

-- Undoes a statement when the number of its rows is out of bounds (`Prefer: max-affected`, a single object, a change
-- by keys of which one is missing). The SQLSTATE says which bound; the message is the number.
create or replace function builder.expect_number(error_code text, actual bigint, at_least bigint, at_most bigint) returns void
  language plpgsql volatile set search_path = pg_catalog, pg_temp
as $$
begin
  if actual not between at_least and at_most then
    raise exception using errcode = error_code, message = actual::text;
  end if;
end
$$;

-- Undoes a write with columns that its caller may only send unchanged, and that differ from the stored row (`update`), or from what a
-- new row gets (`insert`). `judged` has the columns of the body that rules judge: who approves another offer learns that it has
-- changed. Otherwise the detail has the columns.
create or replace function builder.refuse_changes(collection text, privilege text, columns text[], key text, judged json) returns text
  language plpgsql volatile set search_path = pg_catalog, pg_temp
as $$
begin
  if coalesce(cardinality(columns), 0) = 0 then
    return null;
  elsif collection = 'quotes' and judged ->> 'status' = 'approved' and columns && '{total_price, quoted_at}' then
    perform builder.refuse_changed_offer(key::uuid);
  end if;
  raise exception using
    errcode = 'PG403', message = 'columns differ', detail = json_build_object('columns', columns, 'privilege', privilege);
end
$$;

-- Returns the planner's estimate of a query's rows (`Prefer: count=planned`). The estimate comes from statistics of
-- the whole table, other accounts' rows too, so customers may not call it.
create or replace function builder.planned_rows(query text) returns bigint
  language plpgsql volatile set search_path = pg_catalog, pg_temp
as $$
declare
  plan json;
begin
  execute 'explain (format json) ' || query into plan;
  return plan -> 0 -> 'Plan' ->> 'Plan Rows';
end
$$;

-- Undoes a statement whose response would exceed a limit, before the response is made. The message is for how many
-- milliseconds it ran: it may be sent again with a larger limit, for the rest of its time.
create or replace function builder.refuse_response() returns text
  language plpgsql volatile set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using errcode = 'PG413',
    message = ceil(1000 * extract(epoch from clock_timestamp() - statement_timestamp()))::text;
end
$$;

-- Returns a response of at most `bytes`; undoes the statement otherwise.
create or replace function builder.within_bytes(response text, bytes integer) returns text
  language plpgsql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
begin
  if octet_length(response) > bytes then
    perform builder.refuse_response();
  end if;
  return response;
end
$$;

-- Returns a value by which rows are sorted or grouped; undoes the statement if its text has more than `bytes`. The message
-- is the name of the field.
create or replace function builder.short_value(value anyelement, bytes integer, field text) returns anyelement
  language plpgsql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
begin
  if octet_length(value::text) > bytes then
    raise exception using errcode = 'PG414', message = field;
  end if;
  return value;
end
$$;

-- Returns an embedded list, and notes for the rest of the transaction if rows were cut off.
create or replace function builder.mark_cut(list json, is_cut boolean) returns json
  language plpgsql volatile set search_path = pg_catalog, pg_temp
as $$
begin
  if is_cut then
    perform set_config('response.cut', 'true', true);
  end if;
  return list;
end
$$;

grant execute on function
  builder.mark_cut(json, boolean),
  builder.expect_number(text, bigint, bigint, bigint),
  builder.refuse_response(),
  builder.short_value(anyelement, integer, text),
  builder.within_bytes(text, integer)
  to builder_anon, builder_customer, builder_staff, builder_reader;
grant execute on function builder.refuse_changes(text, text, text[], text, json) to builder_customer, builder_staff;
grant execute on function builder.planned_rows(text) to builder_staff, builder_reader;
