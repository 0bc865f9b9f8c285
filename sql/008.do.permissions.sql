-- Row level security first, then the grants: what a role may touch, row by row and column by column. The grants say
-- the same as schema/, and a test compares the two.
alter table builder.quotes enable row level security;
alter table builder.graphics enable row level security;
alter table builder.notifications enable row level security;

create policy staff_do_everything on builder.quotes to builder_staff using (true) with check (true);
create policy staff_do_everything on builder.graphics to builder_staff using (true) with check (true);
create policy staff_do_everything on builder.notifications to builder_staff using (true) with check (true);

create policy everyone_reads_active_graphics on builder.graphics for select to builder_anon, builder_customer
  using (is_active and deleted_at is null);

create policy customers_use_quotes_of_their_accounts on builder.quotes to builder_customer
  using (account_id = any ((select builder.account_ids())::uuid[]))
  with check (account_id = any ((select builder.account_ids())::uuid[]));

create policy customers_read_their_and_system_notifications on builder.notifications
  for select to builder_customer
  using (account_id = any ((select builder.account_ids() || builder.everyone())::uuid[]));
create policy customers_dismiss_their_notifications on builder.notifications for update to builder_customer
  using (account_id = any ((select builder.account_ids())::uuid[]))
  with check (account_id = any ((select builder.account_ids())::uuid[]));
create policy customers_delete_their_notifications on builder.notifications for delete to builder_customer
  using (account_id = any ((select builder.account_ids())::uuid[]));

grant select, insert, update, delete on builder.quotes, builder.graphics, builder.notifications to builder_staff;
grant usage on sequence builder.notifications_id_seq to builder_staff;

grant select on builder.graphics to builder_anon, builder_customer;

grant select on builder.notifications to builder_customer;
grant update (dismissed) on builder.notifications to builder_customer;
grant delete on builder.notifications to builder_customer;

grant
  select (
    id, account_id, quote_number, status, product_id, design_id, sport, customization, colors, roster_count,
    size_breakdown, preview_front_url, preview_back_url, customer_notes, unit_price, total_price, currency,
    submitted_at, quoted_at, quoted_by, approved_at, expires_at, source, created_by, created_at, updated_at,
    deleted_at, fulfillment_status, estimated_delivery_at, contact_name, contact_email, contact_phone,
    shipping_address, company, event_date, rush_order, delivery_method, billing_address, tool_2d, techpack_file,
    avatar_preview
  ),
  insert (
    id, account_id, quote_number, status, product_id, design_id, sport, customization, colors, roster_count,
    size_breakdown, preview_front_url, preview_back_url, customer_notes, currency, submitted_at, approved_at,
    source, created_by, created_at, updated_at, contact_name, contact_email, contact_phone, shipping_address,
    company, event_date, rush_order, delivery_method, billing_address, tool_2d, techpack_file, avatar_preview
  ),
  update (
    id, account_id, quote_number, status, product_id, design_id, sport, customization, colors, roster_count,
    size_breakdown, preview_front_url, preview_back_url, customer_notes, currency, submitted_at, approved_at,
    source, created_by, created_at, updated_at, contact_name, contact_email, contact_phone, shipping_address,
    company, event_date, rush_order, delivery_method, billing_address, tool_2d, techpack_file, avatar_preview
  )
  on builder.quotes to builder_customer;
-- A customer's DELETE sets deleted_at, so the role may update the column; the quote's rules allow nothing but
-- deleting by it, and the service takes it in no body.
grant update (deleted_at) on builder.quotes to builder_customer;

grant select on builder.quote_transitions to builder_customer, builder_staff;

revoke execute on all functions in schema builder from public;
grant execute on function builder.caller_id(), builder.account_ids(), builder.everyone()
  to builder_anon, builder_customer, builder_staff;
grant execute on function
  builder.columns_open_after_draft(),
  builder.refuse_move(text, text, text[]),
  builder.check_customer_insert(builder.quotes),
  builder.check_customer_update(builder.quotes, builder.quotes),
  builder.stamp_quote(builder.quotes, builder.quotes, boolean)
  to builder_customer, builder_staff;
grant execute on function builder.expire_quotes(integer), builder.prune_notifications(integer) to builder_sweeper;
