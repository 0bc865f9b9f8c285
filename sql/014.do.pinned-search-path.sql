-- Temporary objects are looked up before all others unless pg_temp stands at the end of the search path: with an empty
-- one a caller's own type named text or json was taken for the real one, inside functions that run as their owner.
do $$
declare
  routine regprocedure;
begin
  for routine in select oid from pg_proc where pronamespace = 'builder'::regnamespace loop
    execute format('alter routine %s set search_path = pg_catalog, pg_temp', routine);
  end loop;
end
$$;

revoke usage on type builder.notification_type, builder.notification_channel from public;
