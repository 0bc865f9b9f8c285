/**
 * Temporary files that a customer's request makes Postgres write, and its time with all its runs: of 120 quotes near the largest
 * design. Lists of usual designs are sent.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { limits } from '../../functions/common/limits.ts';
import { sample } from '../setup/full-size.ts';
import { budget } from './budget.ts';
import { insertQuotes, query } from './quotes.ts';
import { json, useTarget } from './target.ts';

const target = useTarget();

const design = (repeats: number) => `repeat(md5(n::text), ${repeats})`;

beforeAll(async () => {
  await insertQuotes(target, 'large', 120, design(30_600));
  await insertQuotes(target, 'usual', 120, design(640));
  await insertQuotes(target, 'short', 2, `repeat('x', ${limits.query.sortedBytes})`);
  await insertQuotes(target, 'long', 2, `repeat('x', ${limits.query.sortedBytes + 1})`);
  await insertQuotes(target, 'five', 5, design(31_000));
  await target.service.sql.begin(async sql => {
    await sql`set local session_replication_role = replica`;
    await sql`
      insert into builder.quote_offers
        (quote_id, account_id, number, unit_price, total_price, currency, product_id, sport, customization, created_as)
      select id, account_id, n, 1, 1, 'USD', product_id, sport, customization, 'staff'
      from builder.quotes, generate_series(1, case sport when 'five' then 40 else 1 end) n where sport in ('large', 'five')`;
  });
}, 180_000);

const aliases = (count: number, field: string) =>
  Array.from({ length: count }, (_, n) => `a${n}:${field}`).join();
const text = 'customization->>a';
const large = { sport: 'eq.large' };
const five = { sport: 'eq.five' };

interface Try {
  of?: string;
  parameters: Record<string, string>;
  headers?: Record<string, string>;
  method?: string;
  body?: object;
}

const offers = (columns: string) => `id,quote_offers(${columns})`;
const refused: Record<string, Try> = {
  'groups of four texts': { parameters: { ...large, select: `${aliases(4, text)},count()` } },
  'groups of designs': { parameters: { ...large, select: 'customization,count()' } },
  'eight designs in a row': { parameters: { ...large, select: aliases(8, 'customization') } },
  'eight texts in a row': { parameters: { ...large, select: aliases(8, text) } },
  'three designs in a row': { parameters: { ...large, select: aliases(3, 'customization') } },
  'all designs': { parameters: large },
  'eight texts in CSV': {
    parameters: { ...large, select: aliases(8, text) },
    headers: { accept: 'text/csv' },
  },
  'the order of designs': { parameters: { ...large, select: 'id', order: 'customization' } },
  'the order of texts': { parameters: { ...large, select: aliases(7, text), order: text } },
  'a list of designs': { parameters: { ...five, select: offers(aliases(8, text)), limit: '1' } },
  'a list of designs in an order': {
    parameters: { ...five, select: offers(aliases(8, text)), 'quote_offers.order': 'number.desc' },
  },
  'a list of groups': { parameters: { ...five, select: offers(`${text},count()`) } },
  'a list in the order of texts': {
    parameters: { ...five, select: offers('id'), 'quote_offers.order': text },
  },
  'groups of related rows': {
    of: 'quote_offers',
    parameters: { select: `count(),...quotes(${aliases(3, text)})` },
  },
  'a design for all quotes': {
    method: 'PATCH',
    body: { customization: { a: 'x'.repeat(900_000) } },
    parameters: { ...large, select: text },
    headers: { prefer: 'return=minimal' },
  },
  'what a change returns in an order': {
    method: 'PATCH',
    body: { company: 'Lions' },
    parameters: { ...large, select: aliases(8, text), order: 'created_at' },
  },
};

async function send({ of = 'quotes', parameters, headers, method = 'GET', body }: Try) {
  const before = await temporaryMegabytes();
  const reply = await target.sender.send({
    method,
    path: `/rest/v1/${of}?${query(parameters)}`,
    headers: { ...target.callers.customer, ...json, prefer: 'return=representation', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { ...reply, megabytes: (await temporaryMegabytes()) - before };
}

/** A backend reports what it has written at most once a second. */
async function temporaryMegabytes(): Promise<number> {
  await sleep(1500);
  const [row] = await target.service.sql`
    select temp_bytes::float8 / 1e6 as written from pg_stat_database where datname = current_database()`;
  return row?.['written'] ?? 0;
}

it.each(
  sample(4, Object.entries(refused)),
)('refuses %s before they are written to files', async (_, request) => {
  const { status, text, milliseconds, megabytes } = await send(request);
  expect([status, text]).toEqual([400, expect.stringContaining('"code":"54000"')]);
  expect(megabytes).toBeLessThan(budget.temporaryMegabytes);
  expect(milliseconds).toBeLessThan(budget.backendSeconds * 1000);
});

it.each<[string, Try]>([
  ['120 quotes of 20 KB', { parameters: { sport: 'eq.usual' } }],
  ['five quotes of 1 MB', { parameters: five }],
  [
    'a list of five designs in an order',
    {
      parameters: {
        ...five,
        limit: '1',
        select: offers(text),
        'quote_offers.order': 'number.desc',
        'quote_offers.limit': '2',
      },
    },
  ],
  ['groups by a short value', { parameters: { ...large, select: 'customization->>team,count()' } }],
  ['the order of a short value', { parameters: { ...large, select: 'id', order: 'customization->>team' } }],
])('sends %s without files', async (_, request) => {
  const { status, text, megabytes } = await send(request);
  expect([status, text.slice(0, 1)], text).toEqual([200, '[']);
  expect(megabytes).toBeLessThan(1);
});

it('the refusal of a long value names its field', async () => {
  const { text: error } = await send({
    parameters: { ...large, select: `team:customization->b->>a,${text},count()` },
  });
  expect(JSON.parse(error)).toEqual({
    code: '54000',
    message: 'A value of customization->>a is too long to sort or group by it',
    details: 'At most 4096 bytes are accepted.',
    hint: 'Sort or group by a shorter part of it, or by another column.',
  });
});

it('rows are sorted and grouped by values up to the limit, and not by one beyond', async () => {
  for (const parameters of [{ select: 'id', order: text }, { select: `${text},count()` }]) {
    const statuses = [];
    for (const sport of ['short', 'long']) {
      const path = `/rest/v1/quotes?${query({ ...parameters, sport: `eq.${sport}` })}`;
      statuses.push((await target.sender.send({ path, headers: target.callers.customer })).status);
    }
    expect(statuses).toEqual([200, 400]);
  }
});
