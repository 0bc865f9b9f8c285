-- The role of a read key (READ_KEY): it reads what staff read, and has no grant that writes. Another database of the
-- cluster may have made it already, or do so at this moment.
do $$
begin
  create role builder_reader nologin noinherit;
  grant builder_reader to builder_api;
exception when duplicate_object or unique_violation then
  null;
end
$$;
grant usage on schema builder to builder_reader;

create policy readers_read_all_quotes on builder.quotes for select to builder_reader using (true);
create policy readers_read_all_graphics on builder.graphics for select to builder_reader using (true);
create policy readers_read_all_notifications on builder.notifications for select to builder_reader using (true);
create policy readers_read_all_quote_events on builder.quote_events for select to builder_reader using (true);
create policy readers_read_all_deliveries on builder.deliveries for select to builder_reader using (true);

grant select on builder.quotes, builder.graphics, builder.notifications, builder.quote_events to builder_reader;
-- Of these the service keeps columns to itself.
grant
  select (
    id, kind, account_id, event_id, notification_id, quote_id, webhook_id, recipient, state, attempts, created_at, due_at,
    attempted_at, settled_at, reason, xmin, xmax
  )
  on builder.deliveries to builder_reader;

grant execute on function
  builder.expect_number(text, bigint, bigint, bigint),
  builder.refuse_answer(integer),
  builder.within_bytes(text, integer),
  builder.planned_rows(text)
  to builder_reader;
