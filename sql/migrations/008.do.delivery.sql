-- Texts of messages, e-mails, and webhook calls.

-- The messages of events, in each language: to the account about what staff or the sweep did (`account`) and about its own moves
-- (`actor`), and to staff about a customer's, as e-mails in English. The owner edits this table. code/messages.sql fills in the texts.
create table builder.event_messages (
  event text not null,
  language text not null default 'en',
  enabled boolean not null default true,
  -- `email` means in the application and by e-mail.
  channel builder.notification_channel not null,
  type builder.notification_type not null default 'info',
  body text not null,
  link text default '/quotes/{quote_id}',
  audience text not null default 'account',

  constraint event_messages_pkey primary key (event, language, audience),
  constraint audience_is_known check (audience in ('account', 'actor', 'staff')),
  constraint messages_to_staff_are_emails check (audience <> 'staff' or channel = 'email'),
  constraint body_has_at_most_9000_bytes check (octet_length(body) <= 9000),
  constraint link_has_at_most_1800_bytes check (octet_length(link) <= 1800),
  constraint link_is_a_path_or_an_http_url check (builder.is_link(link))
);
alter table builder.event_messages enable row level security;

insert into builder.event_messages (event, audience, channel, body) values
  ('quote.draft', 'account', 'email', E'Your quote {quote_number} was made a draft again by us.\nYou can change it and submit it.'),
  ('quote.submitted', 'account', 'email',
    E'Your quote {quote_number} is with us for a price.\nIt can be approved once you have our offer.'),
  ('quote.quoted', 'account', 'email',
    E'Your quote {quote_number} has its price: {total_price}.\nIt can be approved until {expires_at}.'),
  ('quote.repriced', 'account', 'email',
    E'The price of your quote {quote_number} has changed: {total_price}.\nIt can be approved until {expires_at}.'),
  ('quote.end_changed', 'account', 'email',
    E'The end of your offer {quote_number} has changed.\nIt can be approved until {expires_at}.\nIts price is {total_price}.'),
  ('quote.expiring', 'account', 'email',
    E'Your quote {quote_number} expires soon: {total_price}.\nIt can be approved until {expires_at}.'),
  ('quote.approved', 'account', 'email', E'Your quote {quote_number} was approved by us for you.\nIts price is {total_price}.'),
  ('quote.rejected', 'account', 'email', 'Your quote {quote_number} was rejected by us.'),
  ('quote.expired', 'account', 'email', 'Your quote {quote_number} has expired.'),
  ('quote.cancelled', 'account', 'email', 'Your quote {quote_number} was cancelled by us.'),
  ('quote.changed', 'account', 'email', 'The design of your quote {quote_number} was changed by us.'),
  ('quote.restored', 'account', 'email', 'Your quote {quote_number} was restored by us.'),
  ('quote.ordered', 'account', 'email', E'Your order {quote_number} is placed.\nIt is expected on {estimated_delivery_at}.'),
  ('quote.amended', 'account', 'email', E'Your order {quote_number} was corrected by us.\nIts price is {total_price}.'),
  ('quote.delivery_changed', 'account', 'email',
    E'The delivery date of your order {quote_number} has changed.\nIt is expected on {estimated_delivery_at}.'),
  ('quote.reviewing', 'account', 'email', 'Your order {quote_number} is being reviewed.'),
  ('quote.preparing', 'account', 'email', 'Your order {quote_number} is being prepared.'),
  ('quote.shipping', 'account', 'email', E'Your order {quote_number} is on its way.\nIt is expected on {estimated_delivery_at}.'),
  ('quote.delivered', 'account', 'email', 'Your order {quote_number} has been delivered.'),
  ('quote.draft', 'actor', 'in_app', 'You made your quote {quote_number} a draft again.'),
  ('quote.submitted', 'actor', 'in_app', 'We have received your quote request {quote_number}.'),
  ('quote.approved', 'actor', 'in_app', E'You approved your quote {quote_number}.\nIts price is {total_price}.'),
  ('quote.rejected', 'actor', 'in_app', 'You rejected our price for your quote {quote_number}.'),
  ('quote.cancelled', 'actor', 'in_app', 'You cancelled your quote {quote_number}.'),
  ('quote.submitted', 'staff', 'email', 'Quote {quote_number} has been submitted.'),
  ('quote.approved', 'staff', 'email', 'Quote {quote_number} has been approved: {total_price}.'),
  ('quote.rejected', 'staff', 'email', 'Quote {quote_number} has been rejected: {total_price}.'),
  ('quote.cancelled', 'staff', 'email', 'Quote {quote_number} has been cancelled by its customer.');

