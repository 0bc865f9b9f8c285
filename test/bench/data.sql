-- 100,000 quotes of 1,000 accounts, each with about 1 KB of customization, and 200 graphics.
insert into builder.quotes (
  id, account_id, quote_number, product_id, sport, customization, status, roster_count, created_at, expires_at
)
select
  ('10000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid,
  ('a0000000-0000-4000-8000-' || lpad((n % 1000)::text, 12, '0'))::uuid,
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
  now() - n * interval '1 minute',
  now() + interval '1 year'
from generate_series(1, 100000) n;

insert into builder.graphics (name, code, file_url, file_format, tags, sort_order)
select
  'Graphic ' || n, 'GRAPHIC-' || n, 'https://cdn.example.com/library/graphic-' || n || '.svg', 'svg',
  array['tag-' || n % 10], n
from generate_series(1, 200) n;

vacuum analyze;
