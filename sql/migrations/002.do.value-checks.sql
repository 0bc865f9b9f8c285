-- Functions for check constraints: Postgres parses the text of each constraint for every statement, and doesn't call
-- a strict function for null.
--
-- Every function of this schema sets search_path, with pg_temp last. Otherwise a caller's temporary type named text
-- or json would replace Postgres's in a security definer function.

-- The number of digits is bounded: 1e131071 is a few bytes, but has 131,072 digits.
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
