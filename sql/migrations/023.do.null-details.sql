-- A key of colors or of an address may be null, as clients write what nobody has chosen.
create or replace function builder.is_record_of_texts(value jsonb, keys text[]) returns boolean
  language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$
begin
  return jsonb_typeof(value) = 'object'
    and value - keys = '{}'
    and not jsonb_path_exists(value, 'strict $.* ? (@.type() != "string" && @.type() != "null")')
    and octet_length(value::text) <= 2000;
end
$$;
