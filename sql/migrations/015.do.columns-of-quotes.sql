-- code/quote-columns.sql makes changed_column() in place of these.
drop function if exists
  builder.changed_draft_field(builder.quotes, builder.quotes),
  builder.changed_file(builder.quotes, builder.quotes),
  builder.changed_open_field(builder.quotes, builder.quotes);
