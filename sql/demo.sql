-- Rows to try the service with. `npm start` loads them into an embedded database that is new; no migration does.
-- The customer is c…001, its team c…00a, and staff c…0ff: the tokens that `npm start` prints are theirs.
-- The files of the graphics are in functions/demo/; `npm start` serves them.

-- Only the notifications below.
set builder.quiet = 'on';

insert into builder.graphics
  (id, name, code, category_id, file_url, file_format, file_size, width, height, description, tags, is_active, sort_order)
values
  ('a0000000-0000-4000-8000-000000000001', 'Main logo', 'MAIN-LOGO', 'ca000000-0000-4000-8000-000000000001',
    'http://127.0.0.1:8788/demo/main-logo.svg', 'svg', 248, null, null, 'The logo on every jersey', '{logo}', true, 10),
  ('a0000000-0000-4000-8000-000000000002', 'Main logo, white', 'MAIN-LOGO-WHITE', 'ca000000-0000-4000-8000-000000000001',
    'http://127.0.0.1:8788/demo/main-logo-white.svg', 'svg', 200, null, null, 'For dark fabrics', '{logo,dark}', true, 20),
  ('a0000000-0000-4000-8000-000000000003', 'Tiger head', 'TIGER-HEAD', 'ca000000-0000-4000-8000-000000000002',
    'http://127.0.0.1:8788/demo/tiger-head.svg', 'svg', 324, 1200, 1200, null, '{mascot,animal}', true, 30),
  ('a0000000-0000-4000-8000-000000000004', 'Eagle', 'EAGLE', 'ca000000-0000-4000-8000-000000000002',
    'http://127.0.0.1:8788/demo/eagle.svg', 'svg', 250, 1200, 900, null, '{mascot,animal}', true, 40),
  ('a0000000-0000-4000-8000-000000000005', 'Lightning bolt', 'LIGHTNING-BOLT', 'ca000000-0000-4000-8000-000000000003',
    'http://127.0.0.1:8788/demo/lightning-bolt.svg', 'svg', 153, null, null, null, '{shape}', true, 50),
  ('a0000000-0000-4000-8000-000000000006', 'Pinstripes', 'PINSTRIPES', 'ca000000-0000-4000-8000-000000000003',
    'http://127.0.0.1:8788/demo/pinstripes.svg', 'svg', 170, 2000, 2000, 'Repeats without a seam', '{pattern}', true, 60),
  ('a0000000-0000-4000-8000-000000000007', 'Crossed bats', 'CROSSED-BATS', null,
    'http://127.0.0.1:8788/demo/crossed-bats.svg', 'svg', 193, 800, 600, null, null, true, 70),
  ('a0000000-0000-4000-8000-000000000008', 'Last season''s badge', 'BADGE-2025', null,
    'http://127.0.0.1:8788/demo/badge-2025.svg', 'svg', 248, 600, 600, 'Not offered any more', '{badge}', false, 80);

-- Their numbers come from the counter, so later quotes get other numbers.
insert into builder.quotes
  (id, account_id, quote_number, status, product_id, design_id, sport, customization, colors, roster_count, size_breakdown,
    customer_notes, internal_notes, unit_price, total_price, submitted_at, quoted_at, quoted_by, approved_at,
    expires_at, source, created_by, fulfillment_status, estimated_delivery_at, contact_name, contact_email,
    shipping_address, company, event_date, rush_order, delivery_method)
