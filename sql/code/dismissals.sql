-- Dismissals: what each user has dismissed of its account's notifications, and of messages to everyone.

-- Updates `dismissed` of a notification, or the user's own dismissal of a message to everyone. Does nothing when
-- the request names another version.
create or replace function builder.dismiss_notification() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  caller constant uuid := builder.caller_id();
begin
  if old.account_id <> builder.everyone() then
    update builder.notifications n set dismissed = new.dismissed
    where n.id = old.id and (
      current_setting('request.compared', true) is distinct from 'xmin' or n.xmin::text::bigint = old.xmin
    );
    if not found then
      return null;
    end if;
  elsif caller is null then
    return null;
  elsif new.dismissed and not old.dismissed then
    insert into builder.dismissals values (old.id, caller) on conflict do nothing;
  elsif not new.dismissed then
    delete from builder.dismissals d where d.notification_id = old.id and d.user_id = caller;
  end if;
  select * into new from builder.notifications_of_customer n where n.id = old.id;
  return case when found then new end;
end
$$;

-- Locks what an update of several notifications writes, in the order of the keys, so that opposed updates wait for each other
-- instead of deadlocking. A dismissal that does not exist yet has no row to lock, but only its user writes it.
create or replace function builder.lock_notifications_of_customer(ids bigint[]) returns setof bigint
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  caller constant uuid := builder.caller_id();
begin
  perform pg_advisory_xact_lock('builder.dismissals'::regclass::oid::integer, hashtext(caller::text));
  perform from builder.notifications n
    where n.id = any (ids) and n.account_id = any (builder.caller_account_ids()) order by n.id for no key update;
  perform from builder.dismissals d
    where d.notification_id = any (ids) and d.user_id = caller order by d.notification_id for update;
  return query select unnest(ids);
end
$$;

create or replace trigger dismiss instead of update on builder.notifications_of_customer
  for each row execute function builder.dismiss_notification();

-- Deletes the dismissals of deleted messages.
create or replace function builder.delete_dismissals() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  with locked as (
    select d.notification_id, d.user_id from builder.dismissals d where d.notification_id in (select n.id from old_rows n)
    order by 1, 2 for update
  )
  delete from builder.dismissals d using locked l where d.notification_id = l.notification_id and d.user_id = l.user_id;
  return null;
end
$$;

create or replace trigger delete_dismissals after delete on builder.notifications referencing old table as old_rows
  for each statement execute function builder.delete_dismissals();

grant execute on function builder.lock_notifications_of_customer(bigint[]) to builder_customer;
