-- The indexes that lists of millions of rows are read by. Where a table is large, they are built by hand before, without
-- stopping writes: sql/README.md has the commands. Customers' lists begin with the account, those of staff do not.

-- Lists and counts of an account, also of its quotes with a status: counting reads the index alone.
create index if not exists quotes_of_an_account_with_status on builder.quotes (account_id, created_at desc, id)
  include (deleted_at, status);
drop index if exists builder.quotes_of_an_account_with_deleted_at;

create index if not exists quotes_by_time on builder.quotes (created_at desc, id) where deleted_at is null;
create index if not exists quotes_by_status on builder.quotes (status, created_at desc, id) where deleted_at is null;
create index if not exists quotes_by_contact_email on builder.quotes (contact_email) where contact_email is not null;
create index if not exists notifications_by_time on builder.notifications (created_at desc, id);
create index if not exists graphics_by_tag on builder.graphics using gin (tags);
create index if not exists graphics_by_sort_order on builder.graphics (sort_order, id);
create index if not exists graphics_by_category on builder.graphics (category_id, sort_order, id);

-- Each save of a large draft leaves its previous snapshot in the TOAST table. By default Postgres vacuums that when a fifth
-- of it is dead, and the file keeps the size that it had then.
alter table builder.quotes
  set (toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 10000);

-- Compressing a snapshot with lz4 takes a fraction of the time that pglz takes. Not every server is built with it.
do $$
begin
  if exists (select from pg_settings where name = 'default_toast_compression' and 'lz4' = any (enumvals)) then
    alter table builder.quotes alter column customization set compression lz4;
  end if;
end
$$;
