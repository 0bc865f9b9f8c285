-- The page of an offer, for whoever has its link and no sign-in. Only the endpoint /offer calls these two functions, as the anonymous
-- caller, with the id of a link whose signature it has verified. They show, and change, nothing else.

-- Returns the link if it is live, and the page has a seller to name.
create or replace function builder.live_link(link uuid) returns builder.quote_links
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$ select l from builder.quote_links l where l.id = link and builder.is_live(l) and builder.has_offer_seller() $$;

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
  from jsonb_path_query(customization, '$.players[0 to 999]') with ordinality listed (player, place)
  where coalesce(player ->> 'name', player ->> 'number', player ->> 'size') is not null
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

-- Returns which terms of two offers differ, by the names of shown_offer(): `players` only where `roster` shows them, and `design` for what
-- the page does not show, which is the product, the design, and its other data.
create or replace function builder.changed_terms(offer builder.quote_offers, before builder.quote_offers, roster boolean) returns text[]
  language plpgsql immutable set search_path = pg_catalog, pg_temp
as $$
declare
  other_data constant boolean := offer.customization <> before.customization;
  others_than_players constant boolean := other_data and roster
    and offer.customization - 'players' <> before.customization - 'players';
  -- Players are compared only where they need not be what differs: 20,000 of them take 7 ms.
  other_players constant boolean := other_data and roster
    and (not others_than_players or offer.customization -> 'players' is distinct from before.customization -> 'players');
begin
  return array_remove(array[
    case when (offer.unit_price, offer.currency) is distinct from (before.unit_price, before.currency) then 'unit_price' end,
    case when (offer.total_price, offer.currency) is distinct from (before.total_price, before.currency) then 'total_price' end,
    case when offer.roster_count is distinct from before.roster_count then 'roster_count' end,
    case when offer.size_breakdown is distinct from before.size_breakdown then 'size_breakdown' end,
    case when coalesce(offer.rush_order, false) <> coalesce(before.rush_order, false) then 'rush_order' end,
    case when offer.sport <> before.sport then 'sport' end,
    case when offer.colors is distinct from before.colors then 'colors' end,
    case when other_players then 'players' end,
    case when offer.product_id <> before.product_id or offer.design_id is distinct from before.design_id
      or others_than_players or (other_data and not roster)
      then 'design' end
  ], null);
end
$$;

-- Returns who brought a quote to its status, or approved what is ordered, and when: the name that the holder of a link gave, or the kind
-- of caller. `offer` is the one that was answered. An approval that was taken back before the order, also by offering the
-- same again, is none. Of a quote that is with the seller again, only to the link by which that was asked for.
create or replace function builder.answer_of(quote uuid, status text, link uuid) returns json
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select json_build_object('status', e.status, 'offer', e.offer, 'at', e.created_at, 'signer', e.signer, 'by', case
    when e.link_id is not null then 'link' when e.created_as = 'customer' then 'customer' else 'seller' end)
  from (
    select e.* from builder.quote_events e
    where e.quote_id = quote and (answer_of.status <> 'submitted' or e.link_id = link)
      and e.event = any (case answer_of.status
        when 'ordered' then '{quote.approved,quote.quoted,quote.rejected,quote.submitted,quote.draft,quote.cancelled}'
        else array['quote.' || answer_of.status] end)
      and (e.event <> 'quote.quoted' or e.offer = (select max(o.number) from builder.quote_offers o where o.quote_id = quote))
    order by e.id desc limit 1
  ) e
  where answer_of.status not in ('draft', 'quoted') and (answer_of.status <> 'ordered' or e.event = 'quote.approved')
$$;

-- Returns the seller (`offer_seller`) or the terms of sale (`offer_terms`), in the best language that has them, else in another one.
create or replace function builder.offer_text(event text, language text) returns text
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select m.body from builder.event_messages m
  where m.event = offer_text.event and m.enabled and builder.is_visible(m.body)
  order by m.audience = 'account' desc,
    array_position(builder.languages_for(offer_text.language), builder.language_tag(m.language)) nulls last, m.language
  limit 1
$$;

-- Returns the SHA-256 of the terms of sale, also if there are none: who approves sends the one that they read.
create or replace function builder.sale_digest(terms text) returns text
  language sql immutable set search_path = pg_catalog, pg_temp
as $$ select encode(sha256(convert_to(coalesce(terms, ''), 'UTF8')), 'hex') $$;

-- Whether terms of sale are valid in one of their languages.
create or replace function builder.are_terms_of_sale(digest text) returns boolean
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select digest = builder.sale_digest(builder.offer_text('offer_terms', 'en')) or exists (
    select from builder.event_messages m
    where m.event = 'offer_terms' and m.enabled and builder.sale_digest(builder.offer_text('offer_terms', m.language)) = digest
  )
