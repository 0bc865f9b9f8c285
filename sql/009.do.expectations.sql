-- Undoes a statement that touched too few rows or too many: `Prefer: max-affected`, a single object asked for, a PUT
-- whose key is another. The SQLSTATE tells the service which; the message is the number of rows.
create function builder.expect_rows(error_code text, actual bigint, at_least bigint, at_most bigint) returns void
  language plpgsql volatile set search_path = ''
as $$
begin
  if actual not between at_least and at_most then
    raise exception using errcode = error_code, message = actual::text;
  end if;
end
$$;

revoke execute on function builder.expect_rows(text, bigint, bigint, bigint) from public;
grant execute on function builder.expect_rows(text, bigint, bigint, bigint)
  to builder_anon, builder_customer, builder_staff;

-- An upsert tells new rows by xmax, for which a role with column grants needs a grant as well.
grant select (xmax) on builder.quotes to builder_customer;
