-- Links by which an offer is read and answered without a sign-in, and what was answered by one.

create table builder.quote_links (
  id uuid not null default gen_random_uuid(),
  quote_id uuid not null,
  -- The account that owned the quote when it was shared: the link ends when the quote moves to another one.
  account_id uuid not null,
  -- Whether its holder may answer the offer, or only read it.
  may text not null,
  -- For whom it is.
  label text,
  -- Whether it shows the names of players.
  roster boolean not null default false,
  -- Of a link that a mail contains: the recipient in lower case. Only the owner reads it.
  address text,
  created_at timestamp with time zone not null default clock_timestamp(),
  -- The customer who made it.
  created_by uuid,
  created_as text not null,
  ends_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  -- When its page was last requested, to the hour.
  opened_at timestamp with time zone,

  constraint quote_links_pkey primary key (id),
  constraint quote_links_quote_id_fkey foreign key (quote_id) references builder.quotes on delete cascade,
  constraint may_is_known check (may in ('read', 'approve')),
  constraint label_has_at_most_200_bytes check (octet_length(label) <= 200),
  constraint created_as_is_known check (created_as in ('customer', 'staff', 'service', 'sweep'))
);
create index quote_links_of_a_quote on builder.quote_links (quote_id, created_at desc, id);
create index quote_links_of_an_account on builder.quote_links (account_id, created_at desc, id);
create index quote_links_by_time on builder.quote_links (created_at desc, id);
-- For the sweep.
create index quote_links_by_end on builder.quote_links (ends_at);
alter table builder.quote_links enable row level security;

-- Of a move that was made by a link: the link, the name that its holder gave, and what they said. The row of the link may be gone.
alter table builder.quote_events add column link_id uuid, add column signer text, add column said text;
alter table builder.quote_events
  add constraint signer_has_at_most_200_bytes check (octet_length(signer) <= 200) not valid,
  add constraint said_has_at_most_1000_characters check (length(said) <= 1000) not valid,
  add constraint a_link_has_a_signer check ((link_id is null) = (signer is null)) not valid;
