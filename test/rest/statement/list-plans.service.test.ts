/**
 * Lists, page by page, read about as many rows as they return, on every version of Postgres: also for an account of many
 * rows among thousands of small ones, for which Postgres estimates one row. Checks rows that were read, not times.
 */
import { join } from 'node:path';
import postgres, { type Sql } from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../../functions/caller/caller.ts';
import { argumentsOf, inlined, shapeOf } from '../../../functions/database/render-sql.ts';
import type { PostgresServer } from '../../../functions/local/postgres.ts';
import { messageOf } from '../../../functions/rest/statement/statement.ts';
import type { Collection } from '../../../schema/collection.ts';
import { graphics } from '../../../schema/graphics.ts';
import { notifications } from '../../../schema/notifications.ts';
import { quote_events } from '../../../schema/quote_events.ts';
import { quotes } from '../../../schema/quotes.ts';
import { loginUrl } from '../../../sql/login-passwords.ts';
import { migrate } from '../../../sql/migrate.ts';
import { asOwner } from '../../setup/as-owner.ts';
import { isFullSize } from '../../setup/full-size.ts';
import { startTestPostgres, versions } from '../../setup/postgres.ts';
import { makeDirectoryInMemory } from '../../setup/temporary-directory.ts';
import { planned } from '../plan/plan-of.ts';

