-- The values of columns, where a constraint would cost too much: a check constraint runs in each update, even if none
-- of its columns change, and takes 100 ms for a design of 1 MiB. The errors are those of constraints. The sizes are
-- those of schema/; without them, one request could cast a large text and match it with patterns for seconds.

-- Raises the error of a check constraint. schema/ has the columns of each constraint.
create or replace function builder.refuse_value(table_name text, constraint_name text) returns void
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  raise check_violation using
    message = format('A value of %s is invalid: %s', table_name, constraint_name),
    schema = 'builder', table = table_name, constraint = constraint_name;
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

-- Returns whether a text is one e-mail address. The domain may have letters of any script; schema/email-address.ts
-- also checks that it has an ASCII form.
create or replace function builder.is_email_address(address text) returns boolean
  language plpgsql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
begin
  return char_length(address) <= 254 and address ~ ('^[A-Za-z0-9!#$%&''*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&''*+/=?^_`{|}~-]+)*'
    '@[A-Za-z0-9\u0080-\uffff]+(-+[A-Za-z0-9\u0080-\uffff]+)*(\.[A-Za-z0-9\u0080-\uffff]+(-+[A-Za-z0-9\u0080-\uffff]+)*)+$')
    and strpos(address, '@') <= 65 and address !~ '\.[0-9]+$';
end
$$;

-- Checks the values of a quote that a request sets (the trigger is in quote-columns.sql). Rule 3 of quote-life.sql checks contact_email. Most conditions are not
-- functions, since each call takes 1 % of a save.
create or replace function builder.check_values() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  if new.customization is distinct from old.customization and (
    jsonb_typeof(new.customization) <> 'object' or octet_length(new.customization::text) > 1048576
  ) then
    perform builder.refuse_value('quotes', 'customization_is_an_object_of_at_most_1_mib');
  end if;
  if new.colors is distinct from old.colors and (jsonb_typeof(new.colors) <> 'object' or octet_length(new.colors::text) > 2000) then
    perform builder.refuse_value('quotes', 'colors_is_an_object_of_at_most_2000_bytes');
  end if;
  if new.size_breakdown is distinct from old.size_breakdown and not builder.is_size_breakdown(new.size_breakdown) then
    perform builder.refuse_value('quotes', 'size_breakdown_counts_are_whole_numbers');
  end if;
  if new.shipping_address is distinct from old.shipping_address and (
    jsonb_typeof(new.shipping_address) <> 'object' or octet_length(new.shipping_address::text) > 2000
  ) then
    perform builder.refuse_value('quotes', 'shipping_address_is_an_object_of_at_most_2000_bytes');
  end if;
  if new.billing_address is distinct from old.billing_address and (
    jsonb_typeof(new.billing_address) <> 'object' or octet_length(new.billing_address::text) > 2000
  ) then
    perform builder.refuse_value('quotes', 'billing_address_is_an_object_of_at_most_2000_bytes');
  end if;
  -- Constraints bound the URLs of previews (is_url).
  if octet_length(new.sport) > 200 or octet_length(new.customer_notes) > 10000 or octet_length(new.internal_notes) > 10000
    or octet_length(new.contact_name) > 500 or octet_length(new.contact_email) > 320
    or octet_length(new.contact_phone) > 100 or octet_length(new.company) > 500 or octet_length(new.tool_2d) > 10000
    or octet_length(new.techpack_file) > 2048
  then
    perform builder.refuse_value('quotes', 'texts_are_not_too_long');
  end if;
  return new;
end
$$;

create or replace function builder.refuse_blank_body() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp
as $$ begin perform builder.refuse_value('notifications', 'body_is_not_blank'); return null; end $$;

create or replace trigger body_of_new before insert on builder.notifications for each row
  when (new.body !~ '[^[:space:]]') execute function builder.refuse_blank_body();

create or replace trigger body_of_changed before update of body on builder.notifications for each row
  when (new.body is distinct from old.body and new.body !~ '[^[:space:]]') execute function builder.refuse_blank_body();

grant execute on function
  builder.refuse_value(text, text),
  builder.is_size_breakdown(jsonb),
  builder.is_email_address(text)
  to builder_customer, builder_staff;
