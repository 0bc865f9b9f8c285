-- The identity of a database is in the ids of its webhook calls and e-mails, which receivers know duplicates by. A copy has
-- that of its original until it gets its own: otherwise their next events have one id, and a receiver drops one of them.

-- Gives a database that was copied or restored a new identity. A copy that runs beside its original also calls none of its
-- webhooks, and sends nothing of what waited. Returns how many webhooks and deliveries that ended.
create or replace function builder.renew_identity(is_copy boolean, out webhooks bigint, out deliveries bigint)
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  update builder.identity set value = default;
  -- Its rows have the transaction numbers of the original's server.
  truncate builder.changes;
  if is_copy then
    update builder.webhooks w set disabled_at = now(), disabled_because = 'copied database' where w.disabled_at is null;
    get diagnostics webhooks = row_count;
    update builder.deliveries d set due_at = null, state = 'skipped', reason = 'copied database', settled_at = now()
    where d.due_at is not null;
    get diagnostics deliveries = row_count;
  end if;
end
$$;
