-- Functions whose work others do since: builder.check_values() checks all values of a quote, and builder.queue_calls()
-- counts the calls that wait. A new database has none of them.
drop function if exists
  builder.check_json(),
  builder.refuse_texts(),
  builder.quote_texts_fit(text, text, text, text, text, text, text, text, text),
  builder.refuse_contact_email(),
  builder.drop_contact_email(),
  builder.is_queue_full(uuid, uuid)
  cascade;
