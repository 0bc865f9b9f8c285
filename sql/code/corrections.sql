-- Corrects personal data in quotes and their offers, also where the rules let nobody change them, for the owner (`npm run account`):
-- a name is replaced, and the orders of an erased account are anonymized. Nothing is priced, offered or approved anew, and no
-- message is sent. No role of a request may call what writes.

-- Whether this is such a correction. The setting counts only for the owner, so nobody else gets past the rules by it.
create or replace function builder.is_correction() returns boolean
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  return current_setting('builder.correction', true) is not distinct from 'on' and pg_has_role(
    case current_setting('role') when 'none' then session_user else current_setting('role') end,
    (select relowner from pg_class where oid = 'builder.quotes'::regclass), 'usage'
  );
end
$$;

-- Returns the digests of the designs of a quote and, by number, of its offers.
create or replace function builder.digests_of(quote uuid) returns text[]
  language sql stable set search_path = pg_catalog, pg_temp
as $$
  select array_agg(builder.design_digest(designed) order by number) from (
    select 0 as number, q as designed from builder.quotes q where q.id = quote
    union all
    select o.number, jsonb_populate_record(null::builder.quotes, to_jsonb(o) - 'id') from builder.quote_offers o where o.quote_id = quote
  ) designs
$$;

-- Replaces the digests in a quote's history after its designs were corrected. The digest of a design that is stored nowhere becomes
-- a random one: it is still another design, and no one can guess by it.
create or replace function builder.renew_digests(quote uuid, before text[]) returns void
  language sql set search_path = pg_catalog, pg_temp
as $$
  with now_are as (select builder.digests_of(quote) as digests)
  update builder.quote_events e set design_digest = coalesce(
    now_are.digests[array_position(before, e.design_digest)], encode(sha256(uuid_send(gen_random_uuid())), 'hex')
  )
  from now_are where e.quote_id = quote and e.design_digest is not null
$$;

