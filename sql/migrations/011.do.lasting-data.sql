-- Data that lasts.

-- A webhook call without an event reports that its account was erased.
alter table builder.deliveries drop constraint kind_matches_the_other_columns;
alter table builder.deliveries add constraint kind_matches_the_other_columns check (case kind
  when 'email' then webhook_id is null
  when 'staff_email' then notification_id is null and webhook_id is null and event_id is not null
  when 'webhook' then notification_id is null and webhook_id is not null and (event_id is not null or quote_id is null)
  else false
end) not valid;

drop function if exists builder.erase_account(uuid, integer);

-- Each delivery is updated several times in a table that keeps 30 days of them: by default Postgres vacuums it only when a fifth is dead.
alter table builder.deliveries set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
