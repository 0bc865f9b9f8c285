-- The creator and the time of change of a graphic.

create or replace function builder.stamp_graphic() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  if tg_op = 'INSERT' then
    new.created_by := coalesce(new.created_by, builder.caller_id());
  else
    new.updated_at := now();
  end if;
  return new;
end
$$;

create or replace trigger stamp before insert or update on builder.graphics
  for each row execute function builder.stamp_graphic();
