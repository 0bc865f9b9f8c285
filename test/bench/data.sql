-- 100,000 quotes, each with about 1 KB of customization, 100 to an account.
insert into builder.quotes (
  id, account_id, quote_number, product_id, sport, customization, status, roster_count, created_at, expires_at
)
select
  ('10000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid,
  ('a0000000-0000-4000-8000-' || lpad(((n - 1) % 1000)::text, 12, '0'))::uuid,
  'QT-2026-' || lpad((n % 100000)::text, 5, '0'),
  gen_random_uuid(),
  (array['baseball', 'basketball', 'soccer', 'hockey'])[1 + n % 4],
  jsonb_build_object(
    'team', 'Team ' || n,
    'colors', jsonb_build_object('primary', '#ff0000', 'secondary', '#ffffff'),
    'players', (
      select jsonb_agg(jsonb_build_object('name', 'Player ' || n || '-' || p, 'number', p, 'size', 'M'))
      from generate_series(1, 16) p
    )
  ),
  (array['draft', 'submitted'])[1 + n % 2],
  n % 30,
  now() - n * interval '1 second',
  now() + interval '1 year'
from generate_series(1, 100000) n
