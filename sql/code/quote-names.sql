-- What a request names of a quote, in settings of its transaction:
--   request.version  'compared': its filter compares updated_at, or the version of an ETag, of one row
--   request.price    'compared': its filter compares total_price of one row
--   request.rows     'one': its filter names one id; 'keyed': each row of its body has its key; 'filtered': neither
--   request.columns  the columns that its body has, separated by commas
-- The sweep sets none of them, and psql only what its user sets. Then each row is judged by itself.

-- Whether the body of the request has this column.
create or replace function builder.names_column(column_name text) returns boolean
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  return coalesce(column_name = any (string_to_array(current_setting('request.columns', true), ',')), false);
end
$$;

-- Whether the body of the request has this column of a row whose key it names.
create or replace function builder.body_names(column_name text) returns boolean
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  return builder.names_column(column_name) and coalesce(current_setting('request.rows', true) in ('one', 'keyed'), false);
end
$$;

-- Whether the request names the version of the row that it changes: by its filter, or by the updated_at of its body.
create or replace function builder.names_version(old builder.quotes, new builder.quotes) returns boolean
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  return current_setting('request.version', true) is not distinct from 'compared'
    or (builder.body_names('updated_at') and coalesce(new.updated_at = old.updated_at, false));
end
$$;

-- Whether the request names the price of the row that it changes: by its filter, or by the total_price of its body.
create or replace function builder.names_price(old builder.quotes, new builder.quotes) returns boolean
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  return current_setting('request.price', true) is not distinct from 'compared'
    or (builder.body_names('total_price') and coalesce(new.total_price = old.total_price, false));
end
$$;

-- Returns the hint for a request that must name a version, or a price if `column_name` is total_price.
create or replace function builder.naming_hint(update text, column_name text default 'updated_at') returns text
  language plpgsql immutable set search_path = pg_catalog, pg_temp
as $$
begin
  return format(
    'Read it again, and write .update({ %1$s }).match({ id, %2$s }) with what you read. As an address: PATCH …/quotes?id=eq.…&%3$s. '
    'Or send what you read of %2$s in the body%4$s.', update, column_name,
    case column_name when 'updated_at' then 'updated_at=eq.2026-…%2B00:00' else 'total_price=eq.…' end,
    case column_name when 'updated_at' then ', or its ETag in If-Match' else '' end
  );
end
$$;

-- Notes for the history that the request names the version of a draft.
create or replace function builder.note_version(quote uuid) returns void
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  perform set_config('builder.named_drafts', concat_ws(',', nullif(current_setting('builder.named_drafts', true), ''), quote), true);
end
$$;

grant execute on function
  builder.names_column(text),
  builder.body_names(text),
  builder.names_version(builder.quotes, builder.quotes),
  builder.names_price(builder.quotes, builder.quotes),
  builder.naming_hint(text, text),
  builder.note_version(uuid)
  to builder_customer, builder_staff;
