-- The creator and the times of change and deletion of a graphic. No time dates a deletion anew.

create or replace function builder.stamp_graphic() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  if tg_op = 'INSERT' then
    new.created_by := coalesce(new.created_by, builder.caller_id());
  else
    new.updated_at := greatest(clock_timestamp(), old.updated_at + interval '1 microsecond');
    if old.deleted_at is not null and new.deleted_at is not null then
      new.deleted_at := old.deleted_at;
    end if;
  end if;
  return new;
end
$$;

create or replace trigger stamp before insert or update on builder.graphics
  for each row execute function builder.stamp_graphic();
