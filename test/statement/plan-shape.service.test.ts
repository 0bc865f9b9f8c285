/**
 * With many rows, a customer's usual requests use an index, despite row level security: with their values in the text and
 * as prepared statements. Checks plans, not times.
 */
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Caller } from '../../functions/caller/caller.ts';
import type { Method } from '../../functions/request/request.ts';
import { argumentsOf, inlined, shapeOf } from '../../functions/statement/render.ts';
import { messageOf } from '../../functions/statement/statement.ts';
import type { Collection } from '../../schema/collection.ts';
import { graphics } from '../../schema/graphics.ts';
import { notifications } from '../../schema/notifications.ts';
import { quotes } from '../../schema/quotes.ts';
import { planParsed } from '../plan/plan-of.ts';
import { parseRequest } from '../request/parse.ts';
import { useDatabase } from '../setup/database.ts';

const account = 'a0000000-0000-4000-8000-000000000007';
const id = '10000000-0000-4000-8000-000000000007';
const customer: Caller = {
  kind: 'customer',
  audience: 'customer',
  claims: { role: 'authenticated', sub: account, app_metadata: {} },
};

const database = useDatabase();
let connection: Sql;
beforeAll(async () => {
  // Vacuum takes rows for visible to all only once their commit is on the disk.
  connection = postgres(database.ownerUrl, { max: 1, connection: { synchronous_commit: 'on' } });
  await connection.unsafe(`
    insert into builder.quotes (id, account_id, quote_number, product_id, sport, customization, created_at, expires_at)
    select ('10000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid,
      ('a0000000-0000-4000-8000-' || lpad((n % 500)::text, 12, '0'))::uuid,
      'QT-2026-' || lpad(n::text, 5, '0'), gen_random_uuid(), 'golf', '{}', now() - n * interval '1 minute',
      now() + interval '1 year'
    from generate_series(1, 20000) n;
    insert into builder.notifications (account_id, body, dismissed, created_at)
    select ('a0000000-0000-4000-8000-' || lpad((n % 500)::text, 12, '0'))::uuid, 'x', false, now() - n * interval '1 minute'
    from generate_series(1, 20000) n;
    insert into builder.graphics (name, code, file_url, file_format)
    select 'x', 'G-' || n, 'https://x.test', 'svg' from generate_series(1, 5000) n`);
  // As autovacuum does. An index alone can be read only where all rows of a page are known to be visible to all: not
  // those that are newer than a snapshot which autovacuum itself holds meanwhile.
  await vi.waitFor(
    async () => {
      await connection`vacuum analyze builder.quotes, builder.notifications, builder.graphics`;
      const unseen = await connection`
      select relname from pg_class where relnamespace = 'builder'::regnamespace
        and relname in ('quotes', 'notifications', 'graphics') and relallvisible < relpages`;
      expect(unseen).toEqual([]);
    },
    { timeout: 60_000, interval: 500 },
  );
});
afterAll(async () => {
  await connection.end();
});

/** The statements of a request's message: the session's, and the one that is planned. */
function statementsOf(method: Method, collection: Collection, query: string, body: string) {
  const headers: Record<string, string> = { 'content-type': 'application/json', prefer: 'count=exact' };
  const request = parseRequest({ method, query, header: name => headers[name] ?? null, body });
  const plan = request.ok ? planParsed(request.value, collection, customer) : request;
  if (!plan.ok) {
    throw new Error(JSON.stringify(plan.failure));
  }
  return messageOf(plan.value).statements;
}

const run = async (text: string): Promise<string> => {
  const results = await connection.unsafe(text).simple();
  return (results.at(-1) as unknown as Record<string, string>[]).map(row => row['QUERY PLAN']).join('\n');
};

/** The plan of the message itself, run as the customer. */
async function explain(method: Method, collection: Collection, query: string, body = ''): Promise<string> {
  const [session, statement] = statementsOf(method, collection, query, body).map(inlined);
  return run(`${session};\nexplain (costs off) ${statement}`);
}

/** The plan of the prepared statement after ten executions, when Postgres has chosen between its two kinds of plans. */
async function explainPrepared(method: Method, of: Collection, query: string, body = ''): Promise<string> {
  const [session, statement] = statementsOf(method, of, query, body);
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

type Usual = [what: string, method: Method, of: Collection, query: string, index: string, body?: string];
const numbered = 'quote_number=eq.QT-2026-00007';
const keyset = `and=(created_at.lte.2100-01-01,or(created_at.lt.2100-01-01,id.gt.${id}))`;
const unread = 'dismissed=is.false&order=created_at.desc&limit=20';
const usual: Usual[] = [
  ['a quote by id', 'GET', quotes, `id=eq.${id}`, 'quotes_pkey'],
  ['its quotes, the newest first', 'GET', quotes, 'order=created_at.desc&limit=20', 'quotes_of_an_account'],
  ['a page by keyset', 'GET', quotes, `order=created_at.desc,id&limit=20&${keyset}`, 'quotes_of_an_account'],
  ['its drafts', 'GET', quotes, 'status=eq.draft&order=updated_at.desc&limit=20', 'quotes_of_an_account'],
  ['quotes with a number', 'GET', quotes, `${numbered}&order=created_at.desc`, 'quotes_by_quote_number'],
  ['a quote by its number', 'GET', quotes, numbered, 'quotes_by_quote_number'],
  ['its notifications', 'GET', notifications, unread, 'notifications_of_an_account'],
  ['a graphic by its code', 'GET', graphics, 'code=eq.G-77', 'graphics_code_key'],
  ['changing a quote', 'PATCH', quotes, `id=eq.${id}`, 'quotes_pkey', '{"company":"Lions"}'],
  ['deleting a quote', 'DELETE', quotes, `id=eq.${id}`, 'quotes_pkey'],
];

describe('a customer', () => {
  it.each(
    usual,
  )('finds %s by an index, and reads no table whole', async (_, method, collection, query, index, body) => {
    const request = [method, collection, query, body] as const;
    for (const shape of [await explain(...request), await explainPrepared(...request)]) {
      expect(shape).toContain(index);
      expect(shape).not.toContain('Seq Scan');
    }
  });

  it('has its quotes counted from an index alone', async () => {
    const index = 'Index Only Scan using quotes_of_an_account_with_status';
    for (const query of ['select=id&limit=1', 'select=id&limit=1&status=eq.draft']) {
      expect(await explain('GET', quotes, query)).toContain(index);
      expect(await explainPrepared('GET', quotes, query)).toContain(index);
    }
  });

  it('has its accounts looked up once per statement, not once per row', async () => {
    const shape = await explain('GET', quotes, 'limit=20');
    expect(shape).toMatch(/account_id = ANY \(\(InitPlan \d+\)/);
  });
});