values
  ('e0000000-0000-4000-8000-000000000001', 'c0000000-0000-4000-8000-000000000001',
    builder.next_quote_number(), 'draft',
    'd0000000-0000-4000-8000-000000000001', null, 'baseball',
    '{"jersey": {"fabric": "mesh", "text": "Tigers", "graphics": ["TIGER-HEAD"]}, "players": [
      {"name": "Diaz", "number": "00", "size": "M"}, {"name": "Okafor", "number": "0", "size": "M"}, {"name": "Kim", "number": "7", "size": "M"},
      {"name": "Meyer", "number": "10", "size": "M"}, {"name": "Novak", "number": "12", "size": "M"}, {"name": "Chen", "number": "14", "size": "M"},
      {"name": "Stone", "number": "18", "size": "M"}, {"name": "Doe", "number": "21", "size": "L"}, {"name": "Silva", "number": "23", "size": "L"},
      {"name": "Brooks", "number": "27", "size": "L"}, {"name": "Long", "number": "33", "size": "L"}, {"name": "Hill", "number": "42", "size": "L"}]}',
    '{"primary": "#1f4fbf", "secondary": "#ffffff", "accent": "#f0b323"}', 12, '{"M": 7, "L": 5}',
    null, null, null, null, null, null, null, null,
    now() + interval '14 days', 'builder', 'c0000000-0000-4000-8000-000000000001', null, null,
    'Robin Diaz', 'robin@example.com', null, null, null, false, null),
  ('e0000000-0000-4000-8000-000000000002', 'c0000000-0000-4000-8000-000000000001',
    builder.next_quote_number(), 'submitted',
    'd0000000-0000-4000-8000-000000000001', 'de000000-0000-4000-8000-000000000001', 'baseball',
    '{"jersey": {"fabric": "mesh", "text": "Night Owls", "graphics": ["LIGHTNING-BOLT"], "pattern": "chevron"}}',
    '{"primary": "#17181b", "secondary": "#ffffff", "accent": "#e8681a"}', 15, '{"S": 3, "M": 7, "L": 5}',
    'Needed before the opening game.', 'Ask whether the away set is wanted too.', null, null,
    now() - interval '1 day', null, null, null,
    now() + interval '30 days', 'builder', 'c0000000-0000-4000-8000-000000000001', null, null,
    'Robin Diaz', 'robin@example.com',
    '{"street": "1 Main St", "city": "Springfield", "state": "IL", "zip": "62701", "country": "US"}',
    null, current_date + 60, true, 'express'),
  ('e0000000-0000-4000-8000-000000000003', 'c0000000-0000-4000-8000-00000000000a',
    builder.next_quote_number(), 'quoted',
    'd0000000-0000-4000-8000-000000000002', 'de000000-0000-4000-8000-000000000002', 'basketball',
    '{"jersey": {"fabric": "interlock", "text": "Ballers", "pattern": "hoops"}, "shorts": {"fabric": "interlock"}}',
    '{"primary": "#1c8a4a", "secondary": "#ffffff", "accent": "#124a32"}', 10, '{"M": 4, "L": 4, "XL": 2}',
    null, 'Discount of 5 % agreed by phone.', 58.00, 580.00,
    now() - interval '5 days', now() - interval '3 days', 'c0000000-0000-4000-8000-0000000000ff', null,
    now() + interval '27 days', 'csv_import', 'c0000000-0000-4000-8000-000000000001', null, null,
    'Sam Okafor', 'sam@example.com', null, 'Eastside Ballers', null, false, 'standard'),
  ('e0000000-0000-4000-8000-000000000004', 'c0000000-0000-4000-8000-00000000000a',
    builder.next_quote_number(), 'approved',
    'd0000000-0000-4000-8000-000000000003', 'de000000-0000-4000-8000-000000000003', 'soccer',
    '{"jersey": {"collar": "v-neck", "text": "Eastside", "graphics": ["EAGLE"], "pattern": "sash"}}',
    '{"primary": "#6fb7e9", "secondary": "#14284b", "accent": "#ffffff"}', 18, '{"S": 6, "M": 12}',
    null, null, 35.25, 634.50,
    now() - interval '12 days', now() - interval '10 days', 'c0000000-0000-4000-8000-0000000000ff', now() - interval '8 days',
    now() + interval '20 days', 'builder', 'c0000000-0000-4000-8000-000000000001', null, null,
    'Sam Okafor', 'sam@example.com', null, 'Eastside Ballers', null, false, 'pickup'),
  ('e0000000-0000-4000-8000-000000000005', 'c0000000-0000-4000-8000-00000000000a',
    builder.next_quote_number(), 'ordered',
    'd0000000-0000-4000-8000-000000000003', 'de000000-0000-4000-8000-000000000004', 'soccer',
    '{"jersey": {"collar": "crew", "text": "Harbor", "pattern": "halves"}}',
    '{"primary": "#6b1a2b", "secondary": "#ffffff", "accent": "#14284b"}', 22, '{"M": 11, "L": 11}',
    null, 'Second order of this customer.', 33.00, 726.00,
    now() - interval '40 days', now() - interval '38 days', 'c0000000-0000-4000-8000-0000000000ff', now() - interval '35 days',
    null, 'duplicate', 'c0000000-0000-4000-8000-000000000001', 'preparing', now() + interval '10 days',
    'Sam Okafor', 'sam@example.com', null, 'Eastside Ballers', null, false, 'standard'),
  ('e0000000-0000-4000-8000-000000000006', 'c0000000-0000-4000-8000-000000000001',
    builder.next_quote_number(), 'rejected',
    'd0000000-0000-4000-8000-000000000002', 'de000000-0000-4000-8000-000000000005', 'volleyball',
    '{"jersey": {"sleeves": "long", "text": "Spikers", "pattern": "yoke"}}',
    '{"primary": "#51298a", "secondary": "#ffffff", "accent": "#f0b323"}', 8, '{"S": 8}',
    null, null, 71.00, 568.00,
    now() - interval '20 days', now() - interval '18 days', 'c0000000-0000-4000-8000-0000000000ff', null,
    now() + interval '5 days', 'admin_created', 'c0000000-0000-4000-8000-0000000000ff', null, null,
    'Robin Diaz', 'robin@example.com', null, null, null, false, 'standard'),
  ('e0000000-0000-4000-8000-000000000007', 'c0000000-0000-4000-8000-000000000001',
    builder.next_quote_number(), 'expired',
    'd0000000-0000-4000-8000-000000000001', 'de000000-0000-4000-8000-000000000001', 'softball',
    '{"jersey": {"fabric": "mesh", "text": "Foxes", "graphics": ["CROSSED-BATS"], "pattern": "pinstripes"}}',
    '{"primary": "#ffffff", "secondary": "#c2202e", "accent": "#b9bfc7"}', 14, '{"S": 4, "M": 6, "L": 4}',
    null, null, 39.50, 553.00,
    now() - interval '50 days', now() - interval '45 days', 'c0000000-0000-4000-8000-0000000000ff', null,
    now() - interval '15 days', 'builder', 'c0000000-0000-4000-8000-000000000001', null, null,
    'Robin Diaz', 'robin@example.com', null, null, null, false, 'pickup');

