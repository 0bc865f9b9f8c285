-- The page of an offer, for whoever has its link and no sign-in. Only the endpoint /offer calls these two functions, as the anonymous
-- caller, with the id of a link whose signature it has verified. They show, and change, nothing else.

-- Returns the link if it is live.
create or replace function builder.live_link(link uuid) returns builder.quote_links
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$ select l from builder.quote_links l where l.id = link and builder.is_live(l) $$;

-- Notes that the page was requested, to the hour. It waits for nobody, and writes nothing on a replica or again in the same hour.
create or replace function builder.note_opening(link uuid) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  hour constant timestamp with time zone := date_trunc('hour', now());
begin
  if current_setting('transaction_read_only') = 'off' then
    update builder.quote_links l set opened_at = hour where l.id = (
      select o.id from builder.quote_links o where o.id = link and (o.opened_at < hour) is not false for no key update skip locked
    );
  end if;
end
$$;

-- Returns the players of a design that have a name, a number or a size: the first 1,000.
create or replace function builder.players_of(customization jsonb) returns json
  language sql immutable set search_path = pg_catalog, pg_temp
as $$
  select coalesce(json_agg(json_build_object(
    'name', left(player ->> 'name', 200), 'number', left(player ->> 'number', 20), 'size', left(player ->> 'size', 20)
  ) order by place), '[]')
  from jsonb_array_elements(
    case when jsonb_typeof(customization -> 'players') = 'array' then customization -> 'players' else '[]' end
  ) with ordinality listed (player, place)
  where place <= 1000 and coalesce(player ->> 'name', player ->> 'number', player ->> 'size') is not null
$$;

-- Returns what the page shows of an offer: its terms without the design's data, and the players only where `roster` says so.
create or replace function builder.shown_offer(offer builder.quote_offers, roster boolean) returns json
  language sql immutable set search_path = pg_catalog, pg_temp
as $$
  select json_build_object(
    'number', offer.number, 'created_at', offer.created_at, 'unit_price', offer.unit_price, 'total_price', offer.total_price,
    'currency', offer.currency, 'sport', offer.sport, 'rush_order', offer.rush_order, 'roster_count', offer.roster_count,
    'size_breakdown', offer.size_breakdown, 'colors', offer.colors, 'preview_front_url', offer.preview_front_url,
    'preview_back_url', offer.preview_back_url, 'players', case when roster then builder.players_of(offer.customization) end
  ) where offer.id is not null
$$;

-- Whether two offers differ in what the page does not show: the product, the design, and its data.
create or replace function builder.has_other_design(offer builder.quote_offers, before builder.quote_offers, roster boolean) returns boolean
  language sql immutable set search_path = pg_catalog, pg_temp
as $$
  select offer.product_id <> before.product_id or offer.design_id is distinct from before.design_id
    or case when roster then offer.customization - 'players' <> before.customization - 'players'
      else offer.customization <> before.customization end
$$;

-- Returns who brought a quote to its status, or approved what is ordered, and when: the name that the holder of a link gave, or the kind
-- of caller. Of a quote that is with the seller again, only to the link by which that was asked for.
create or replace function builder.answer_of(quote uuid, status text, link uuid) returns json
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select json_build_object('at', e.created_at, 'signer', e.signer, 'by', case
    when e.link_id is not null then 'link' when e.created_as = 'customer' then 'customer' else 'seller' end)
  from builder.quote_events e
  where e.quote_id = quote and answer_of.status not in ('draft', 'quoted')
    and e.event = 'quote.' || case answer_of.status when 'ordered' then 'approved' else answer_of.status end
    and (answer_of.status <> 'submitted' or e.link_id = link)
  order by e.id desc limit 1
$$;

-- Returns what the page of a live link shows, or null. Of a quote that is not offered it is the status. `opens`: a person opens the page.
create or replace function builder.offer_of(link uuid, language text, opens boolean) returns json
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  opened constant builder.quote_links := builder.live_link(link);
  newest builder.quote_offers;
  before builder.quote_offers;
  seller constant text := (builder.find_message('offer_seller', 'account', language)).body;
  shown json;
begin
  if opened.id is null then
    return null;
  elsif opens then
    perform builder.note_opening(link);
  end if;
  select * into newest from builder.quote_offers o where o.quote_id = opened.quote_id order by o.number desc limit 1;
  select * into before from builder.quote_offers o where o.quote_id = opened.quote_id and o.number < newest.number
    order by o.number desc limit 1;
  select case
    when q.status in ('draft', 'submitted') or newest.id is null then json_build_object(
      'status', q.status, 'seller', seller, 'answer', builder.answer_of(q.id, q.status, link)
    )
    else json_build_object(
      'status', q.status, 'seller', seller, 'answer', builder.answer_of(q.id, q.status, link),
      'terms', (builder.find_message('offer_terms', 'account', language)).body,
      'may', opened.may, 'quote_number', q.quote_number, 'company', q.company,
      'expires_at', q.expires_at, 'has_ended', coalesce(q.expires_at <= now(), false),
      'time_zone', (builder.local_time(now(), q.account_id)).zone,
      'offer', builder.shown_offer(newest, opened.roster), 'before', builder.shown_offer(before, opened.roster),
      'has_other_design', coalesce(builder.has_other_design(newest, before, opened.roster), false)
    ) end into shown
  from builder.quotes q where q.id = opened.quote_id;
  return shown;
end
$$;

-- Answers an offer for the holder of a link: moves its quote to approved, rejected or submitted, and changes nothing else. Returns
-- `answered`; or `gone` (no live link), `read only`, `incomplete`, `closed` (no longer quoted), `ended`, or `changed` (not the newest
-- offer). The rules of a quote's life hold. Rule 6 takes the quote's version and offer as named, since they are compared here while the
-- row is locked: this caller has no account whose offers it could compare.
create or replace function builder.answer_offer(link uuid, status text, offer integer, total numeric, signer text, said text) returns text
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  answering builder.quote_links;
  quote builder.quotes;
  newest builder.quote_offers;
begin
  perform from builder.quotes q where q.id = (select l.quote_id from builder.quote_links l where l.id = link) for no key update;
  perform from builder.quote_links l where l.id = link for share;
  answering := builder.live_link(link);
  select * into quote from builder.quotes q where q.id = answering.quote_id;
  select * into newest from builder.quote_offers o where o.quote_id = answering.quote_id order by o.number desc limit 1;
  if answering.id is null then
    return 'gone';
  elsif answering.may <> 'approve' then
    return 'read only';
  elsif (status = 'approved' or (status in ('rejected', 'submitted') and btrim(said) <> '')) and btrim(signer) <> '' then
    null;
  else
    return 'incomplete';
  end if;
  if quote.status <> 'quoted' then
    return 'closed';
  elsif quote.expires_at <= now() then
    return 'ended';
  elsif newest.number is distinct from offer or newest.total_price::double precision is distinct from total::double precision
    or newest::builder.terms is distinct from quote::builder.terms
  then
    return 'changed';
  end if;
  perform set_config('builder.answer', json_build_object('link', link, 'signer', signer, 'said', said)::text, true),
    set_config('request.rows', 'one', true), set_config('request.columns', 'status', true),
    set_config('request.compared', 'id,updated_at,quoted_at,total_price', true);
  update builder.quotes q set status = answer_offer.status where q.id = quote.id;
  return 'answered';
end
$$;

grant execute on function builder.offer_of(uuid, text, boolean), builder.answer_offer(uuid, text, integer, numeric, text, text) to builder_anon;
