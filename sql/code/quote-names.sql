-- What a request names of a quote. The service passes these facts about each change, as settings of its transaction:
--   request.compared  the columns that its filter compares by a plain `eq`, separated by commas
--   request.columns   the columns that its body has, in each row of an array, separated by commas
--   request.rows      'one': its filter names one id; 'keyed': each row of its body has its key; 'filtered': neither
-- The sweep and psql set none of them, so they name nothing; who uses psql as a request sets them.

-- Whether the body of the request has this column.
create or replace function builder.body_has(column_name text) returns boolean
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  return coalesce(column_name = any (string_to_array(current_setting('request.columns', true), ',')), false);
end
$$;

-- Whether the body has this column of a row whose key the request has.
create or replace function builder.body_names(column_name text) returns boolean
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  return builder.body_has(column_name) and coalesce(current_setting('request.rows', true) in ('one', 'keyed'), false);
end
$$;

-- Whether the request names the value that the row has in this column: its filter compares it, or its body has it. `is_stored` says
-- whether the new row has the stored value. A filter that may match several rows names no value of one.
create or replace function builder.names(column_name text, is_stored boolean) returns boolean
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    coalesce(current_setting('request.rows', true) = 'one', false)
    and coalesce(column_name = any (string_to_array(current_setting('request.compared', true), ',')), false)
  ) or (coalesce(is_stored, false) and builder.body_names(column_name));
end
$$;

-- Whether the request names the version of the row, by updated_at.
create or replace function builder.names_version(old builder.quotes, new builder.quotes) returns boolean
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$ begin return builder.names('updated_at', new.updated_at = old.updated_at); end $$;

-- Whether the request names what was submitted, by submitted_at. A quote that has none was never submitted.
create or replace function builder.names_submission(old builder.quotes, new builder.quotes) returns boolean
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$ begin return old.submitted_at is null or builder.names('submitted_at', new.submitted_at = old.submitted_at); end $$;

-- Whether the request names the offer, by quoted_at.
create or replace function builder.names_offer(old builder.quotes, new builder.quotes) returns boolean
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$ begin return builder.names('quoted_at', new.quoted_at = old.quoted_at); end $$;

-- Whether the request names the price, by total_price.
create or replace function builder.names_price(old builder.quotes, new builder.quotes) returns boolean
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$ begin return builder.names('total_price', new.total_price = old.total_price); end $$;

-- Whether a given time is another one than the stored one. Clients in JavaScript know no less than a millisecond.
create or replace function builder.is_other_time(given timestamp with time zone, stored timestamp with time zone) returns boolean
  language plpgsql immutable set search_path = pg_catalog, pg_temp
as $$
begin
  return case when given is null or stored is null then num_nulls(given, stored) = 1
    else given not between stored - interval '999 microseconds' and stored + interval '999 microseconds' end;
end
$$;

-- Returns the columns of a hint that name what was read: those that are null in the row name nothing.
create or replace function builder.named_columns(quote builder.quotes, names text[]) returns text[]
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  return array(select name from unnest(names) name where case name
    when 'submitted_at' then quote.submitted_at is not null when 'quoted_at' then quote.quoted_at is not null else true end);
end
$$;

-- Returns the update that a hint shows: what the request writes, with this status and the columns `needed`, and the names of what it
-- read. A long body is written as the row that was read.
create or replace function builder.hinted_update(quote builder.quotes, status text, needed text[], names text[]) returns text
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
declare
  body constant text[] := array(
    select name from unnest(string_to_array(current_setting('request.columns', true), ',')) name
    where name <> all (array['id', 'status', 'updated_at', 'submitted_at', 'quoted_at'] || needed || names)
  );
  is_long constant boolean := cardinality(body) > 8;
begin
  return array_to_string(
    case when is_long then array['...row'] else '{}' end
    || case when status is not null then array[format('status: ''%s''', status)] else '{}' end || needed
    || array(select name from unnest(body) name where not is_long or name in ('unit_price', 'total_price', 'currency'))
    || builder.named_columns(quote, names), ', ');
end
$$;

-- Returns the hint for a request that must send what it read: with the columns `needed`, and the columns `names`.
create or replace function builder.naming_hint(quote builder.quotes, status text, needed text[], names text[]) returns text
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
declare
  named constant text := array_to_string(builder.named_columns(quote, names), ', ');
  update constant text := builder.hinted_update(quote, status, needed, names);
begin
  if current_setting('request.rows', true) = 'keyed' then
    return format('Read the quote %s again, and send exactly what you read of %s in its row of the array: { id, %s }. All rows need '
      'the same keys.', quote.id, named, update);
  end if;
  return format('Read it again, and send exactly what you read of %s: .update({ %s }).eq(''id'', id).select(''status'').single()'
    '.throwOnError(). Over HTTP: PATCH …/quotes?id=eq.%s, with them in the body.', named, update, quote.id);
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
  builder.body_has(text),
  builder.body_names(text),
  builder.names(text, boolean),
  builder.names_version(builder.quotes, builder.quotes),
  builder.names_submission(builder.quotes, builder.quotes),
  builder.names_offer(builder.quotes, builder.quotes),
  builder.names_price(builder.quotes, builder.quotes),
  builder.is_other_time(timestamp with time zone, timestamp with time zone),
  builder.named_columns(builder.quotes, text[]),
  builder.hinted_update(builder.quotes, text, text[], text[]),
  builder.naming_hint(builder.quotes, text, text[], text[]),
  builder.note_version(uuid)
  to builder_customer, builder_staff;