-- Returns a pattern for a name as a word of its own: next to it is no letter of a script that has spaces, also behind a hyphen or an
-- apostrophe, as in Ann-Marie and O'Ann. A possessive `'s` may follow. Both apostrophes are one.
create or replace function builder.name_pattern(name text) returns text
  language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
  select '(?<![0-9A-Za-z\u00c0-\u1fff][-_''’]?)'
    || regexp_replace(regexp_replace(normalize(name, nfc), '[][\\.^$*+?(){}|]', '\\\&', 'g'), '[''’]', '[''’]', 'g')
    || '(?![-_]?[0-9A-Za-z\u00c0-\u1fff])(?![''’](?:[0-9A-RT-Za-rt-z\u00c0-\u1fff]|[0-9A-Za-z\u00c0-\u1fff]{2}))'
$$;

-- Replaces a name in a text: as it is written, in capitals, and in any other case. A text without it stays as it is.
create or replace function builder.replace_name(value text, was text, becomes text) returns text
  language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
  select case when normalize(value, nfc) !~* builder.name_pattern(was) then value
    else regexp_replace(regexp_replace(regexp_replace(normalize(value, nfc),
      builder.name_pattern(was), replace(becomes, '\', '\\'), 'g'),
      builder.name_pattern(upper(was)), replace(upper(becomes), '\', '\\'), 'g'),
      builder.name_pattern(was), replace(becomes, '\', '\\'), 'gi') end
$$;

-- Replaces a name in each text of a JSON value, and a key that is the name.
create or replace function builder.replace_name(value jsonb, was text, becomes text) returns jsonb
  language plpgsql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
begin
  return case jsonb_typeof(value)
    when 'string' then to_jsonb(builder.replace_name(value #>> '{}', was, becomes))
    when 'array' then coalesce((
      select jsonb_agg(builder.replace_name(one.item, was, becomes) order by one.place)
      from jsonb_array_elements(value) with ordinality one (item, place)
    ), '[]')
    when 'object' then coalesce((
      select jsonb_object_agg(case one.key when was then becomes else one.key end, builder.replace_name(one.value, was, becomes))
      from jsonb_each(value) one
    ), '{}')
    else value
  end;
end
$$;

-- Returns a text of at most so many bytes.
create or replace function builder.within_size(value text, bytes integer) returns text
  language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$ select case when octet_length(value) > bytes then left(value, bytes / 4) else value end $$;

-- Replaces a name in what was said by a link: in the history and in its messages, and in for whom a link is. Returns the number of rows.
create or replace function builder.correct_answers(quote uuid, was text, becomes text) returns bigint
  language sql set search_path = pg_catalog, pg_temp
as $$
  with events as (
    update builder.quote_events e set
      signer = coalesce(nullif(btrim(builder.within_size(builder.replace_name(e.signer, was, becomes), 200)), ''), 'removed'),
      said = left(builder.replace_name(e.said, was, becomes), 1000)
    where e.quote_id = quote and e.link_id is not null
      and (e.signer, e.said) is distinct from (builder.replace_name(e.signer, was, becomes), builder.replace_name(e.said, was, becomes))
    returning 1
  ), links as (
    update builder.quote_links l set label = nullif(btrim(builder.within_size(builder.replace_name(l.label, was, becomes), 200)), '')
    where l.quote_id = quote and l.label is distinct from builder.replace_name(l.label, was, becomes)
    returning 1
  ), messages as (
    update builder.notifications n set body = builder.within_size(builder.replace_name(n.body, was, becomes), 10000)
    where n.id in (
      select d.notification_id from builder.deliveries d join builder.quote_events e on e.id = d.event_id
      where d.quote_id = quote and e.link_id is not null
    ) and n.body is distinct from builder.replace_name(n.body, was, becomes)
    returning 1
  )
  select (select count(*) from events) + (select count(*) from links) + (select count(*) from messages)
$$;

-- Replaces a name in the texts and the design of a quote and of its offers, and in answers by link. Returns how many rows had it;
-- null if there is no such quote. Its history says that it was corrected, without the names.
create or replace function builder.correct_name(quote uuid, was text, becomes text) returns bigint
  language plpgsql set search_path = pg_catalog, pg_temp set lock_timeout = '10s'
as $$
declare
  corrected builder.quotes;
  before text[];
  replaced bigint;
begin
  perform set_config('builder.correction', 'on', true) from builder.quotes q where q.id = quote for update;
  if not found then
    return null;
  end if;
  before := builder.digests_of(quote);
  corrected := (select builder.named_parts(q, was, becomes) from builder.quotes q where q.id = quote);
  update builder.quotes q set
    contact_name = corrected.contact_name, company = corrected.company, customer_notes = corrected.customer_notes,
    internal_notes = corrected.internal_notes, tool_2d = corrected.tool_2d, shipping_address = corrected.shipping_address,
    billing_address = corrected.billing_address, customization = corrected.customization, colors = corrected.colors,
    updated_at = greatest(clock_timestamp(), q.updated_at + interval '1 microsecond')
  where q.id = quote and q is distinct from corrected;
  get diagnostics replaced = row_count;
  with offers as (
    update builder.quote_offers o
    set customization = builder.replace_name(o.customization, was, becomes), colors = builder.replace_name(o.colors, was, becomes)
    where o.quote_id = quote and (o.customization, o.colors) is distinct from
      (builder.replace_name(o.customization, was, becomes), builder.replace_name(o.colors, was, becomes))
    returning 1
  )
  select replaced + count(*) + builder.correct_answers(quote, was, becomes) into replaced from offers;
  if replaced > 0 then
    perform builder.renew_digests(quote, before), builder.forget_responses(quote);
    insert into builder.quote_events (
      quote_id, account_id, event, status, previous_status, fulfillment_status, unit_price, total_price, currency, expires_at, offer, created_as
    )
    select q.id, q.account_id, 'quote.corrected', q.status, q.status, q.fulfillment_status, q.unit_price, q.total_price, q.currency,
      q.expires_at, (select max(o.number) from builder.quote_offers o where o.quote_id = q.id), 'service'
    from builder.quotes q where q.id = quote;
  end if;
  perform set_config('builder.correction', '', true);
  return replaced;
end
$$;

-- Returns a quote with a name replaced in what may have one.
create or replace function builder.named_parts(quote builder.quotes, was text, becomes text) returns builder.quotes
  language plpgsql immutable set search_path = pg_catalog, pg_temp
as $$
begin
  quote.contact_name := nullif(builder.replace_name(quote.contact_name, was, becomes), '');
  quote.company := nullif(builder.replace_name(quote.company, was, becomes), '');
  quote.customer_notes := nullif(builder.replace_name(quote.customer_notes, was, becomes), '');
  quote.internal_notes := nullif(builder.replace_name(quote.internal_notes, was, becomes), '');
  quote.tool_2d := nullif(builder.replace_name(quote.tool_2d, was, becomes), '');
  quote.shipping_address := builder.replace_name(quote.shipping_address, was, becomes);
  quote.billing_address := builder.replace_name(quote.billing_address, was, becomes);
  quote.customization := builder.replace_name(quote.customization, was, becomes);
  quote.colors := builder.replace_name(quote.colors, was, becomes);
  return quote;
end
$$;

-- Removes the bodies of recorded responses that have a quote. A retry gets the rest.
create or replace function builder.forget_responses(quote uuid) returns void
  language sql set search_path = pg_catalog, pg_temp
as $$
  update builder.idempotency_keys k set response = (k.response::jsonb || '{"body": null}')::json, has_body = false
  where k.has_body and strpos(k.response ->> 'body', quote::text) > 0
$$;

-- Returns a design without what names or shows a person: the size of each player stays.
create or replace function builder.anonymous_design(customization jsonb) returns jsonb
  language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
  select jsonb_strip_nulls(jsonb_build_object('removed', true, 'players', (
    select jsonb_agg(jsonb_build_object('name', 'removed', 'size', left(player ->> 'size', 20)))
    from jsonb_array_elements(case jsonb_typeof(customization -> 'players') when 'array' then customization -> 'players' else '[]' end) player
  )))
$$;

-- Whether nothing of a quote and its offers names a person: it is as anonymize_orders() leaves it, whatever its design says of itself.
create or replace function builder.is_anonymous(quote builder.quotes) returns boolean
  language sql stable set search_path = pg_catalog, pg_temp
as $$
  select quote.customization = builder.anonymous_design(quote.customization) and quote.contact_name is not distinct from 'removed'
    and num_nonnulls(
      quote.contact_email, quote.contact_phone, quote.company, quote.shipping_address, quote.billing_address, quote.customer_notes,
      quote.internal_notes, quote.colors, quote.tool_2d, quote.techpack_file, quote.preview_front_url, quote.preview_back_url,
      quote.avatar_preview
    ) = 0
    and not exists (
      select from builder.quote_offers o where o.quote_id = quote.id and (
        o.customization <> builder.anonymous_design(o.customization)
        or num_nonnulls(o.colors, o.preview_front_url, o.preview_back_url) > 0
      )
    )
    and not exists (
      select from builder.quote_events e where e.quote_id = quote.id and (e.signer <> 'removed' or e.said is not null)
    )
$$;

-- Removes contact, addresses, notes, players and pictures from up to `batch` ordered quotes of an account and from their offers, and
-- returns the number of quotes. Number, prices, sizes and dates stay.
create or replace function builder.anonymize_orders(account uuid, batch integer) returns bigint
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  quote uuid;
  before text[];
  anonymized bigint := 0;
begin
  perform set_config('builder.correction', 'on', true);
  for quote in
    select q.id from builder.quotes q
    where q.account_id = account and q.status = 'ordered' and not builder.is_anonymous(q)
    order by q.id limit batch for update skip locked
  loop
    before := builder.digests_of(quote);
    update builder.quotes q set
      customization = builder.anonymous_design(q.customization), colors = null, preview_front_url = null, preview_back_url = null,
      avatar_preview = null, tool_2d = null, techpack_file = null, contact_name = 'removed', contact_email = null,
      contact_phone = null, company = null, shipping_address = null, billing_address = null, customer_notes = null,
      internal_notes = null, updated_at = greatest(clock_timestamp(), q.updated_at + interval '1 microsecond')
    where q.id = quote;
    update builder.quote_offers o
    set customization = builder.anonymous_design(o.customization), colors = null, preview_front_url = null, preview_back_url = null
    where o.quote_id = quote;
    update builder.quote_events e set signer = 'removed', said = null where e.quote_id = quote and e.link_id is not null;
    perform builder.renew_digests(quote, before);
    anonymized := anonymized + 1;
  end loop;
  perform set_config('builder.correction', '', true);
  return anonymized;
end
$$;

grant execute on function builder.is_correction() to builder_customer, builder_staff;
