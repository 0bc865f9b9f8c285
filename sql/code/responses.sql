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

-- Undoes a statement whose response would exceed a limit, before the response is made. The message is the limit.
create or replace function builder.refuse_response(bytes integer) returns text
  language plpgsql volatile set search_path = pg_catalog, pg_temp
as $$ begin raise exception using errcode = 'PG413', message = bytes::text; end $$;

-- Returns a response of at most `bytes`; undoes the statement otherwise. The message is the limit.
create or replace function builder.within_bytes(response text, bytes integer) returns text
  language plpgsql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
begin
  if octet_length(response) > bytes then
    raise exception using errcode = 'PG413', message = bytes::text;
  end if;
  return response;
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
  builder.refuse_response(integer),
  builder.within_bytes(text, integer)
  to builder_anon, builder_customer, builder_staff, builder_reader;
grant execute on function builder.planned_rows(text) to builder_staff, builder_reader;
