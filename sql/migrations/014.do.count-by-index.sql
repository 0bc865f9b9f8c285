-- Counting an account's quotes reads this index alone, which has deleted_at, and not a page of the table for each quote.
-- Where the table is large, the index is built by hand before, with `create index concurrently if not exists`.
create index if not exists quotes_of_an_account_with_deleted_at on builder.quotes (account_id, created_at desc, id)
  include (deleted_at);
drop index builder.quotes_of_an_account;
