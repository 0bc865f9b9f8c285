-- The checks of values that constraints call. They are functions because Postgres parses the text of each check constraint
-- again for every statement, and strict ones are not called for null.
--
-- Every function of this schema pins its search path, with pg_temp at the end. Otherwise temporary objects come first, and a
-- caller's own type named text or json would stand for Postgres's inside a security definer function.

-- The number of digits is bounded because 1e131071 takes a few bytes and is shown with 131,072 digits.
create function builder.is_price(value numeric) returns boolean
  language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$ begin return value >= 0 and value < 1e30 and scale(value) <= 20; end $$;

create function builder.is_url(value text) returns boolean
  language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$ begin return octet_length(value) <= 2048 and value ~* '^https?://[^ ]+$'; end $$;

create function builder.are_tags(value text[]) returns boolean
  language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$
begin
  return cardinality(value) <= 100 and octet_length(array_to_string(value, ',', 'null')) <= 4000;
end
$$;

grant execute on function builder.is_price(numeric), builder.is_url(text) to builder_customer, builder_staff;
grant execute on function builder.are_tags(text[]) to builder_staff;