const account = (n: number): string => `a0000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const quote = '10000000-0000-4000-8000-000000020000';

/** Account 0 has 24,000 rows of each table but the library, 1 and 2 have 500, and 1,000 others have two. Half of the quotes have offers. */
const rows = `
  select n, ('10000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid as id,
    ('a0000000-0000-4000-8000-' || lpad((case when n <= 2000 then n % 1000 + 3 when n <= 3000 then 1 + n % 2 else 0 end)::text,
      12, '0'))::uuid as account_id,
    '2026-01-01'::timestamptz + hashint4(n) % 1000000 * interval '10 s' as created_at,
    (array['draft', 'submitted', 'approved', 'rejected'])[1 + abs(hashint4(n) / 7) % 4] as status
  from generate_series(1, 27000) n`;

/** Without triggers, as pg_restore does it. */
const fill = `
  set session_replication_role = replica;
  insert into builder.quotes (id, account_id, created_at, status, quote_number, product_id, sport, customization)
    select id, account_id, created_at, status, 'QT-2026-' || lpad(n::text, 5, '0'), id, 'golf', '{}' from (${rows}) as rows;
  insert into builder.notifications (account_id, created_at, body, dismissed)
    select account_id, created_at, 'x', n % 3 = 0 from (${rows}) as rows;
  insert into builder.quote_events (quote_id, account_id, created_at, event, status, currency, created_as)
    select id, account_id, created_at, 'quote.' || status, status, 'USD', 'staff' from (${rows}) as rows, generate_series(1, 3);
  insert into builder.quote_offers (quote_id, account_id, number, currency, product_id, sport, customization, created_as)
    select id, account_id, number, 'USD', id, 'golf', '{}', 'staff' from (${rows}) as rows, generate_series(1, 2) number where n % 2 = 0;
  insert into builder.graphics (id, name, code, file_url, file_format, category_id, sort_order, is_active)
    select id, 'x', 'G-' || n, 'https://x.test', 'svg', ('a0000000-0000-4000-8000-' || lpad((n % 20)::text, 12, '0'))::uuid,
      n / 20, n % 9 > 0 from (${rows}) as rows where n <= 8000;
  set session_replication_role = default;
  -- A sample is the whole table, so that estimates do not depend on chance.
  set default_statistics_target = 300;
  analyze builder.quotes, builder.notifications, builder.quote_events, builder.quote_offers, builder.graphics`;

const customer = (own: number, teams: number[] = []): Caller => ({
  kind: 'customer',
  audience: 'customer',
  claims: { role: 'authenticated', sub: account(own), app_metadata: { account_ids: teams.map(account) } },
});
const callers: Record<string, Caller> = {
  'a customer of one account': customer(0),
  'a customer of a small account': customer(77),
  'a customer of several accounts': customer(1, [0, 2, 77]),
  staff: { kind: 'staff', audience: 'staff' },
  'a read key': { kind: 'reader', audience: 'reader' },
};
const customers = Object.keys(callers).filter(name => name.startsWith('a customer'));
/** A caller of each kind of policy: what all versions plan. The others are planned by the newest one. */
const mainCallers = ['a customer of several accounts', 'staff'];

const keyset = `and=(created_at.lte.2026-01-01,or(created_at.lt.2026-01-01,id.gt.${quote}))`;
const lists: [what: string, of: Collection, query: string, who?: string[]][] = [
  ['the newest quotes', quotes, 'order=created_at.desc'],
  ['the newest quotes of a state', quotes, 'order=created_at.desc&status=eq.submitted'],
  ['the oldest quotes', quotes, 'order=created_at'],
  ['the oldest quotes of a state', quotes, 'order=created_at,id&status=eq.submitted'],
  ['the quotes since a time', quotes, 'order=created_at.desc&created_at=gte.2026-01-01'],
  ['a further page of quotes', quotes, `order=created_at.desc,id&${keyset}`],
  ['the newest quotes of a named account', quotes, `order=created_at.desc&account_id=eq.${account(0)}`],
  [
    'the newest quotes with what belongs to them',
    quotes,
    'select=*,quote_events(*),quote_offers(*)&order=created_at.desc',
  ],
  ['the newest quotes with an event', quotes, 'select=id,quote_events!inner(event)&order=created_at.desc'],
  [
    'the newest quotes with their last event and an offer',
    quotes,
    'select=id,quote_events(event),quote_offers(number)&order=created_at.desc&quote_events.order=id.desc&quote_events.limit=1&quote_offers.number=eq.2',
  ],
  [
    'the newest quotes with a history in the order of an index of all history, and offers below it',
    quotes,
    'select=id,quote_events(event,quotes(quote_offers(number)))&order=created_at.desc&quote_events.order=account_id,created_at.desc',
  ],
  [
    'the newest quotes that were rejected',
    quotes,
    'select=id,quote_events!inner(event)&quote_events.event=eq.quote.rejected&order=created_at.desc',
  ],
  [
    'the newest quotes without an offer',
    quotes,
    'select=id,quote_offers()&quote_offers=is.null&order=created_at.desc',
  ],
  ['the history of a quote with its quote', quote_events, `select=*,quotes(*)&order=id&quote_id=eq.${quote}`],
  [
    'the history of a quote in the order of its quote',
    quote_events,
    `select=id,quotes(status)&order=quotes(status),id&quote_id=eq.${quote}`,
  ],
  [
    'the newest history with its quote',
    quote_events,
    'select=event,quotes(quote_number)&order=created_at.desc',
    customers,
  ],
  ['the newest notifications', notifications, 'order=created_at.desc'],
  ['the oldest notifications', notifications, 'order=created_at'],
  ['the notifications that are not dismissed', notifications, 'order=created_at.desc&dismissed=is.false'],
  ['the history of a quote', quote_events, `order=id&quote_id=eq.${quote}`],
  ['the newest history of its accounts', quote_events, 'order=created_at.desc', customers],
  ['the library in order', graphics, 'order=sort_order'],
  ['a category of the library', graphics, `order=sort_order&category_id=eq.${account(7)}`],
  [
    'a further page of the library',
    graphics,
    `order=sort_order,id&and=(sort_order.gte.9,or(sort_order.gt.9,id.gt.${quote}))`,
  ],
];
const casesOn = (version: number) =>
  lists.flatMap(([what, of, query, who = Object.keys(callers)]) =>
    who
      .filter(caller => version === Math.max(...versions) || mainCallers.includes(caller))
      .map(caller => [caller, what, { of, query }] as const),
  );

interface Node {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Node[];
}

/** Returns the most rows that a node of the plan read. */
const mostRows = ({ Plans = [], ...node }: Node): number =>
  Math.max(
    (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
    ...Plans.map(mostRows),
  );

describe.each(isFullSize ? versions : versions.slice(-1))('on Postgres %i', version => {
  let server: PostgresServer;
  let directory: Awaited<ReturnType<typeof makeDirectoryInMemory>>;
  let sql: Sql;
  beforeAll(async () => {
    directory = await makeDirectoryInMemory();
    const data = join(directory.path, 'postgres');
    server = await startTestPostgres(
      { directory: data, password: 'owner', settings: ['fsync=off'] },
      version,
    );
    const url = server.url('postgres');
    await asOwner(url, async owner => {
      await migrate(owner, 'login');
      await owner.unsafe(fill);
    });
    sql = postgres(loginUrl(url, 'builder_api', 'login'), { max: 1, onnotice: () => {} });
  });
  afterEach(() => sql`deallocate all`);
  afterAll(async () => {
    await sql.end({ timeout: 5 });
    await server.stop();
    await directory.remove();
  });

  const explain = async (session: string, statement: string): Promise<number> => {
    const results = await sql.unsafe(`${session};\nexplain (analyze, format json) ${statement}`).simple();
    const [row] = results.at(-1) as unknown as { 'QUERY PLAN': { Plan: Node }[] }[];
    const [plan] = row?.['QUERY PLAN'] ?? [];
    return mostRows(plan?.Plan as Node);
  };

  it.each(casesOn(version))('%s lists %s without reading many others', async (caller, _, { of, query }) => {
    const as = callers[caller] as Caller;
    const { statements } = messageOf(planned({ as, of, query: `${query}&limit=20` }));
    const [session, statement] = statements as [(typeof statements)[0], (typeof statements)[0]];
    // A node of a good plan reads some hundred rows: a page of each of four accounts and of everyone, of which a filter lets one of
    // four rows pass, with three related rows each. A bad one reads all of an account, or of a table.
    const enough = 2000;
    expect(await explain(inlined(session), inlined(statement))).toBeLessThan(enough);
    const generic = `set local plan_cache_mode = force_generic_plan; ${inlined(session)}`;
    await sql.unsafe(`${generic};\nprepare list as ${shapeOf(statement)}`).simple();
    expect(await explain(generic, `execute list${argumentsOf(statement)}`)).toBeLessThan(enough);
  });
});
