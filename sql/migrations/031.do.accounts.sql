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
    where e.account_id = account or e.quote_id in (select id from quotes)
  union all
  select 'told_events', to_jsonb(t) from builder.told_events t where t.quote_id in (select id from quotes)
  union all
  select 'offers', to_jsonb(o) from builder.offers o where o.quote_id in (select id from quotes)
  union all
  select 'reminded_offers', to_jsonb(r) from builder.reminded_offers r where r.quote_id in (select id from quotes)
  union all
  select 'changed_quotes', to_jsonb(c) from builder.changed_quotes c where c.quote_id in (select id from quotes)
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
  select 'muted_accounts', to_jsonb(m) from builder.muted_accounts m where m.account_id = account
  union all
  select 'refused_addresses', to_jsonb(r) from builder.refused_addresses r
    where r.address in (select a.address from addresses a)
  union all
  select 'quote_number_offers', to_jsonb(o) from builder.quote_number_offers o where o.caller = account
  union all
  select 'changes', to_jsonb(c) from builder.changes c where c.account_id = account
$$;
