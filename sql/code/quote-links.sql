-- Links by which an offer is opened without a sign-in. The worker signs their ids; no token is stored here.

-- Whether a link opens its page. One that a mail had ends when the account gets its mail elsewhere, or no longer by its login's
-- address if it may answer.
create or replace function builder.is_live(link builder.quote_links) returns boolean
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
  return link.revoked_at is null and link.ends_at > now() and exists (
    select from builder.quotes q where q.id = link.quote_id and q.account_id = link.account_id and q.deleted_at is null
  ) and (link.address is null or builder.gets_mail_of(link));
end
$$;

-- Whether the mail of a link's account still goes to the link's address. If that can't be looked up, it does not.
create or replace function builder.gets_mail_of(link builder.quote_links) returns boolean
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
declare
  login text;
begin
  login := (builder.email_of(link.account_id)).address;
  return link.address = lower(coalesce(login, (select q.contact_email from builder.quotes q where q.id = link.quote_id)))
    and (link.may = 'read' or login is not null);
exception when others then
  return false;
end
$$;

-- Whether a text has anything that can be seen.
create or replace function builder.is_visible(written text) returns boolean
  language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as $$
  select written ~ '[^[:space:][:cntrl:]\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0]'
$$;

-- Whether offers can be opened by links: their page begins with the seller. A text of blanks names none.
create or replace function builder.has_offer_seller() returns boolean
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select exists (
    select from builder.event_messages m where m.event = 'offer_seller' and m.enabled and builder.is_visible(m.body)
  )
$$;

-- Returns the end of a link without one of its own: 30 days after the offer's, or after now if that is over, at most 90 days from now,
-- which is also the end if the offer has none.
create or replace function builder.end_of_link(quote builder.quotes) returns timestamp with time zone
  language sql stable set search_path = pg_catalog, pg_temp
as $$ select least(
    now() + interval '90 days', greatest(coalesce(quote.expires_at, 'infinity'), now()) + interval '30 days'
  ) $$;

-- Whether a quote has an offer that a link shows.
create or replace function builder.has_shown_offer(quote builder.quotes) returns boolean
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select quote.status not in ('draft', 'submitted') and exists (select from builder.quote_offers o where o.quote_id = quote.id)
$$;

-- Returns the quote that is shared, if its caller sees it, and locks it: calls for one quote wait for each other.
create or replace function builder.lock_shared_quote(id uuid) returns builder.quotes
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  quote builder.quotes;
begin
  select * into quote from builder.quotes q
  where q.id = lock_shared_quote.id and q.deleted_at is null
    and (builder.caller_kind() <> 'customer' or q.account_id = any (builder.caller_account_ids()))
  for no key update;
  if not found then
    raise sqlstate 'PT404' using message = 'The row of quotes was not found, so nothing was written',
      detail = 'No row with this id exists, or this caller cannot see it.';
  end if;
  return quote;
end
$$;

-- Refuses a link that its caller may not make, or that has nothing to show.
create or replace function builder.check_share(quote builder.quotes, may text, ends_at timestamp with time zone) returns void
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if may = 'approve' and builder.caller_kind() <> 'customer' then
    raise insufficient_privilege using constraint = 'link that approves',
      message = 'permission denied: only a user of the account may share a quote for approval',
      hint = 'Send {"may": "read"}. A user of the account can share it with {"may": "approve"}.';
  elsif ends_at not between now() and now() + interval '90 days' then
    raise check_violation using message = 'ends_at is invalid', column = 'ends_at', detail = 'a time from now until 90 days from now';
  elsif not builder.has_shown_offer(quote) then
    raise sqlstate 'PT409' using constraint = 'link without an offer', message = 'The quote has no offer that a link could show',
      hint = case when quote.status in ('draft', 'submitted') then 'Share it when its status is quoted.'
        else 'Share a quote that has a row in quote_offers.' end;
  elsif not builder.has_offer_seller() then
    raise sqlstate 'PT409' using constraint = 'link without a seller', message = 'The page of an offer does not name its seller yet',
      hint = 'The operator writes it once, as the owner of the database: set search_path = builder; insert into event_messages '
        '(event, channel, body, link) values (''offer_seller'', ''in_app'', E''<name>\n<address>\n<e-mail or telephone>'', null) '
        'on conflict (event, language, audience) do update set body = excluded.body, enabled = true;';
  end if;
end
$$;

