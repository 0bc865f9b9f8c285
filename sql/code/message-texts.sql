-- The texts of messages: rows of event_messages, filled in.

-- Returns the name of the message of an event. An answer by a link has words of its own.
create or replace function builder.message_of(happened builder.quote_events) returns text
  language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$ select happened.event || case when happened.link_id is null then '' else '.by_link' end $$;

-- Returns as which audience the account hears of an event: of its own moves as `actor`, but an answer by a link was not its own.
create or replace function builder.account_audience(happened builder.quote_events) returns text
  language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$ select case when happened.created_as = 'customer' and happened.link_id is null then 'actor' else 'account' end $$;

-- Returns a text that somebody wrote as a part of a line, without what would change the direction of the rest.
create or replace function builder.in_line(written text) returns text
  language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$ select nullif(btrim(regexp_replace(written, '[[:cntrl:][:space:]\u202a-\u202e\u2066-\u2069]+', ' ', 'g')), '') $$;

-- Fills in a text of event_messages in one pass: what a value contains is never a placeholder. A line whose value is missing is dropped;
-- returns null if no line is left. `url` is the value of {offer_url}, which only a mail has.
create or replace function builder.fill_message(template text, event builder.quote_events, language text, url text default null) returns text
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  with known as materialized (
    select jsonb_build_object(
      'quote_number', q.quote_number, 'quote_id', q.id, 'currency', event.currency, 'offer_url', url,
      'total_price', builder.format_price(event.total_price, event.currency, $3),
      'expires_at', builder.format_time(q.expires_at, q.account_id, $3),
      'estimated_delivery_at', builder.format_day(q.estimated_delivery_at, q.account_id, $3),
      'label', (select builder.in_line(l.label) from builder.quote_links l where l.id = event.link_id),
      'signer', builder.in_line(event.signer), 'said', builder.in_line(event.said)
    ) as data
    from builder.quotes q where q.id = event.quote_id
  )
  select nullif(btrim(string_agg(filled.line, E'\n' order by lines.place), E' \n'), '')
  from known
    cross join unnest(string_to_array(template, E'\n')) with ordinality as lines (line, place)
    cross join lateral (
      select case when bool_and(part.text is not null) is not false then coalesce(string_agg(part.text, '' order by part.place), '') end as line
      from (
        select place, case
          when place = 1 then behind
          when behind like '%}%' and known.data ? split_part(behind, '}', 1)
            then known.data ->> split_part(behind, '}', 1) || substr(behind, strpos(behind, '}') + 1)
          else '{' || behind
        end as text
        from unnest(string_to_array(lines.line, '{')) with ordinality as braces (behind, place)
      ) part
    ) filled
$$;

-- Returns the text of a message, whose first line is the subject of its mail. That line stays without {offer_url}; other lines with it
-- are only in the mail. A text that is nothing else is the quote's number.
create or replace function builder.message_text(template text, event builder.quote_events, language text) returns text
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select case when template like '%{offer\_url}%' then coalesce(
    builder.fill_message(
      regexp_replace(
        regexp_replace(first.line, '[[:space:]]*[(<]?[{]offer_url[}][)>]?', '', 'g'), '[[:space:]:;,>–—-]+$', ''
      ) || substr(trimmed, length(first.line) + 1),
      event, $3
    ),
    case when not exists (
      select from unnest(string_to_array(trimmed, E'\n')) line where line ~ '[^[:space:]]' and line not like '%{offer\_url}%'
    ) then builder.fill_message('{quote_number}', event, $3) end
  ) else builder.fill_message(template, event, $3) end
  from btrim(template, E' \n\r\t') trimmed, split_part(trimmed, E'\n', 1) first (line)
$$;
