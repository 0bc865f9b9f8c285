-- Indexes for data that lasts: built while the service runs, before this is migrated (README.md).

-- What a person made for other accounts, so that an account is erased without reading every row.
create index if not exists quotes_made_for_others on builder.quotes (created_by) where created_by <> account_id;
create index if not exists quote_events_made_for_others on builder.quote_events (created_by) where created_by <> account_id;
-- Calls that report an erasure: the sweep deletes them once they have ended.
create index if not exists calls_without_an_event on builder.deliveries (id) where webhook_id is not null and event_id is null;
