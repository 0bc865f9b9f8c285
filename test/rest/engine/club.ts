/** An invented schema, which shares no name of a table or a column with the service's: the chess clubs' players, matches and bulletins. */
import { defineCollection, fixed, nullable, required } from '../../../schema/collection.ts';
import { defineFunction } from '../../../schema/function.ts';
import { bigint, boolean, integer, oneOf, text, timestamptz, uuid } from '../../../schema/types.ts';

const everyday = { customer: ['select', 'insert', 'update'] } as const;
const readable = { customer: ['select'] } as const;

export const players = defineCollection({
  name: 'players',
  meaning: 'Who plays for a club.',
  primaryKey: 'handle',
  owner: { column: 'club', listedBy: 'joined', readable: ['clubs_of_caller'] },
  softDelete: 'departed',
  changedAt: 'touched',
  checks: {},
  deletableBy: ['customer', 'staff'],
  restorableBy: ['staff'],
  references: [{ constraint: 'players_coach_fkey', column: 'coach', to: 'players', nullableBy: 'coach' }],
  columns: {
    handle: required(text(100), 'Handle.', { ...fixed, customer: ['select', 'insert'], example: 'Anna' }),
    club: required(uuid, 'Club.', { ...everyday, example: 'c0000000-0000-4000-8000-000000000001' }),
    coach: nullable(text(100), 'Coach.', everyday),
    rating: nullable(integer, 'Rating, for staff.'),
    biography: nullable(text(65_536), 'Biography.', everyday),
    joined: required(timestamptz, 'When the player joined.', { ...readable, default: 'now()' }),
    touched: required(timestamptz, 'When the player was changed.', { ...readable, default: 'now()' }),
    departed: nullable(timestamptz, 'When the player left.', readable),
  },
});

export const matches = defineCollection({
  name: 'matches',
  meaning: 'Two players meet.',
  primaryKey: 'round',
  owner: { column: 'club', listedBy: 'round', readable: ['clubs_of_caller', 'open_clubs'] },
  changedAt: 'seen',
  softDelete: 'annulled',
  showsDeleted: true,
  readOnly: 'Play again: rematch.',
  judged: ['outcome', 'seen'],
  checks: {},
  deletableBy: ['staff'],
  references: [
    { constraint: 'matches_white_fkey', column: 'white', to: 'players', nullableBy: 'outcome' },
    { constraint: 'matches_black_fkey', column: 'black', to: 'players', nullableBy: 'outcome' },
  ],
  columns: {
    round: required(bigint, 'Round.', {
      ...fixed,
      ...readable,
      default: "nextval('builder.matches_round_seq')",
    }),
    club: required(uuid, 'Club.', { ...readable, example: 'c0000000-0000-4000-8000-000000000001' }),
    white: required(text(100), 'White.', { ...readable, example: 'Anna' }),
    black: required(text(100), 'Black.', { ...readable, example: 'anna' }),
    outcome: nullable(oneOf('white', 'black', 'draw'), 'Who won.', { customer: ['select', 'update'] }),
    seen: required(timestamptz, 'When it was changed.', { ...readable, default: 'now()' }),
    annulled: nullable(timestamptz, 'When it was annulled.', readable),
  },
});

export const bulletins = defineCollection({
  name: 'bulletins',
  meaning: 'What everybody reads.',
  primaryKey: 'slug',
  views: { customer: 'bulletins_of_customer' },
  checks: {},
  deletableBy: ['staff'],
  cached: { audiences: ['anon'], seconds: 7, setting: 'BULLETIN_SECONDS' },
  columns: {
    slug: required(text(100), 'Slug.', { ...fixed, anon: ['select'], ...readable, example: 'open-day' }),
    headline: required(text(500), 'Headline.', { anon: ['select'], ...readable, example: 'Open day' }),
    noticed: required(boolean, 'Whether the caller has read it.', {
      anon: ['select'],
      customer: ['select', 'update'],
      default: 'false',
    }),
  },
});

export const collections = [players, matches, bulletins];

export const functions = [
  defineFunction({
    name: 'introduce',
    about: players,
    summary: 'Introduce a player',
    meaning: 'Returns a sentence.',
    audiences: ['staff'],
    args: {
      one: required(text(100), 'A player.'),
      times: nullable(integer, 'How often.', { default: '2' }),
    },
    returns: { value: required(text(500), 'The sentence.') },
    repeatable: true,
    writes: false,
  }),
  defineFunction({
    name: 'rematch',
    about: matches,
    summary: 'Play again',
    meaning: 'Makes another match of the same players.',
    audiences: ['customer', 'staff'],
    args: {
      round: required(bigint, 'The match.'),
      swapped: nullable(boolean, 'Whether they change colours.', { default: 'false' }),
    },
    returns: { row: matches },
    repeatable: false,
    writes: true,
  }),
  defineFunction({
    name: 'bet',
    about: matches,
    summary: 'Bet on a match',
    meaning: 'Returns the odds.',
    audiences: ['customer'],
    args: { round: required(bigint, 'The match.'), stake: required(integer, 'How much.') },
    returns: {
      object: { odds: required(integer, 'The odds.'), ticket: required(text(100), 'The ticket.') },
    },
    repeatable: true,
    writes: false,
  }),
];

