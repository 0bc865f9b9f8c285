-- Row level security, and then the grants: what a role may do, row by row and column by column. The grants say the same
-- as schema/, and a test compares the two.

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

-- These have no policy and no grant: the functions that keep them run as their owner.
alter table builder.changed_quotes enable row level security;
alter table builder.quote_numbers enable row level security;
alter table builder.brought_quote_numbers enable row level security;
alter table builder.quote_number_offers enable row level security;
alter table builder.idempotency_keys enable row level security;

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
-- A customer's DELETE sets deleted_at, so the role may update the column. The quote's rules allow nothing but deleting
-- by it, and the service refuses it in a body.
grant update (deleted_at) on builder.quotes to builder_customer;
-- A row's version is its xmin, the transaction that wrote it: ETags are made of it and If-Match is compared with it. An
-- upsert tells new rows by xmax. A role with column grants needs a grant for each.
grant select (xmin, xmax) on builder.quotes to builder_customer;

grant select on builder.quote_transitions to builder_customer, builder_staff;

revoke usage on type builder.notification_type, builder.notification_channel from public;
revoke execute on all functions in schema builder from public;

grant execute on function
  builder.caller_id(),
  builder.account_ids(),
  builder.everyone(),
  builder.expect_number(text, bigint, bigint, bigint),
  builder.refuse_answer(integer),
  builder.within_bytes(text, integer)
  to builder_anon, builder_customer, builder_staff;
grant execute on function
  builder.is_price(numeric),
  builder.is_snapshot(jsonb),
  builder.is_size_breakdown(jsonb),
  builder.is_record_of_texts(jsonb, text[]),
  builder.is_address(jsonb),
  builder.is_colors(jsonb),
  builder.is_url(text),
  builder.quote_texts_fit(text, text, text, text, text, text, text, text, text, text),
  builder.columns_open_after_draft(),
  builder.refuse_move(text, text, text[]),
  builder.check_customer_insert(builder.quotes),
  builder.check_customer_update(builder.quotes, builder.quotes),
  builder.closed_column_changed(builder.quotes, builder.quotes),
  builder.stamp_move(builder.quotes, builder.quotes),
  builder.next_quote_number(),
  builder.claim_key(text, text),
  builder.keep_answer(text, json, uuid[]),
  builder.run_once(text, text, text, json)
  to builder_customer, builder_staff;
grant execute on function builder.mark_changed(uuid) to builder_customer;
grant execute on function
  builder.are_tags(text[]),
  builder.check_priced_version(uuid, text),
  builder.note_brought_number(text),
  -- The estimate comes from statistics of the whole table, other accounts' rows too.
  builder.planned_rows(text)
  to builder_staff;
grant execute on function
  builder.expire_quotes(integer),
  builder.prune_notifications(integer),
  builder.prune_idempotency_keys(integer)
  to builder_sweeper;
