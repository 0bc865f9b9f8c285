-- Every column has a size that fits its meaning, as schema/ says it. Without one a note of a megabyte could be selected
-- under many names, cast, and matched with patterns, for seconds of work that nothing interrupts. The checks are functions
-- because Postgres reads the text of each check anew for every statement.

create function builder.is_url(value text) returns boolean
  language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$ begin return octet_length(value) <= 2048 and value ~* '^https?://[^ ]+$'; end $$;

-- Null where nothing is too long and something is null, which a check takes as well.
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

create or replace function builder.is_record_of_texts(value jsonb, keys text[]) returns boolean
  language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$
begin
  return jsonb_typeof(value) = 'object'
    and value - keys = '{}'
    and not jsonb_path_exists(value, 'strict $.* ? (@.type() != "string")')
    and octet_length(value::text) <= 2000;
end
$$;

create or replace function builder.is_size_breakdown(value jsonb) returns boolean
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

create function builder.are_tags(value text[]) returns boolean
  language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$
begin
  return cardinality(value) <= 100 and octet_length(array_to_string(value, ',', 'null')) <= 4000;
end
$$;

-- Not valid: that is, not asked of the rows there are; reading them all would keep the table from everyone meanwhile.
alter table builder.quotes
  add constraint texts_of_a_quote_have_a_bounded_size check (
    builder.quote_texts_fit(
      sport, customer_notes, internal_notes, contact_name, contact_email, contact_phone, company, tool_2d,
      techpack_file, avatar_preview
    )
  ) not valid,
  add constraint preview_front_url_is_an_http_url check (builder.is_url(preview_front_url)) not valid,
  add constraint preview_back_url_is_an_http_url check (builder.is_url(preview_back_url)) not valid;

alter table builder.graphics
  add constraint name_has_at_most_500_bytes check (octet_length(name) <= 500) not valid,
  add constraint code_has_at_most_100_bytes check (octet_length(code) <= 100) not valid,
  add constraint file_url_is_an_http_url check (builder.is_url(file_url)) not valid,
  add constraint description_has_at_most_10000_bytes check (octet_length(description) <= 10000) not valid,
  add constraint tags_are_at_most_100_of_4000_bytes check (builder.are_tags(tags)) not valid;

alter table builder.notifications
  add constraint body_has_at_most_10000_bytes check (octet_length(body) <= 10000) not valid,
  add constraint link_has_at_most_2048_bytes check (octet_length(link) <= 2048) not valid;

revoke execute on function
  builder.is_url(text),
  builder.quote_texts_fit(text, text, text, text, text, text, text, text, text, text),
  builder.are_tags(text[])
  from public;
grant execute on function
  builder.is_url(text),
  builder.quote_texts_fit(text, text, text, text, text, text, text, text, text, text)
  to builder_customer, builder_staff;
grant execute on function builder.are_tags(text[]) to builder_staff;

-- Ends a statement whose answer would have more bytes than it may, before they are put together. The message is the limit.
create function builder.refuse_answer(bytes integer) returns text
  language plpgsql volatile set search_path = pg_catalog, pg_temp
as $$ begin raise exception using errcode = 'PG413', message = bytes::text; end $$;

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

revoke execute on function builder.refuse_answer(integer) from public;
grant execute on function builder.refuse_answer(integer) to builder_anon, builder_customer, builder_staff;