-- Removes the links of a quote that have ended and by which nobody answered, but for the 100 newest of them.
create or replace function builder.remove_ended_links(quote uuid) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
as $$
  delete from builder.quote_links l where l.id in (
    select ended.id from builder.quote_links ended
    where ended.quote_id = quote and (ended.revoked_at is not null or ended.ends_at <= now())
      and not exists (select from builder.quote_events e where e.quote_id = quote and e.link_id = ended.id)
    order by ended.created_at desc, ended.id offset 100 for update skip locked
  )
$$;

-- Shares a quote: returns its live link with these properties, or makes one. Without `ends_at` it is one that ends at most two weeks before
-- a new one would: an end that depends on today moves on each day, and is not worth another link.
create or replace function builder.share_quote(
  id uuid, may text, label text default null, roster boolean default false, ends_at timestamp with time zone default null
) returns json
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  most constant integer := 20;
  kind constant text := builder.caller_kind();
  quote constant builder.quotes := builder.lock_shared_quote(share_quote.id);
  called constant text := nullif(btrim(share_quote.label), '');
  live builder.quote_links[];
  shared builder.quote_links;
begin
  perform builder.check_share(quote, share_quote.may, share_quote.ends_at);
  live := array(
    select l from builder.quote_links l
    where l.quote_id = quote.id and l.address is null and l.revoked_at is null and l.ends_at > now() and builder.is_live(l)
    order by l.ends_at desc, l.id
  );
  select one.* into shared from unnest(live) one
  where one.may = share_quote.may and one.label is not distinct from called and one.roster = coalesce(share_quote.roster, false)
    and case when share_quote.ends_at is null then one.ends_at >= builder.end_of_link(quote) - interval '14 days'
      else one.ends_at = share_quote.ends_at end
  limit 1;
  if not found then
    if cardinality(live) >= most then
      raise sqlstate 'PT409' using constraint = 'links of a quote',
        message = format('The quote has %s live links, the most that it may have', most),
        hint = format('Revoke one of them first: DELETE /rest/v1/quote_links?id=eq.%s ends the next one to end.', (live[most]).id);
    end if;
    perform builder.remove_ended_links(quote.id);
    insert into builder.quote_links (quote_id, account_id, may, label, roster, created_by, created_as, ends_at)
    values (
      quote.id, quote.account_id, share_quote.may, called, coalesce(share_quote.roster, false),
      case when kind = 'customer' then builder.caller_id() end, kind, coalesce(share_quote.ends_at, builder.end_of_link(quote))
    )
    returning * into shared;
  end if;
  return json_build_object('id', shared.id, 'ends_at', shared.ends_at);
end
$$;

-- Returns the link of a mail about an offer, one for a quote and address, and ends the quote's link of another address; null if there is
-- nothing to open. Only the login's address may answer, and sees the roster: a contact's may be anybody's. Fails at once if the quote
-- is locked: its transaction may wait for this claim.
create or replace function builder.link_of_mail(quote_id uuid, address text, by_login boolean) returns uuid
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  allowed constant text := case when by_login then 'approve' else 'read' end;
  quote builder.quotes;
  ends timestamp with time zone;
  link uuid;
begin
  select * into quote from builder.quotes q where q.id = link_of_mail.quote_id for key share nowait;
  if not builder.has_offer_seller() or not coalesce(builder.has_shown_offer(quote), false) then
    return null;
  end if;
  ends := builder.end_of_link(quote);
  update builder.quote_links l set revoked_at = now()
  where l.quote_id = quote.id and l.revoked_at is null and l.address is not null
    and (l.account_id, l.address, l.may) <> (quote.account_id, lower(link_of_mail.address), allowed);
  update builder.quote_links l set ends_at = greatest(l.ends_at, ends)
  where l.quote_id = quote.id and l.revoked_at is null and l.address is not null and l.ends_at > now() returning l.id into link;
  if link is null then
    perform builder.remove_ended_links(quote.id);
    insert into builder.quote_links (quote_id, account_id, may, roster, address, created_as, ends_at)
    values (quote.id, quote.account_id, allowed, by_login, lower(link_of_mail.address), 'sweep', ends) returning id into link;
  end if;
  return link;
end
$$;

-- A revoked link stays revoked since the first time.
create or replace function builder.keep_revocation() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  new.revoked_at := coalesce(old.revoked_at, new.revoked_at);
  return new;
end
$$;

create or replace trigger keep_revocation before update of revoked_at on builder.quote_links
  for each row execute function builder.keep_revocation();

grant execute on function builder.share_quote(uuid, text, text, boolean, timestamp with time zone) to builder_customer, builder_staff;