-- Off, since a customer may do it often.
insert into builder.event_messages (event, audience, channel, body, enabled) values
  ('quote.draft', 'staff', 'email', 'Quote {quote_number} was made a draft again by its customer.', false),
  ('quote.changed', 'staff', 'email', 'Quote {quote_number} has been changed by its customer.', false);

insert into builder.event_messages (event, audience, channel, body, link) values
  -- Its account can't open it.
  ('quote.deleted', 'account', 'email', 'Your quote {quote_number} was deleted by us.', null),
  -- The first line of each e-mail.
  ('greeting', 'account', 'email', 'Hello,', null),
  ('greeting', 'staff', 'email', 'Hello,', null);

-- Receivers of events; `npm run webhook` edits them. A null `events` means all events.
create table builder.webhooks (
  id uuid not null default gen_random_uuid(),
  url text not null,
  -- The newest first. A call is signed with each.
  secrets text[] not null,
  events text[],
  created_at timestamp with time zone not null default now(),
  disabled_at timestamp with time zone,
  disabled_because text,
  -- Since when every attempt has failed.
  failing_since timestamp with time zone,

  constraint webhooks_pkey primary key (id),
  constraint url_has_at_most_2048_bytes check (octet_length(url) <= 2048),
  constraint there_are_1_to_10_secrets check (cardinality(secrets) between 1 and 10)
);
alter table builder.webhooks enable row level security;

-- An e-mail, or a call of a webhook. Staff read it: schema/deliveries.ts has the columns.
create table builder.deliveries (
  id bigint not null generated by default as identity,
  created_at timestamp with time zone not null default now(),
  -- While it is being sent: when its lease ends. Null once it is finished.
  due_at timestamp with time zone default now(),
  attempts integer not null default 0,
  -- Fencing token for settling: the number of claims, including those that did not count as attempts.
  claims integer not null default 0,
  state text not null default 'waiting',
  reason text,
  settled_at timestamp with time zone,
  account_id uuid not null,
  notification_id bigint,
  webhook_id uuid,
  -- Of an e-mail: the event of its notification, if it has one.
  event_id bigint,
  -- Of an e-mail: the recipient in lower case.
  address text,
  -- The last attempt.
  attempted_at timestamp with time zone,
  quote_id uuid,
  -- Its age counts from here: its creation, or the last time that staff repeated it.
  queued_at timestamp with time zone not null default now(),
  kind text not null,
  -- The masked address, for staff.
  recipient text,
  -- Its place in the queue of its webhook, or in the queue of e-mails. Accounts take turns.
  turn integer not null default 0,
  -- Why it waits until `due_at`, although no attempt failed.
  hold_reason text,
  -- Whether a relay received the whole message and did not reply.
  unanswered boolean not null default false,
  -- Its Message-ID or webhook-id, by which it is settled too. Numbers are used again after a restore, and this is not.
  message_id uuid not null default gen_random_uuid(),

  constraint deliveries_pkey primary key (id),
  constraint deliveries_message_id_key unique (message_id),
  constraint deliveries_webhook_id_fkey foreign key (webhook_id) references builder.webhooks on delete cascade,
  constraint state_is_known check (state in ('waiting', 'sending', 'sent', 'skipped', 'dead')),
  constraint due_at_is_null_once_finished check ((due_at is null) = (state in ('sent', 'skipped', 'dead'))),
  constraint kind_matches_the_other_columns check (case kind
    when 'email' then webhook_id is null
    when 'staff_email' then notification_id is null and webhook_id is null and event_id is not null
    when 'webhook' then notification_id is null and webhook_id is not null and event_id is not null
    else false
  end)
);
create unique index deliveries_of_a_notification on builder.deliveries (notification_id) where notification_id is not null;
create index deliveries_of_a_quote on builder.deliveries (quote_id, id);
create index deliveries_that_have_ended on builder.deliveries (settled_at) where due_at is null;
-- Only the queries of an index have its condition (hence `due_at > '-infinity'`). Otherwise a plan that was made for a short
-- queue may read a whole backlog by the wrong index.
create index deliveries_that_wait on builder.deliveries (account_id, webhook_id, turn) where state in ('waiting', 'sending');
create index emails_in_turn on builder.deliveries (attempts, turn, due_at, id) where webhook_id is null and due_at is not null;
create index emails_that_are_due on builder.deliveries (due_at, id) where webhook_id is null and due_at > '-infinity';
create index emails_by_age on builder.deliveries (queued_at) where webhook_id is null and due_at is not null;
create index emails_by_time on builder.deliveries (attempted_at) where webhook_id is null and attempted_at is not null;
create index emails_to_an_account on builder.deliveries (account_id, attempted_at)
  where webhook_id is null and attempted_at is not null;
