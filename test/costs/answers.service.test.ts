/** Responses that would be many times as large as the stored rows: a column under many aliases, many rows of a megabyte. */
import { beforeAll, it } from 'vitest';
import { sample } from '../setup/full-size.ts';
import { expectCheap } from './expect-cheap.ts';
import { query, store } from './quotes.ts';
import { useTarget } from './target.ts';

const target = useTarget();
beforeAll(async () => {
  await store(
    target,
    Array.from({ length: 15 }, () => ({ customization: { a: 'x'.repeat(1_000_000) } })),
  );
});

const aliased = (count: number, field: string) =>
  Array.from({ length: count }, (_, n) => `c${n}:${field}`).join(',');

const answers: [string, string, Record<string, string>][] = [
  ['40 aliases', aliased(40, 'customization'), {}],
  ['40 aliases of a step into it', aliased(40, 'customization->>a'), {}],
  ['100 aliases of a step into it', aliased(100, 'customization->a'), {}],
  ['40 aliases as CSV', aliased(40, 'customization'), { accept: 'text/csv' }],
  [
    '40 aliases without nulls',
    aliased(40, 'customization'),
    { accept: 'application/vnd.pgrst.array+json;nulls=stripped' },
  ],
  ['40 aliases as groups', `${aliased(40, 'customization')},count()`, {}],
  ['40 extremes', aliased(40, 'customer_notes.max()'), {}],
  ['4 aliases', aliased(4, 'customization'), {}],
  ['each once', 'customization', {}],
];

/** At the limits of a response and of a row, and just above: building a row takes many times its bytes. */
const rows: [string, Record<string, string>][] = [
  ['seven aliases of one row', { select: aliased(7, 'customization->>a'), limit: '1' }],
  ['seven aliases of two rows', { select: aliased(7, 'customization->>a'), limit: '2' }],
  ['four aliases of three rows', { select: aliased(4, 'customization->>a'), limit: '3' }],
  [
    'two aliases of seven rows in the order of a step',
    { select: aliased(2, 'customization->>a'), limit: '7', order: 'customization->a' },
  ],
];

it.each(sample(3, answers))(
  '%s of fifteen rows of a megabyte',
  { timeout: 120_000 },
  async (_, select, headers) => {
    expectCheap(
      await target.attack([
        { path: `/rest/v1/quotes?${query({ select })}`, headers: { ...target.callers.customer, ...headers } },
      ]),
    );
  },
);

it.each(sample(2, rows))('%s of a megabyte', { timeout: 120_000 }, async (_, parameters) => {
  const path = `/rest/v1/quotes?${query(parameters)}`;
  expectCheap(await target.attack([{ path, headers: target.callers.customer }]));
});

it('40 aliases, sixty times at once', { timeout: 180_000 }, async () => {
  const path = `/rest/v1/quotes?${query({ select: aliased(40, 'customization') })}`;
  const one = { path, headers: target.callers.customer };
  expectCheap(await target.attack(Array(60).fill(one), 60));
});
