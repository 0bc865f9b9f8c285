-- Indexes for data that lasts: built while the service runs, before this is migrated (README.md).

-- What a person made for other accounts, so that an account is erased without reading every row.
create index if not exists quotes_made_for_others on builder.quotes (created_by) where created_by <> account_id;
create index if not exists quote_events_made_for_others on builder.quote_events (created_by) where created_by <> account_id;
-- Calls that report an erasure: the sweep deletes them once they have ended.
create index if not exists calls_without_an_event on builder.deliveries (id) where webhook_id is not null and event_id is null;
-- Unread notifications of an account that has dismissed thousands. A dismissal costs 350 bytes of WAL more.
create index if not exists notifications_not_dismissed on builder.notifications (account_id, created_at desc, id) where not dismissed;
-- Lists for staff. There is none of quotes by updated_at: each save of a draft would write to every index.
create index if not exists quote_events_by_time on builder.quote_events (created_at desc, id);
create index if not exists quotes_by_submission on builder.quotes (submitted_at desc, id) where deleted_at is null;
