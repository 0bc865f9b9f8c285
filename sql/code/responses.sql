-- What the service's statements call to bound and to count what they answer.

-- Undoes a statement when a number is out of bounds: the rows it touched (`Prefer: max-affected`, a single object asked
-- for, a change by key that misses one). The SQLSTATE tells the service which; the message is the number.
create or replace function builder.expect_number(error_code text, actual bigint, at_least bigint, at_most bigint) returns void
  language plpgsql volatile set search_path = pg_catalog, pg_temp
as $$
begin
  if actual not between at_least and at_most then
    raise exception using errcode = error_code, message = actual::text;
  end if;
end
$$;

-- The planner's estimate of a query's rows (`Prefer: count=planned`). It plans as the caller and runs nothing.
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

-- Undoes a statement whose answer would have more bytes than it may, before they are put together. The message is the
-- limit.
create or replace function builder.refuse_answer(bytes integer) returns text
  language plpgsql volatile set search_path = pg_catalog, pg_temp
as $$ begin raise exception using errcode = 'PG413', message = bytes::text; end $$;

-- Returns an answer that has at most so many bytes; undoes the statement otherwise. The message is the limit.
create or replace function builder.within_bytes(answer text, bytes integer) returns text
  language plpgsql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
begin
  if octet_length(answer) > bytes then
    raise exception using errcode = 'PG413', message = bytes::text;
  end if;
  return answer;
end
$$;

grant execute on function
  builder.expect_number(text, bigint, bigint, bigint),
  builder.refuse_answer(integer),
  builder.within_bytes(text, integer)
  to builder_anon, builder_customer, builder_staff, builder_reader;
grant execute on function builder.planned_rows(text) to builder_staff, builder_reader;
