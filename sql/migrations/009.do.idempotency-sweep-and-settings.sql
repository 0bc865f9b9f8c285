-- Recorded responses, the sweep's last run, and the owner's settings.

-- The responses to POSTs with an Idempotency-Key (code/idempotency.sql).
create table builder.idempotency_keys (
  -- Two callers may use the same key.
  caller text not null,
  key text not null,
  -- The hash of the request.
  fingerprint text not null,
  response json,
  created_at timestamp with time zone not null default now(),
  -- The accounts of the rows in the response. A caller that has left one of them doesn't get the response.
  accounts uuid[],
  -- Whether `response` has its body.
  has_body boolean not null default false,

  constraint idempotency_keys_pkey primary key (caller, key)
);
create index idempotency_keys_by_created_at on builder.idempotency_keys (created_at);
create index idempotency_keys_with_a_body on builder.idempotency_keys (caller, created_at) where has_body;
alter table builder.idempotency_keys enable row level security;

-- When the sweep last succeeded: one row.
create table builder.sweeps (
  id boolean not null default true,
  succeeded_at timestamp with time zone not null default now(),

  constraint sweeps_pkey primary key (id),
  constraint there_is_one_row check (id)
);
alter table builder.sweeps enable row level security;
insert into builder.sweeps default values;

-- Time spans that the owner edits.
--   remind_before: how long before the end of an offer its account gets a reminder; zero: never
--   remove_deleted_after: how long deleted quotes and graphics are kept; without this row, forever
create table builder.settings (
  name text not null,
  value interval not null,

  constraint settings_pkey primary key (name),
  constraint value_is_not_negative check (value >= interval '0')
);
alter table builder.settings enable row level security;
insert into builder.settings values ('remind_before', interval '3 days');
