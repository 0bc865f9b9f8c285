-- What the message of a move begins with when it takes back what the account was told: by the status that a quote had.
insert into builder.event_messages (event, channel, body) values
  ('quote.quoted.undone', 'email', 'Our offer for your quote {quote_number} was undone by us.'),
  ('quote.approved.undone', 'email', 'The approval of your quote {quote_number} was undone by us.'),
  ('quote.ordered.undone', 'email', 'The order of your quote {quote_number} was undone by us.'),
  ('quote.cancelled.undone', 'email', 'The cancellation of your quote {quote_number} was undone by us.'),
  ('quote.fulfillment.undone', 'email', 'The last step of your order {quote_number} was undone by us.')
on conflict on constraint event_messages_pkey do nothing;
