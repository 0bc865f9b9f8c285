-- The texts of answers by a link, to the account and to staff, and the line of mails that has the link of the offer.

-- Functions whose parameters or results have changed in code/.
drop function if exists builder.claim_emails(integer, integer, text);
drop function if exists builder.resolve_email(builder.deliveries, text);
drop function if exists builder.fill_message(text, builder.quote_events, text);

insert into builder.event_messages (event, audience, channel, body) values
  ('quote.approved.by_link', 'account', 'email',
    E'Your quote {quote_number} was approved by a link.\nBy: {signer}\nThe link is for: {label}\nThey wrote: {said}\nIts price is {total_price}.'),
  ('quote.rejected.by_link', 'account', 'email',
    E'Our offer for your quote {quote_number} was declined by a link.\nBy: {signer}\nThe link is for: {label}\nThey wrote: {said}'),
  ('quote.submitted.by_link', 'account', 'email',
    E'Changes of our offer for your quote {quote_number} were asked for by a link.\nBy: {signer}\nThe link is for: {label}\nThey wrote: {said}'),
  ('quote.approved.by_link', 'staff', 'email',
    E'Quote {quote_number} has been approved by a link: {total_price}.\nBy: {signer}\nThe link is for: {label}\nThey wrote: {said}'),
  ('quote.rejected.by_link', 'staff', 'email',
    E'Quote {quote_number} has been declined by a link: {total_price}.\nBy: {signer}\nThe link is for: {label}\nThey wrote: {said}'),
  ('quote.submitted.by_link', 'staff', 'email',
    E'Changes of quote {quote_number} have been asked for by a link.\nBy: {signer}\nThe link is for: {label}\nThey wrote: {said}')
on conflict on constraint event_messages_pkey do nothing;

-- Where the text is still the one that was written by a migration.
update builder.event_messages m set body = m.body || E'\nOpen or print the offer without signing in: {offer_url}'
from (values
  ('quote.quoted', E'Your quote {quote_number} has its price: {total_price}.\nIt can be approved until {expires_at}.'),
  ('quote.repriced', E'The price of your quote {quote_number} has changed: {total_price}.\nIt can be approved until {expires_at}.'),
  ('quote.amended', E'Your order {quote_number} was corrected by us.\nIts price is {total_price}.'),
  ('quote.end_changed',
    E'The end of your offer {quote_number} has changed.\nIt can be approved until {expires_at}.\nIts price is {total_price}.'),
  ('quote.expiring', E'Your quote {quote_number} expires soon: {total_price}.\nIt can be approved until {expires_at}.')
) first (event, body)
where m.event = first.event and m.body = first.body and m.audience = 'account' and m.language = 'en';
