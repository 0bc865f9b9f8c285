-- Exports and erases the data of one account, for the owner (`npm run account`). No role of a request may call these.

-- The rows of an account that erase_account() and erase_changes() delete, each with the name of its table, without what is about
-- others: who of the staff did it, responses that have rows of other accounts, and addresses of others. Quotes, offers and events
-- belong to their account. A call that reports an erasure is none of its rows.
create or replace function builder.account_rows(account uuid) returns table (of_table text, content jsonb)
  language sql stable set search_path = pg_catalog, pg_temp
as $$
  select 'quotes', to_jsonb(q) - 'quoted_by' from builder.quotes q where q.account_id = account
  union all
  select 'quote_events', to_jsonb(e) - 'staff_id' from builder.quote_events e where e.account_id = account
  union all
  select 'quote_offers', to_jsonb(o) from builder.quote_offers o where o.account_id = account
  union all
  select 'quote_links', to_jsonb(l) from builder.quote_links l where l.account_id = account
  union all
  select 'notifications', to_jsonb(n) from builder.notifications n where n.account_id = account
  union all
  select 'deliveries', to_jsonb(d) - case d.kind when 'staff_email' then '{address,recipient,reason}' else '{}' end::text[]
    from builder.deliveries d where d.account_id = account and (d.webhook_id is null or d.event_id is not null)
  union all
  select 'dismissals', to_jsonb(d) from builder.dismissals d where d.user_id = account
  union all
  select 'idempotency_keys', to_jsonb(k) - 'accounts'
      - case when k.caller like '% ' || account then '{}' else '{caller,key,fingerprint}' end::text[]
      - case when k.accounts <@ array[account] then '{}' else '{response}' end::text[]
    from builder.idempotency_keys k where k.caller like '% ' || account or k.accounts @> array[account]
  union all
  select 'unsubscribed_accounts', to_jsonb(m) from builder.unsubscribed_accounts m where m.account_id = account
  union all
  select 'refused_addresses', to_jsonb(r) from builder.refused_addresses r
    where r.address in (select d.address from builder.deliveries d where d.account_id = account and d.kind = 'email')
  union all
  select 'customer_quote_numbers', to_jsonb(n) from builder.customer_quote_numbers n where n.user_id = account
  union all
  select 'changes', to_jsonb(c) from builder.changes c where c.account_id = account or c.user_id = account
$$;

-- What names a person in rows of others: their user id, and their address if one is given. Without the rows' content. The created_by
-- of quotes, events and links is removed by erase_creator().
create or replace function builder.account_mentions(account uuid, email text)
  returns table (of_table text, of_column text, key text)
  language sql stable set search_path = pg_catalog, pg_temp
as $$
  select 'quotes', 'created_by', q.id::text from builder.quotes q where q.created_by = account and q.created_by <> q.account_id
  union all
  select 'quote_events', 'created_by', e.id::text from builder.quote_events e
    where e.created_by = account and e.created_by <> e.account_id
  union all
  select 'quote_links', 'created_by', l.id::text from builder.quote_links l
    where l.created_by = account and l.account_id <> account
  union all
  select 'graphics', 'created_by', g.id::text from builder.graphics g where g.created_by = account
  union all
  select 'quotes', 'quoted_by', q.id::text from builder.quotes q where q.quoted_by = account
  union all
  select 'quote_events', 'staff_id', e.id::text from builder.quote_events e where e.staff_id = account
  union all
  select 'quotes', 'contact_email', q.id::text from builder.quotes q
    where lower(q.contact_email) = lower(email) and q.account_id <> account
  union all
  select 'quote_links', 'address', l.id::text from builder.quote_links l where l.address = lower(email) and l.account_id <> account
  union all
  select 'deliveries', 'address', d.id::text from builder.deliveries d where d.address = lower(email) and d.account_id <> account
$$;

-- Removes quotes permanently, with their history, offers and deliveries. A call without a quote stays: it
-- reports events that were left out.
create or replace function builder.remove_quotes(ids uuid[]) returns void
  language sql set search_path = pg_catalog, pg_temp
as $$
  delete from builder.deliveries d where d.quote_id = any (ids);
  delete from builder.quotes q where q.id = any (ids);
$$;

-- Removes the account's id from `created_by` of up to `batch` quotes, events, links and graphics of others, and returns their number. Rows
-- of its own go with the account.
create or replace function builder.erase_creator(account uuid, batch integer) returns bigint
  language sql set search_path = pg_catalog, pg_temp set lock_timeout = '10s'
as $$
  with
    quotes as (
      update builder.quotes q set created_by = null where q.id in (
        select q.id from builder.quotes q where q.created_by = account and q.created_by <> q.account_id limit batch
      ) returning 1
    ),
    events as (
      update builder.quote_events e set created_by = null where e.id in (
        select e.id from builder.quote_events e where e.created_by = account and e.created_by <> e.account_id limit batch
      ) returning 1
    ),
    links as (
      update builder.quote_links l set created_by = null where l.id in (
        select l.id from builder.quote_links l where l.created_by = account and l.account_id <> account limit batch
      ) returning 1
    ),
    graphics as (
      update builder.graphics g set created_by = null
      where g.id in (select g.id from builder.graphics g where g.created_by = account limit batch) returning 1
    )
  select (select count(*) from quotes) + (select count(*) from events) + (select count(*) from links) + (select count(*) from graphics)
