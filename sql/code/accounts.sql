-- Exports and erases the data of one account, for the owner (`npm run account`). No role of a request may call these.

-- The rows of an account that erase_account() and erase_changes() delete, each with the name of its table: its quotes with
-- what depends on them, its notifications, what was sent to it, what it stored by requests, and addresses that refused its mail.
create or replace function builder.account_rows(account uuid) returns table (of_table text, content jsonb)
  language sql stable set search_path = pg_catalog, pg_temp
as $$
  with
    quotes as (select q.id, lower(q.contact_email) as address from builder.quotes q where q.account_id = account),
    addresses as (
      select q.address from quotes q
      union
      select d.address from builder.deliveries d where d.account_id = account
    )
  select 'quotes', to_jsonb(q) from builder.quotes q where q.account_id = account
  union all
  select 'quote_events', to_jsonb(e) from builder.quote_events e
    where e.account_id = account
  union all
  select 'quote_offers', to_jsonb(o) from builder.quote_offers o where o.account_id = account
  union all
  select 'notifications', to_jsonb(n) from builder.notifications n where n.account_id = account
  union all
  select 'deliveries', to_jsonb(d) from builder.deliveries d
    where d.account_id = account or d.quote_id in (select id from quotes)
  union all
  select 'dismissals', to_jsonb(d) from builder.dismissals d where d.user_id = account
  union all
  select 'idempotency_keys', to_jsonb(k) from builder.idempotency_keys k
    where k.caller like '% ' || account or k.accounts @> array[account]
  union all
  select 'unsubscribed_accounts', to_jsonb(m) from builder.unsubscribed_accounts m where m.account_id = account
  union all
  select 'refused_addresses', to_jsonb(r) from builder.refused_addresses r
    where r.address in (select a.address from addresses a)
  union all
  select 'customer_quote_numbers', to_jsonb(n) from builder.customer_quote_numbers n where n.user_id = account
  union all
  select 'changes', to_jsonb(c) from builder.changes c where c.account_id = account or c.user_id = account
$$;

-- Removes quotes permanently, with their history, offers and deliveries. A call without a quote stays: it
-- reports events that were left out.
create or replace function builder.remove_quotes(ids uuid[]) returns void
  language sql set search_path = pg_catalog, pg_temp
as $$
  delete from builder.deliveries d where d.quote_id = any (ids);
  delete from builder.quotes q where q.id = any (ids);
$$;

-- Removes the account's id from `created_by` of up to `batch` quotes and as many events, also of other accounts, and returns
-- their number.
create or replace function builder.erase_creator(account uuid, batch integer) returns bigint
  language sql set search_path = pg_catalog, pg_temp
as $$
  with
    quotes as (
      update builder.quotes q set created_by = null
      where q.id in (select q.id from builder.quotes q where q.created_by = account limit batch) returning 1
    ),
    events as (
      update builder.quote_events e set created_by = null
      where e.id in (select e.id from builder.quote_events e where e.created_by = account limit batch) returning 1
    )
  select (select count(*) from quotes) + (select count(*) from events)
$$;

-- Erases up to `batch` rows of each kind, and returns their number: zero when the account has no more.
create or replace function builder.erase_account(account uuid, batch integer) returns bigint
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  gone uuid[];
  addresses text[];
  erased bigint;
begin
  select coalesce(array_agg(q.id), '{}'), array_agg(distinct lower(q.contact_email)) filter (where q.contact_email is not null)
  into gone, addresses
  from (
    select q.id, q.contact_email from builder.quotes q where q.account_id = account order by q.id limit batch for update
  ) q;
  addresses := addresses || array(
    select distinct d.address from builder.deliveries d where d.account_id = account and d.address is not null
  );
  perform builder.remove_quotes(gone);
  with
    idempotency as (
      delete from builder.idempotency_keys k
      where (k.caller, k.key) in (
        select k.caller, k.key from builder.idempotency_keys k
        where k.caller like '% ' || account or k.accounts @> array[account]
        limit batch
      ) returning 1
    ),
    sent as (
      delete from builder.deliveries d
      where d.id in (select d.id from builder.deliveries d where d.account_id = account limit batch) returning 1
    ),
    messages as (
      delete from builder.notifications n
      where n.id in (select n.id from builder.notifications n where n.account_id = account limit batch) returning 1
    ),
    dismissed as (delete from builder.dismissals d where d.user_id = account returning 1),
    refused as (delete from builder.refused_addresses r where r.address = any (addresses) returning 1),
    unsubscribed as (delete from builder.unsubscribed_accounts m where m.account_id = account returning 1),
    counters as (delete from builder.customer_quote_numbers n where n.user_id = account returning 1)
  select cardinality(gone) + (select count(*) from idempotency) + (select count(*) from sent) + (select count(*) from messages)
    + (select count(*) from dismissed) + (select count(*) from refused) + (select count(*) from unsubscribed)
    + (select count(*) from counters)
  into erased;
  return erased + builder.erase_creator(account, batch);
end
$$;

-- Erases the account from the feed of changes. To be called when its live clients have received the deletions.
create or replace function builder.erase_changes(account uuid) returns void
  language sql set search_path = pg_catalog, pg_temp
as $$ delete from builder.changes c where c.account_id = account or c.user_id = account $$;
