-- Who may do what: policies say which rows of a table, grants which columns (quote-columns.sql those of quotes). A test compares the
-- grants with schema/.
-- A table that is not here is used only by functions that run as their owner.
--
-- First, all policies and these grants are removed, so that a line that is deleted here has no effect after the next
-- migration.
do $$
declare
  one record;
begin
  for one in select policyname, tablename from pg_policies where schemaname = 'builder' loop
    execute format('drop policy %I on builder.%I', one.policyname, one.tablename);
  end loop;
  for one in select oid::regclass as name from pg_class
    where relnamespace = 'builder'::regnamespace and relkind in ('r', 'v') and relname <> 'quotes'
  loop
    execute format('revoke all on %s from builder_anon, builder_customer, builder_staff, builder_reader, builder_live, '
      'builder_sweeper, builder_deliverer', one.name);
  end loop;
end
$$;
revoke all on all sequences in schema builder
  from builder_anon, builder_customer, builder_staff, builder_reader, builder_live, builder_sweeper, builder_deliverer;

-- Quotes. The grants of their columns are in quote-columns.sql.

create policy customers_use_quotes_of_their_accounts on builder.quotes to builder_customer
  using (account_id = any ((select builder.caller_account_ids())::uuid[]))
  with check (account_id = any ((select builder.caller_account_ids())::uuid[]));
create policy staff_do_everything on builder.quotes to builder_staff using (true) with check (true);
create policy readers_read_all_quotes on builder.quotes for select to builder_reader using (true);

grant select on builder.quote_transitions to builder_customer, builder_staff;

-- The history and the offers of quotes. Customers can't read staff_id.

create policy customers_read_quote_events_of_their_accounts on builder.quote_events for select to builder_customer
  using (account_id = any ((select builder.caller_account_ids())::uuid[]));
create policy staff_read_all_quote_events on builder.quote_events for select to builder_staff using (true);
create policy readers_read_all_quote_events on builder.quote_events for select to builder_reader using (true);

grant
  select (
    id, quote_id, account_id, event, status, previous_status, fulfillment_status, unit_price, total_price, currency,
    expires_at, offer, created_at, created_by, created_as, link_id, signer, said, xmin, xmax
  )
  on builder.quote_events to builder_customer;
grant
  select (
    id, quote_id, account_id, event, status, previous_status, fulfillment_status, unit_price, total_price, currency,
    expires_at, offer, notified, created_at, created_by, created_as, staff_id, link_id, signer, said, xmin, xmax
  )
  on builder.quote_events to builder_staff, builder_reader;

create policy customers_read_quote_offers_of_their_accounts on builder.quote_offers for select to builder_customer
  using (account_id = any ((select builder.caller_account_ids())::uuid[]));
create policy staff_read_all_quote_offers on builder.quote_offers for select to builder_staff using (true);
create policy readers_read_all_quote_offers on builder.quote_offers for select to builder_reader using (true);

grant select on builder.quote_offers to builder_customer, builder_staff, builder_reader;

-- The links of quotes. A DELETE revokes one. No one reads the recipient of a mail.

create policy customers_revoke_links_of_their_accounts on builder.quote_links to builder_customer
  using (account_id = any ((select builder.caller_account_ids())::uuid[]))
  with check (account_id = any ((select builder.caller_account_ids())::uuid[]));
create policy staff_do_everything on builder.quote_links to builder_staff using (true) with check (true);
create policy readers_read_all_quote_links on builder.quote_links for select to builder_reader using (true);

grant
  select (
    id, quote_id, account_id, may, label, roster, created_at, created_by, created_as, ends_at, revoked_at, opened_at, xmin, xmax
  )
  on builder.quote_links to builder_customer, builder_staff, builder_reader;
grant update (revoked_at) on builder.quote_links to builder_customer, builder_staff;

-- Graphics.

create policy everyone_reads_active_graphics on builder.graphics for select to builder_anon, builder_customer
  using (is_active and deleted_at is null);
create policy staff_do_everything on builder.graphics to builder_staff using (true) with check (true);
create policy readers_read_all_graphics on builder.graphics for select to builder_reader using (true);

grant select on builder.graphics to builder_anon, builder_customer, builder_reader;
grant
  select, insert, delete,
  update (
    name, code, category_id, file_url, file_format, file_size, width, height, description, tags, is_active,
    sort_order, created_by, created_at, updated_at, deleted_at
  )
  on builder.graphics to builder_staff;

-- Notifications.

create policy customers_read_their_and_system_notifications on builder.notifications for select to builder_customer
  using (account_id = any ((select builder.caller_account_ids() || builder.everyone())::uuid[]));
create policy customers_dismiss_their_notifications on builder.notifications for update to builder_customer
  using (account_id = any ((select builder.caller_account_ids())::uuid[]))
  with check (account_id = any ((select builder.caller_account_ids())::uuid[]));
create policy customers_delete_their_notifications on builder.notifications for delete to builder_customer
  using (account_id = any ((select builder.caller_account_ids())::uuid[]));
create policy staff_do_everything on builder.notifications to builder_staff using (true) with check (true);
create policy readers_read_all_notifications on builder.notifications for select to builder_reader using (true);

grant select, update (dismissed), delete on builder.notifications to builder_customer;
grant
  select, insert, delete,
  update (account_id, type, body, link, channel, dismissed, expires_at, created_at)
  on builder.notifications to builder_staff;
grant usage on sequence builder.notifications_id_seq to builder_staff;
grant select on builder.notifications to builder_reader;

create policy customers_dismiss_for_themselves on builder.dismissals to builder_customer
  using (user_id = (select builder.caller_id()));
grant select, insert, delete on builder.dismissals to builder_customer;

-- Customers read and update this view instead of the table: for a message to everyone, `dismissed` is the user's own.
-- The version (`xmin`) grows with each write of the message and with each dismissal.
create or replace view builder.notifications_of_customer with (security_invoker = true) as
select n.id, n.account_id, n.type, n.body, n.link, n.channel, n.dismissed or d.user_id is not null as dismissed, n.expires_at,
  n.created_at, n.xmin::text::bigint + coalesce(d.xmin::text::bigint, 0) as xmin
from builder.notifications n
  left join builder.dismissals d on d.notification_id = n.id and d.user_id = (select builder.caller_id())
    and n.account_id = '00000000-0000-0000-0000-000000000000';
grant select, update (dismissed) on builder.notifications_of_customer to builder_customer;

-- Deliveries, without addresses and the columns of the outbox.

create policy staff_read_all_deliveries on builder.deliveries for select to builder_staff using (true);
create policy readers_read_all_deliveries on builder.deliveries for select to builder_reader using (true);

grant
  select (
    id, kind, account_id, event_id, notification_id, quote_id, webhook_id, recipient, state, attempts, created_at, due_at,
    attempted_at, settled_at, reason, message_id, xmin, xmax
  )
  on builder.deliveries to builder_staff, builder_reader;

-- The feed of changes.

create policy customers_read_changes_of_their_accounts_and_of_everyone on builder.changes for select to builder_customer
  using (
    account_id = any ((select builder.caller_account_ids() || builder.everyone())::uuid[])
    and (user_id is null or user_id = (select builder.caller_id()))
  );
create policy staff_read_all_changes on builder.changes for select to builder_staff using (true);

grant select on builder.changes to builder_customer, builder_staff;