export const tables = `
create table builder.players (
  handle text primary key,
  club uuid not null,
  coach text constraint players_coach_fkey references builder.players,
  rating integer,
  biography text constraint players_biography_check check (octet_length(biography) <= 65536),
  joined timestamptz not null default now(),
  touched timestamptz not null default now(),
  departed timestamptz
);
create index on builder.players (club, joined desc, handle);
create table builder.matches (
  round bigserial primary key,
  club uuid not null,
  white text not null constraint matches_white_fkey references builder.players,
  black text not null constraint matches_black_fkey references builder.players,
  outcome text constraint matches_outcome_check check (outcome in ('white', 'black', 'draw')),
  seen timestamptz not null default now(),
  annulled timestamptz
);
create table builder.bulletins (slug text primary key, headline text not null, noticed boolean not null default false);
create table builder.notices (slug text references builder.bulletins on delete cascade, reader uuid, primary key (slug, reader));
create view builder.bulletins_of_customer with (security_invoker = true) as
  select b.slug, b.headline, n.reader is not null as noticed, b.xmin::text::bigint + coalesce(n.xmin::text::bigint, 0) as xmin
  from builder.bulletins b
    left join builder.notices n on n.slug = b.slug and n.reader = (select builder.caller_id());

create function builder.clubs_of_caller() returns uuid[] language sql stable as 'select builder.caller_account_ids()';
create function builder.open_clubs() returns uuid[] language sql stable
  as $$ select array['c0000000-0000-4000-8000-000000000009'::uuid] $$;

create function builder.touch() returns trigger language plpgsql as $$
begin
  new.touched := clock_timestamp();
  return new;
end $$;
create trigger touch before update on builder.players for each row execute function builder.touch();

create function builder.judge_outcome() returns trigger language plpgsql as $$
begin
  if new.outcome is distinct from old.outcome and (
    current_setting('request.rows', true) is distinct from 'one'
    or not 'seen' = any (string_to_array(concat_ws(',', current_setting('request.compared', true), current_setting('request.columns', true)), ','))
  ) then
    raise sqlstate 'PT409' using message = 'The outcome needs the version of the match',
      hint = format('PATCH /matches?round=eq.%s&seen=eq.<seen>', old.round);
  end if;
  new.seen := clock_timestamp();
  return new;
end $$;
create trigger judge_outcome before update on builder.matches for each row execute function builder.judge_outcome();

create function builder.notice() returns trigger language plpgsql as $$
begin
  if new.noticed then
    insert into builder.notices values (old.slug, builder.caller_id()) on conflict do nothing;
  else
    delete from builder.notices n where n.slug = old.slug and n.reader = builder.caller_id();
  end if;
  select * into new from builder.bulletins_of_customer b where b.slug = old.slug;
  return new;
end $$;
create trigger notice instead of update on builder.bulletins_of_customer
  for each row execute function builder.notice();
create function builder.lock_bulletins_of_customer(keys text[]) returns setof text language sql
  as 'select unnest(keys)';

create function builder.introduce(one text, times integer default 2) returns text
  language sql as 'select repeat(format(''"%s", '', one), times)';
create function builder.bet(round bigint, stake integer) returns json language plpgsql as $$
begin
  if stake < 1 then
    raise check_violation using column = 'stake', detail = 'at least 1';
  end if;
  return json_build_object('odds', 7);
end $$;
create function builder.rematch(round bigint, swapped boolean default false) returns bigint language plpgsql security definer as $$
declare
  made bigint;
begin
  insert into builder.matches (club, white, black)
    select m.club, case when swapped then m.black else m.white end, case when swapped then m.white else m.black end
    from builder.matches m where m.round = rematch.round
      and (builder.caller_kind() <> 'customer' or m.club = any (builder.caller_account_ids()))
    returning matches.round into made;
  if made is null then
    raise sqlstate 'PT404' using message = 'There is no such match';
  end if;
  return made;
end $$;

do $$
declare
  one text;
begin
  foreach one in array array['players', 'matches', 'bulletins', 'notices'] loop
    execute format('alter table builder.%I enable row level security', one);
    execute format('create policy staff on builder.%I to builder_staff using (true) with check (true)', one);
    execute format('create policy readers on builder.%I for select to builder_reader using (true)', one);
  end loop;
end $$;
create policy customers on builder.players to builder_customer
  using (club = any ((select builder.clubs_of_caller())::uuid[]))
  with check (club = any ((select builder.clubs_of_caller())::uuid[]));
create policy customers on builder.matches to builder_customer
  using (club = any ((select builder.clubs_of_caller() || builder.open_clubs())::uuid[]));
create policy everybody on builder.bulletins for select to builder_anon, builder_customer using (true);
create policy customers on builder.notices to builder_customer using (reader = builder.caller_id());
grant select (handle, club, coach, biography, joined, touched, departed, xmin, xmax), insert (handle, club, coach, biography),
  update (club, coach, biography, departed), delete on builder.players to builder_customer;
grant select, update (outcome) on builder.matches to builder_customer;
grant select on builder.bulletins to builder_anon, builder_customer;
grant select, insert, delete on builder.notices to builder_customer;
grant select, update (noticed) on builder.bulletins_of_customer to builder_customer;
grant select, insert, update, delete on builder.players, builder.matches, builder.bulletins to builder_staff;
grant usage on sequence builder.matches_round_seq to builder_staff;
grant execute on function builder.introduce(text, integer) to builder_staff;
grant execute on function builder.bet(bigint, integer) to builder_customer;
grant execute on function builder.rematch(bigint, boolean) to builder_customer, builder_staff;
grant execute on function builder.lock_bulletins_of_customer(text[]) to builder_customer;
`;
