-- Copies of quotes. A copy is a draft with a new number, and the design, roster, contact and addresses of its original.

-- Copies a quote that its caller can see, and returns the key of the copy. A call that finds none takes no number.
create or replace function builder.duplicate_quote(id uuid) returns uuid
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  copied uuid;
begin
  insert into builder.quotes (
    quote_number, source, account_id, product_id, design_id, sport, customization, colors, tool_2d, preview_front_url,
    preview_back_url, avatar_preview, techpack_file, roster_count, size_breakdown, currency, contact_name, contact_email,
    contact_phone, company, shipping_address, billing_address, delivery_method
  )
  select
    builder.next_quote_number(), 'duplicate', q.account_id, q.product_id, q.design_id, q.sport, q.customization, q.colors,
    q.tool_2d, q.preview_front_url, q.preview_back_url, q.avatar_preview, q.techpack_file, q.roster_count, q.size_breakdown,
    q.currency, q.contact_name, q.contact_email, q.contact_phone, q.company, q.shipping_address, q.billing_address,
    q.delivery_method
  from builder.quotes q
  where q.id = duplicate_quote.id and q.deleted_at is null
  returning quotes.id into copied;
  if not found then
    raise sqlstate 'PT404' using message = 'The row of quotes was not found, so nothing was written',
      detail = 'No row with this id exists, or this caller cannot see it.';
  end if;
  return copied;
end
$$;

grant execute on function builder.duplicate_quote(uuid) to builder_customer, builder_staff;
