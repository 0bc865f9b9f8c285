-- Functions for check constraints: Postgres parses the text of each constraint for every statement, and doesn't call
-- a strict function for null.
--
-- Every function of this schema sets search_path, with pg_temp last. Otherwise a caller's temporary type named text
-- or json would replace Postgres's in a security definer function.

-- The number of digits is bounded: 1e131071 is a few bytes, but has 131,072 digits.
create function builder.is_price(value numeric) returns boolean
  language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$ begin return value >= 0 and value < 1e30 and scale(value) <= 20; end $$;

-- Addresses that an application shows as links and images are http or https, since a browser that opens a javascript: URL
-- runs a script. The functions decide as schema/web-address.ts does, in every locale: so the collation is "C".

-- Returns the class of blanks, control characters, and invisible characters that change how a text is shown.
create function builder.unseen() returns text
  language plpgsql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
begin
  return '[\u0001-\u0020\u007f-\u00a0\u00ad\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]';
end
$$;

-- Browsers read a backslash as a slash.
create function builder.is_seen(value text) returns boolean
  language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$
begin
  return octet_length(value) <= 2048 and strpos(value, chr(92)) = 0 and value collate "C" !~ builder.unseen();
end
$$;

create function builder.is_url(value text) returns boolean
  language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$ begin return value ~ '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]' and builder.is_seen(value); end $$;

-- A URL, or a path of the application: a second slash would begin another host.
create function builder.is_link(value text) returns boolean
  language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$ begin return builder.is_url(value) or value ~ '^/([^/]|$)' and builder.is_seen(value); end $$;

-- Any text that a browser, which drops the blanks, would not run. The specification does not say that these texts are
-- addresses, but an application may link them.
create function builder.is_no_script(value text) returns boolean
  language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$
begin
  return regexp_replace(value collate "C", builder.unseen(), '', 'g')
    !~* '^(javascript:|vbscript:|data:(?!image/(png|jpeg|gif|webp)[;,]))';
end
$$;

create function builder.are_tags(value text[]) returns boolean
  language plpgsql immutable strict parallel safe set search_path = pg_catalog, pg_temp
as $$
begin
  return cardinality(value) <= 100 and octet_length(array_to_string(value, ',', 'null')) <= 4000;
end
$$;

grant execute on function
  builder.is_price(numeric),
  builder.unseen(),
  builder.is_seen(text),
  builder.is_url(text),
  builder.is_link(text),
  builder.is_no_script(text)
  to builder_customer, builder_staff;
grant execute on function builder.are_tags(text[]) to builder_staff;
