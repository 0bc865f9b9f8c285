/**
 * With many rows, a customer's usual requests use an index, despite row level security: with their values in the text and
 * as prepared statements. Checks plans, not times. Lists are in list-plans.service.test.ts.
 */
import { beforeAll, expect, it, vi } from 'vitest';
import type { Caller } from '../../../functions/caller/caller.ts';
import { argumentsOf, inlined, shapeOf } from '../../../functions/database/render-sql.ts';
import { messageOf } from '../../../functions/rest/statement/statement.ts';
import { graphics } from '../../../schema/graphics.ts';
import { quotes } from '../../../schema/quotes.ts';
import { useDatabase } from '../../setup/database.ts';
import { useLogin } from '../../sql/use-login.ts';
import { planned, type TestRequest } from '../plan/plan-of.ts';

const account = 'a0000000-0000-4000-8000-000000000007';
const id = '10000000-0000-4000-8000-000000000007';
const customer: Caller = {
  kind: 'customer',
  audience: 'customer',
  claims: { role: 'authenticated', sub: account, app_metadata: {} },
};

const database = useDatabase();
const connection = useLogin(() => database.ownerUrl);
beforeAll(async () => {
  // Vacuum takes rows for visible to all only once their commit is on the disk.
  await connection.unsafe('set synchronous_commit = on');
  await connection.unsafe(`
    insert into builder.quotes (id, account_id, quote_number, product_id, sport, customization, created_at, expires_at)
    select ('10000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid,
      ('a0000000-0000-4000-8000-' || lpad((n % 500)::text, 12, '0'))::uuid,
      'QT-2026-' || lpad(n::text, 5, '0'), gen_random_uuid(), 'golf', '{}', now() - n * interval '1 minute',
      now() + interval '1 year'
    from generate_series(1, 20000) n;
    insert into builder.graphics (name, code, file_url, file_format)
    select 'x', 'G-' || n, 'https://x.test', 'svg' from generate_series(1, 5000) n`);
  // As autovacuum does. An index alone can be read only where all rows of a page are known to be visible to all: not
  // those that are newer than a snapshot which autovacuum itself holds meanwhile.
  await vi.waitFor(
    async () => {
      await connection.unsafe('vacuum analyze builder.quotes, builder.graphics');
      const unseen = await connection.unsafe(`
        select relname from pg_class where relnamespace = 'builder'::regnamespace
          and relname in ('quotes', 'graphics') and relallvisible < relpages`);
      expect(unseen).toEqual([]);
    },
    { timeout: 60_000, interval: 500 },
  );
});

type Request = Omit<TestRequest, 'as' | 'headers'>;

/** The statements of a request's message: the session's, and the one that is planned. */
function statementsOf(request: Request) {
  const headers = { 'content-type': 'application/json', prefer: 'count=exact' };
  return messageOf(planned({ as: customer, headers, ...request })).statements;
}

const run = async (text: string): Promise<string> => {
  const results = await connection.unsafe(text).simple();
  return (results.at(-1) as unknown as Record<string, string>[]).map(row => row['QUERY PLAN']).join('\n');
};

/** The plan of the message itself, run as the customer. */
async function explain(request: Request): Promise<string> {
  const [session, statement] = statementsOf(request).map(inlined);
  return run(`${session};\nexplain (costs off) ${statement}`);
}

/** The plan of the prepared statement after ten executions, when Postgres has chosen between its two kinds of plans. */
async function explainPrepared(request: Request): Promise<string> {
  const [session, statement] = statementsOf(request);
  if (session === undefined || statement === undefined) {
    throw new Error('The message has two statements');
  }
  const execute = `execute p${argumentsOf(statement)}`;
  await connection.unsafe(`${inlined(session)};\nprepare p as ${shapeOf(statement)}`).simple();
  for (let times = 0; times < 10; times++) {
    await connection.unsafe(`begin; ${inlined(session)};\n${execute}; rollback`).simple();
  }
  const plan = await run(`${inlined(session)};\nexplain (costs off) ${execute}`);
  await connection.unsafe('deallocate p');
  return plan;
}

const byId = { of: quotes, query: `id=eq.${id}` };
const ofQuotes = (query: string): Request => ({ of: quotes, query });

it.each<[what: string, index: string, request: Request]>([
  ['a quote by id', 'quotes_pkey', byId],
  ['a quote by its number', 'quotes_by_quote_number', ofQuotes('quote_number=eq.QT-2026-00007')],
  ['a graphic by its code', 'graphics_code_key', { of: graphics, query: 'code=eq.G-77' }],
  ['a quote to change', 'quotes_pkey', { ...byId, method: 'PATCH', body: { company: 'Lions' } }],
  ['a quote to delete', 'quotes_pkey', { ...byId, method: 'DELETE' }],
])('a customer finds %s by the index %s, and reads no table whole', async (_, index, request) => {
  for (const plan of [await explain(request), await explainPrepared(request)]) {
    expect(plan).toContain(index);
    expect(plan).not.toContain('Seq Scan');
  }
});

it('a customer has its quotes counted from an index alone', async () => {
  for (const query of ['select=id&limit=1', 'select=id&limit=1&status=eq.draft']) {
    for (const plan of [await explain(ofQuotes(query)), await explainPrepared(ofQuotes(query))]) {
      expect(plan).toContain('Index Only Scan using quotes_of_an_account_with_status');
    }
  }
});

it('groups are sorted, as their order could reveal rows that the caller cannot see', async () => {
  expect(await explain({ of: graphics, query: 'select=name,count()' })).toMatch(/Sort Key: .*HashAggregate/s);
});

// Before Postgres 17, a plan names the result of an InitPlan `$1`.
it('a customer has its accounts looked up once per statement, not once per row', async () => {
  expect(await explain(ofQuotes('limit=20'))).toMatch(/account_id = ANY \((\(InitPlan \d+\)|\$\d)/);
});