$$;

-- Erases up to `batch` rows of each kind but quotes, and returns their number. The Idempotency-Key of a request about other accounts too
-- stays without its response, so that a retry writes nothing.
create or replace function builder.erase_rows(account uuid, batch integer) returns bigint
  language sql set search_path = pg_catalog, pg_temp
as $$
  with
    idempotency as (
      delete from builder.idempotency_keys k
      where (k.caller, k.key) in (
        select k.caller, k.key from builder.idempotency_keys k
        where k.caller like '% ' || account or k.accounts = array[account]
        limit batch for update skip locked
      ) returning 1
    ),
    shared as (
      update builder.idempotency_keys k
      set accounts = array_remove(k.accounts, account), has_body = false,
        response = (k.response::jsonb || jsonb_build_object('body', null, 'accounts', array_remove(k.accounts, account)))::json
      where (k.caller, k.key) in (
        select k.caller, k.key from builder.idempotency_keys k
        where k.caller not like '% ' || account and k.accounts @> array[account] and k.accounts <> array[account]
        limit batch for update skip locked
      ) returning 1
    ),
    sent as (
      delete from builder.deliveries d where d.id in (
        select d.id from builder.deliveries d where d.account_id = account and (d.webhook_id is null or d.event_id is not null)
        limit batch for update skip locked
      ) returning 1
    ),
    messages as (
      delete from builder.notifications n
      where n.id in (select n.id from builder.notifications n where n.account_id = account limit batch for update skip locked)
      returning 1
    ),
    links as (
      delete from builder.quote_links l
      where l.id in (select l.id from builder.quote_links l where l.account_id = account limit batch for update skip locked)
      returning 1
    ),
    dismissed as (delete from builder.dismissals d where d.user_id = account returning 1),
    unsubscribed as (delete from builder.unsubscribed_accounts m where m.account_id = account returning 1),
    counters as (delete from builder.customer_quote_numbers n where n.user_id = account returning 1)
  select (select count(*) from idempotency) + (select count(*) from shared) + (select count(*) from sent) + (select count(*) from messages)
    + (select count(*) from links) + (select count(*) from dismissed) + (select count(*) from unsubscribed) + (select count(*) from counters)
$$;

-- Erases up to `batch` rows of each kind that no one has locked, and returns their number. With `keep_orders`, ordered quotes stay
-- with their history and offers, anonymized, and without links.
create or replace function builder.erase_account(account uuid, batch integer, keep_orders boolean) returns bigint
  language plpgsql set search_path = pg_catalog, pg_temp set lock_timeout = '10s'
as $$
declare
  gone constant uuid[] := array(
    select q.id from builder.quotes q where q.account_id = account and not (keep_orders and q.status = 'ordered')
    order by q.id limit batch for update skip locked
  );
  erased bigint;
begin
  with refused as (
    delete from builder.refused_addresses r
    where r.address in (select d.address from builder.deliveries d where d.account_id = account and d.kind = 'email') returning 1
  )
  select cardinality(gone) + count(*) into erased from refused;
  perform builder.remove_quotes(gone);
  erased := erased + builder.erase_rows(account, batch) + builder.erase_creator(account, batch)
    + case when keep_orders then builder.anonymize_orders(account, batch) else 0 end;
  if erased > 0 then
    perform builder.announce_erasure(account);
  end if;
  return erased;
end
$$;

-- Queues a call of each webhook that reports `account.erased`, unless one waits. The sweep deletes it once it is finished.
create or replace function builder.announce_erasure(account uuid) returns void
  language sql set search_path = pg_catalog, pg_temp
as $$
  insert into builder.deliveries (kind, account_id, webhook_id, turn, due_at)
  select 'webhook', account, w.id, builder.next_turn(account, w.id), now() + interval '1 minute' from builder.webhooks w
  where w.disabled_at is null and (w.events is null or 'account.erased' = any (w.events)) and not exists (
    select from builder.deliveries d where d.account_id = account and d.webhook_id = w.id and d.event_id is null and d.due_at is not null
  )
$$;

-- Erases the account from the feed of changes. To be called when its live clients have received the deletions.
create or replace function builder.erase_changes(account uuid) returns void
  language sql set search_path = pg_catalog, pg_temp
as $$ delete from builder.changes c where c.account_id = account or c.user_id = account $$;

-- Returns the rows of an account that another transaction has locked, with the process that holds them, if it is known.
create or replace function builder.locked_rows(account uuid) returns table (of_table text, key text, process integer)
  language sql volatile set search_path = pg_catalog, pg_temp
as $$
  with locked as (
    select 'quote' as of_table, q.id::text as key, q.xmax as by from builder.quotes q
    where q.account_id = account
      and q.id not in (select q.id from builder.quotes q where q.account_id = account for update skip locked)
    union all
    select 'notification', n.id::text, n.xmax from builder.notifications n
    where n.account_id = account
      and n.id not in (select n.id from builder.notifications n where n.account_id = account for update skip locked)
    union all
    select 'delivery', d.id::text, d.xmax from builder.deliveries d
    where d.account_id = account
      and d.id not in (select d.id from builder.deliveries d where d.account_id = account for update skip locked)
  )
  select l.of_table, l.key, p.pid from locked l
    left join pg_locks p on p.locktype = 'transactionid' and p.transactionid = l.by and p.granted
$$;