$$;

-- Returns what the page of a live link shows, or null. Of a quote that is not offered it is the status. `opens`: a person opens the page.
-- `changes` are those since the offer that was answered, if it is an earlier one, else since the offer `read` and answered in vain, else
-- since the one before, whose terms are the only earlier ones that are shown.
create or replace function builder.offer_of(link uuid, language text, opens boolean, read integer default null) returns json
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  opened constant builder.quote_links := builder.live_link(link);
  quote builder.quotes;
  newest builder.quote_offers;
  since builder.quote_offers;
  seller constant text := builder.offer_text('offer_seller', language);
  terms constant text := builder.offer_text('offer_terms', language);
  answer json;
  is_earlier boolean;
begin
  if opened.id is null then
    return null;
  elsif opens then
    perform builder.note_opening(link);
  end if;
  select * into quote from builder.quotes q where q.id = opened.quote_id;
  select * into newest from builder.quote_offers o where o.quote_id = quote.id order by o.number desc limit 1;
  answer := builder.answer_of(quote.id, quote.status, link);
  if quote.status in ('draft', 'submitted') or newest.id is null then
    return json_build_object('status', quote.status, 'seller', seller, 'answer', answer);
  end if;
  is_earlier := coalesce(answer ->> 'status' in ('approved', 'rejected') and (answer ->> 'offer')::integer < newest.number, false);
  select * into since from builder.quote_offers o
  where o.quote_id = quote.id and o.number < newest.number
  order by o.number = case when is_earlier then (answer ->> 'offer')::integer else read end desc nulls last, o.number desc limit 1;
  return json_build_object(
    'status', quote.status, 'seller', seller, 'answer', case when not is_earlier then answer end,
    'earlier_answer', case when is_earlier then answer end, 'terms', terms, 'terms_digest', builder.sale_digest(terms),
    'may', opened.may, 'quote_number', quote.quote_number, 'company', quote.company, 'expires_at', quote.expires_at,
    'has_ended', coalesce(quote.expires_at <= now(), false), 'time_zone', (builder.local_time(now(), quote.account_id)).zone,
    'offer', builder.shown_offer(newest, opened.roster),
    'before', case when since.number = newest.number - 1 then builder.shown_offer(since, opened.roster) end,
    'changes_since', since.number,
    'changes', case when since.id is null then '{}' else builder.changed_terms(newest, since, opened.roster) end
  );
end
$$;

-- Whether this answer brought the quote to its status: its sender did not get the response, and sends it again.
create or replace function builder.was_answered(
  quote builder.quotes, link uuid, status text, offer integer, signer text, said text
) returns boolean
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select (quote).status in (was_answered.status, case was_answered.status when 'approved' then 'ordered' end) and exists (
    select from (
      select e.* from builder.quote_events e
      where e.quote_id = (quote).id and e.event = 'quote.' || was_answered.status order by e.id desc limit 1
    ) last
    where last.link_id = link and last.signer = was_answered.signer and last.said is not distinct from was_answered.said
      and coalesce(last.offer, was_answered.offer) = was_answered.offer
  )
$$;

-- Answers an offer for the holder of a link: moves its quote to approved, rejected or submitted, and changes nothing else. Returns
-- `answered`, also when it comes again; or `gone` (no live link), `read only`, `incomplete`, `closed` (no longer quoted), `ended`,
-- `changed` (not the newest offer), or `other terms` (of sale than those whose digest is named). The rules of a quote's life hold. Rule 6
-- takes the quote's version and offer as named, since they are compared here while the row is locked: this caller has no account whose
-- offers it could compare.
create or replace function builder.answer_offer(
  link uuid, status text, offer integer, total numeric, signer text, said text, terms_digest text default null
) returns text
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
    return case when builder.was_answered(quote, link, status, offer, signer, said) then 'answered' else 'closed' end;
  elsif quote.expires_at <= now() then
    return 'ended';
  elsif newest.number is distinct from offer or newest.total_price::double precision is distinct from total::double precision
    or newest::builder.terms is distinct from quote::builder.terms
  then
    return 'changed';
  elsif status = 'approved' and not builder.are_terms_of_sale(terms_digest) then
    return 'other terms';
  end if;
  perform set_config('builder.answer', json_build_object('link', link, 'signer', signer, 'said', said)::text, true),
    set_config('request.rows', 'one', true), set_config('request.columns', 'status', true),
    set_config('request.compared', 'id,updated_at,quoted_at,total_price', true);
  update builder.quotes q set status = answer_offer.status where q.id = quote.id;
  return 'answered';
end
$$;

grant execute on function
  builder.offer_of(uuid, text, boolean, integer), builder.answer_offer(uuid, text, integer, numeric, text, text, text)
  to builder_anon;
