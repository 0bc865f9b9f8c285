/** Searches and pages of large rows whose cost is out of proportion to their result. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { sample } from '../setup/full-size.ts';
import { expectCheap } from './expect-cheap.ts';
import { query, store } from './quotes.ts';
import { useTarget } from './target.ts';

const words = (bytes: number) => Array.from({ length: bytes / 5 }, (_, n) => `w${n % 1000}`).join(' ');
const target = useTarget();
beforeAll(async () => {
  const { sql } = target.service;
  await sql`
    insert into builder.quotes (account_id, quote_number, product_id, sport, customization)
    select ${target.account}, 'QT-2026-00001', ${randomUUID()}, 'large', jsonb_build_object('a', repeat('x', 1000000))
    from generate_series(1, 300)`;
  await store(target, [
    { sport: 'words', customization: { a: words(900_000) } },
    { sport: 'digits', customization: { a: '9'.repeat(1_000_000) } },
  ]);
  for (let part = 0; part < 5; part++) {
    await sql`
      insert into builder.quotes (account_id, quote_number, product_id, sport, customization)
      select ${target.account}, 'QT-2026-00001', ${randomUUID()}, 'small', jsonb_build_object('a', n)
      from generate_series(1, 4000) as n`;
  }
  // With statistics, the planner compares values with those of the column.
  await sql`analyze builder.quotes`;
}, 120_000);

const repeat = (part: string, count: number, separator = ',') => Array(count).fill(part).join(separator);
const aliases = (count: number, field: string) =>
  Array.from({ length: count }, (_, n) => `c${n}:${field}`).join(',');
const deep = repeat('->a', 32, '');

const reads: [string, Record<string, string>, Record<string, string>?][] = [
  ['a page of three hundred megabytes', { sport: 'eq.large' }],
  ['a page of three hundred megabytes as CSV', { sport: 'eq.large' }, { accept: 'text/csv' }],
  ['its last row', { sport: 'eq.large', offset: '299', order: 'customization' }],
  ['large rows in the order of a step', { sport: 'eq.large', select: 'id', order: 'customization->a' }],
  [
    'large rows in the order of fifty steps',
    {
      sport: 'eq.large',
      select: 'id',
      order: Array.from({ length: 50 }, (_, n) => `customization->a->${n}`).join(','),
    },
  ],
  [
    'rows in the order of fifty whole snapshots',
    { sport: 'eq.large', select: 'id', order: repeat('customization', 50) },
  ],
  [
    'paths of 32 steps under a hundred aliases',
    { sport: 'eq.large', select: aliases(100, `customization${deep}`) },
  ],
  [
    '190 filters on a step',
    {
      select: 'id',
      sport: 'eq.large',
      or: `(${Array.from({ length: 190 }, (_, n) => `customization->>a.eq.${n}`).join(',')})`,
    },
  ],
  [
    '190 filters by pattern',
    {
      select: 'id',
      sport: 'eq.large',
      or: `(${Array.from({ length: 190 }, (_, n) => `customization->>a.like.*${n}y*`).join(',')})`,
    },
  ],
  ['a hundred groups', { sport: 'eq.large', select: `${aliases(99, 'customization->a')},count()` }],
  [
    'many groups of small rows',
    { sport: 'eq.small', select: `${aliases(90, 'customization->a')},id,count()` },
  ],
  ['sums of a cast', { sport: 'eq.digits', select: aliases(50, 'customization->>a::numeric.sum()') }],
  ['extremes of a step', { sport: 'eq.large', select: aliases(50, 'customization->>a.max()') }],
  ['words', { select: 'id', sport: 'eq.words', 'customization->>a': 'fts.w1&w2' }],
  [
    'thousands of words',
    { select: 'id', sport: 'eq.words', 'customization->>a': `fts.${repeat('w1', 3000, '&')}` },
  ],
  [
    'a phrase of thousands of words',
    { select: 'id', sport: 'eq.words', 'customization->>a': `phfts.${repeat('w1', 3000, ' ')}` },
  ],
  [
    'distances between words',
    { select: 'id', sport: 'eq.words', 'customization->>a': `fts.${repeat('w1', 1500, '<5>')}` },
  ],
  [
    '190 searches for words',
    {
      select: 'id',
      sport: 'eq.words',
      or: `(${repeat('customization->>a.fts(english).w1', 190)})`,
    },
  ],
  [
    'an exact count of large rows',
    { select: 'id', 'customization->>a': 'like.*yy*' },
    { prefer: 'count=exact' },
  ],
  ['a number of 131,072 digits', { select: 'id', unit_price: 'gt.1e131071' }],
  ['a thousand of those', { select: 'id', unit_price: `in.(${repeat('1e131071', 1000)})` }],
  ['a snapshot of those', { select: 'id', customization: `cs.{"a":[${repeat('1e131071', 1500)}]}` }],
  ['a thousand snapshots', { select: 'id', customization: `in.(${repeat('"{}"', 1000)})` }],
  ['steps into a column that is no JSON', { select: aliases(100, 'sport->a->b->c') }],
];

it.each(sample(6, reads))('%s', { timeout: 60_000 }, async (_, parameters, headers = {}) => {
  const path = `/rest/v1/quotes?${query(parameters)}`;
  expect(path.length).toBeLessThan(16_000);
  const asked = { ...target.callers.customer, ...headers };
  expectCheap(await target.attack([{ path, headers: asked }]), { mayTakeTooLong: true });
  expectCheap(await target.attack([{ method: 'HEAD', path, headers: asked }]), { mayTakeTooLong: true });
});

it('plans of staff', { timeout: 60_000 }, async () => {
  const accept = 'application/vnd.pgrst.plan+json; options=analyze|verbose|buffers|settings|wal';
  const tree = repeat('customization->>a.like.*y*', 150);
  const path = `/rest/v1/quotes?${query({ select: aliases(100, 'customization'), or: `(${tree})` })}`;
  expectCheap(await target.attack([{ path, headers: { ...target.callers.staff, accept } }]), {
    mayTakeTooLong: true,
  });
});
