-- Responses that are recorded for a day, when the sweep last ran, and the owner's settings.

-- The responses to POSTs with an Idempotency-Key (code/idempotency.sql).
create table builder.idempotency_keys (
  -- Whose key it is: one caller's keys say nothing of another's.
  caller text not null,
  key text not null,
  -- The hash of the request that the key came with.
  fingerprint text not null,
  answer json,
  created_at timestamp with time zone not null default now(),
  -- The accounts of the rows in the answer: a caller that has left one of them is refused the answer.
  accounts uuid[],
  -- Whether the answer's body is in `answer`.
  has_body boolean not null default false,

  constraint idempotency_keys_pkey primary key (caller, key)
);
create index idempotency_keys_by_created_at on builder.idempotency_keys (created_at);
create index idempotency_keys_with_a_body on builder.idempotency_keys (caller, created_at) where has_body;
alter table builder.idempotency_keys enable row level security;

-- When the sweep last ran without a failure: one row.
create table builder.sweeps (
  id boolean not null default true,
  succeeded_at timestamp with time zone not null default now(),

  constraint sweeps_pkey primary key (id),
  constraint there_is_one_row_of_the_sweep check (id)
);
alter table builder.sweeps enable row level security;
insert into builder.sweeps default values;

-- The owner's settings, each a time span:
-- remind_before: how long before the end of an offer its account is reminded; zero: never.
-- remove_deleted_after: how long deleted quotes and graphics are kept; without that row, forever.
create table builder.settings (
  name text not null,
  value interval not null,

  constraint settings_pkey primary key (name),
  constraint a_setting_is_not_negative check (value >= interval '0')
);
alter table builder.settings enable row level security;
insert into builder.settings values ('remind_before', interval '3 days');
