-- The checks of columns whose values have a form or a size. They are functions because Postgres parses the text of each
-- check constraint anew for every statement, and strict ones are not called for null. The sizes are those of schema/:
-- without them a large text could be selected many times, cast and matched with patterns, for seconds of work.

-- The number of digits is bounded because 1e131071 takes a few bytes and is shown with 131,072 digits.
create function builder.is_price(value numeric) returns boolean
  language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$ begin return value >= 0 and value < 1e30 and scale(value) <= 20; end $$;

create function builder.is_snapshot(value jsonb) returns boolean
  language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$ begin return jsonb_typeof(value) = 'object' and octet_length(value::text) <= 1048576; end $$;

create function builder.is_size_breakdown(value jsonb) returns boolean
  language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$
begin
  return jsonb_typeof(value) = 'object'
    and not jsonb_path_exists(
      value, 'strict $.* ? (@.type() != "number" || @ < 0 || @ > 1000000000 || @.floor() != @)'
    )
    and octet_length(value::text) <= 8000;
end
$$;

-- An object whose values are texts and which has no other keys than these.
create function builder.is_record_of_texts(value jsonb, keys text[]) returns boolean
  language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$
begin
  return jsonb_typeof(value) = 'object'
    and value - keys = '{}'
    and not jsonb_path_exists(value, 'strict $.* ? (@.type() != "string")')
    and octet_length(value::text) <= 2000;
end
$$;

create function builder.is_address(value jsonb) returns boolean
  language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$ begin return builder.is_record_of_texts(value, '{street,city,state,zip,country}'); end $$;

create function builder.is_colors(value jsonb) returns boolean
  language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$ begin return builder.is_record_of_texts(value, '{primary,secondary,accent,accent2,accent3}'); end $$;

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

-- True or null when every text fits; a check constraint accepts both.
create function builder.quote_texts_fit(
  sport text, customer_notes text, internal_notes text, contact_name text, contact_email text, contact_phone text,
  company text, tool_2d text, techpack_file text, avatar_preview text
) returns boolean
  language plpgsql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
begin
  return octet_length(sport) <= 200
    and octet_length(customer_notes) <= 10000
    and octet_length(internal_notes) <= 10000
    and octet_length(contact_name) <= 500
    and octet_length(contact_email) <= 320
    and octet_length(contact_phone) <= 100
    and octet_length(company) <= 500
    and octet_length(tool_2d) <= 10000
    and octet_length(techpack_file) <= 2048
    and octet_length(avatar_preview) <= 2048;
end
$$;