insert into builder.notifications (account_id, type, body, link, channel, dismissed) values
  ('00000000-0000-0000-0000-000000000000', 'info', 'New fabrics are in the builder.', '/fabrics', 'in_app', false);
insert into builder.notifications (account_id, type, body, link, channel, dismissed)
select account_id, message.type::builder.notification_type, format(message.body, quote_number), '/quotes/' || id,
  message.channel::builder.notification_channel, message.dismissed
from (values
  ('e0000000-0000-4000-8000-000000000002'::uuid, 'info', 'We have received quote %s.', 'in_app', false),
  ('e0000000-0000-4000-8000-000000000001', 'warning', 'Draft %s expires in two weeks.', 'email', false),
  ('e0000000-0000-4000-8000-000000000003', 'info', 'Quote %s has its price.', 'email', true),
  ('e0000000-0000-4000-8000-000000000005', 'error', 'A payment for %s was declined.', 'in_app', false)
) message (quote_id, type, body, channel, dismissed)
join builder.quotes on id = quote_id
order by quote_number;

-- The page of an offer begins with its seller.
insert into builder.event_messages (event, language, channel, body, link) values
  ('offer_seller', 'en', 'in_app', E'Example Uniforms\n1 Mill Lane, Springfield\norders@builder.example', null),
  ('offer_seller', 'de', 'in_app', E'Beispiel-Trikots\nMühlweg 1, 12345 Musterstadt\norders@builder.example', null),
  ('offer_terms', 'en', 'in_app', E'Prices include tax. Payment is due within 30 days.\nShirts with printed names can’t be returned.', null),
  ('offer_terms', 'de', 'in_app', E'Preise mit Mehrwertsteuer, zahlbar in 30 Tagen.\nTrikots mit Namen können nicht zurückgegeben werden.', null);

reset builder.quiet;
