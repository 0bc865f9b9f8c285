-- What the service's statements ask beside the rows themselves.

-- Undoes a statement some number of which is out of bounds: the rows it touched (`Prefer: max-affected`, a single
-- object asked for, a change by key that misses one), or the bytes of its answer. The SQLSTATE tells the service
-- which; the message is the number.
create function builder.expect_number(error_code text, actual bigint, at_least bigint, at_most bigint) returns void
  language plpgsql volatile set search_path = ''
as $$
begin
  if actual not between at_least and at_most then
    raise exception using errcode = error_code, message = actual::text;
  end if;
end
$$;

-- The planner's guess of a query's rows (`Prefer: count=planned`). It plans as the caller and runs nothing.
create function builder.planned_rows(query text) returns bigint
  language plpgsql volatile set search_path = ''
as $$
declare
  plan json;
begin
  execute 'explain (format json) ' || query into plan;
  return plan -> 0 -> 'Plan' ->> 'Plan Rows';
end
$$;

revoke execute on function
  builder.expect_number(text, bigint, bigint, bigint),
  builder.planned_rows(text)
  from public;
grant execute on function builder.expect_number(text, bigint, bigint, bigint)
  to builder_anon, builder_customer, builder_staff;
-- The guess comes from statistics of the whole table, other accounts' rows too.
grant execute on function builder.planned_rows(text) to builder_staff;

-- An upsert tells new rows by xmax, for which a role with column grants needs a grant as well.
grant select (xmax) on builder.quotes to builder_customer;