create index calls_in_turn on builder.deliveries (webhook_id, attempts, turn, due_at, id)
  where webhook_id is not null and due_at is not null;
create index calls_that_are_due on builder.deliveries (webhook_id, due_at, id)
  where webhook_id is not null and due_at > '-infinity';
create index calls_in_flight on builder.deliveries (webhook_id) where webhook_id is not null and state = 'sending';
create index calls_by_time on builder.deliveries (webhook_id, attempted_at)
  where webhook_id is not null and attempted_at is not null;
create index calls_of_a_quote on builder.deliveries (quote_id, webhook_id, turn)
  where webhook_id is not null and state = 'waiting' and attempts = 0;
create index skipped_calls on builder.deliveries (account_id, webhook_id)
  where quote_id is null and webhook_id is not null and state = 'waiting';
alter table builder.deliveries enable row level security;

-- State of the worker `delivery`, which loses its memory when it restarts: one row.
create table builder.delivery_pace (
  id boolean not null default true,
  -- When the relay fails, all mail waits: for 10 s, doubled each time, up to 5 minutes.
  mail_pause interval not null default interval '0',
  mail_paused_until timestamp with time zone not null default 'epoch',
  -- Since when all e-mails have failed.
  mail_failing_since timestamp with time zone,
  mail_sent_at timestamp with time zone,
  -- The last warning in the log that e-mails wait although no relay is configured.
  warned_at timestamp with time zone not null default 'epoch',
  -- The worker's STAFF_EMAIL. Without it, staff get no messages.
  staff_address text,

  constraint delivery_pace_pkey primary key (id),
  constraint there_is_one_row check (id)
);
alter table builder.delivery_pace enable row level security;
insert into builder.delivery_pace default values;

-- Accounts that have unsubscribed.
create table builder.unsubscribed_accounts (
  account_id uuid not null,
  unsubscribed_at timestamp with time zone not null default now(),

  constraint unsubscribed_accounts_pkey primary key (account_id)
);
alter table builder.unsubscribed_accounts enable row level security;

-- Addresses that a relay has refused. They get no e-mail for a week.
create table builder.refused_addresses (
  address text not null,
  refused_at timestamp with time zone not null default now(),
  reason text,

  constraint refused_addresses_pkey primary key (address)
);
create index refused_addresses_by_time on builder.refused_addresses (refused_at);
alter table builder.refused_addresses enable row level security;
