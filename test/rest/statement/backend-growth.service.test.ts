/**
 * A backend does not grow with the requests it has answered, however different they are: behind a pooler its session lives
 * for as long as the pooler pleases.
 */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Caller } from '../../../functions/caller/caller.ts';
import { Connection } from '../../../functions/database/connection.ts';
import { messageOf } from '../../../functions/rest/statement/statement.ts';
import type { Collection } from '../../../schema/collection.ts';
import { graphics } from '../../../schema/graphics.ts';
import { quotes } from '../../../schema/quotes.ts';
import { useDatabase } from '../../setup/database.ts';
import { aGraphic, aQuote } from '../../setup/rows.ts';
import { representation } from '../../setup/wire.ts';
import { insert } from '../../sql/roles.ts';
import { planned, type TestRequest } from '../plan/plan-of.ts';
import '../../setup/with-resolvers.ts';

const staff: Caller = { kind: 'service', audience: 'staff' };
const id = '10000000-0000-4000-8000-000000000001';
/** Requests after which the memory contexts of a backend have their size, and those that must not enlarge them. */
const [first, more] = [50, 300];
/** Less than the lists of columns of so many requests take. */
const megabytesAtMost = 0.02;

type Request = Omit<TestRequest, 'as'>;

const database = useDatabase();
let connection: Connection;
beforeAll(async () => {
  await insert(database.sql, 'quotes', aQuote(id, { id }));
  await insert(database.sql, 'graphics', aGraphic({ id }));
});
beforeEach(() => {
  connection?.abandon();
  connection = new Connection(database.ownerUrl);
});
afterAll(() => connection?.abandon());

async function send(request: Request): Promise<void> {
  const reply = await connection.send(messageOf(planned({ as: staff, ...request })).text);
  if (!reply.ok) {
    throw new Error(JSON.stringify(reply.error));
  }
}

async function megabytes(): Promise<number> {
  const reply = await connection.send(
    'select (sum(used_bytes) / 1e6)::text as megabytes from pg_backend_memory_contexts',
  );
  return reply.ok ? Number(reply.rows[0]?.['megabytes']) : Number.NaN;
}

/** By how many megabytes a backend that has answered some requests grows with different ones. */
async function growth(requestOf: (n: number) => Request): Promise<number> {
  for (let n = 0; n < first; n++) {
    await send(requestOf(n));
  }
  const before = await megabytes();
  for (let n = first; n < first + more; n++) {
    await send(requestOf(n));
  }
  return (await megabytes()) - before;
}

/** Columns under names that no other request has. */
function renamed(collection: Collection, width: number, n: number): string {
  const columns = Object.keys(collection.columns);
  return Array.from({ length: width }, (_, at) => `a${n}_${at}:${columns[at % columns.length]}`).join();
}

/** Some of the names, in some order: others for each number. */
function someOf(names: string[], n: number): string[] {
  const place = (name: string): number => (n * (2 * names.indexOf(name) + 7919)) % 104_729;
  return names.filter(name => place(name) % 3 > 0).sort((a, b) => place(a) - place(b));
}

it(`${more} different sets of aliases cost a backend next to nothing`, async () => {
  const ways: Partial<TestRequest>[] = [
    { query: `id=eq.${id}` },
    { query: 'limit=5' },
    { headers: { accept: 'text/csv' } },
    { headers: { accept: 'application/vnd.pgrst.array+json;nulls=stripped' } },
    { method: 'PATCH', query: 'code=eq.NONE', headers: representation, body: { width: 1 } },
  ];
  const widths = [1, 3, 10, 30, 1, 3, 10, 100];
  const grown = await growth(n => {
    const way = ways[n % ways.length];
    const select = renamed(graphics, widths[n % widths.length] ?? 1, n);
    return { ...way, of: graphics, query: `select=${select}&${way?.query ?? ''}` };
  });
  expect(grown).toBeLessThan(megabytesAtMost);
});

const quoteColumns = Object.keys(quotes.columns);
const nullable = quoteColumns.filter(name => quotes.columns[name as never]['nullable']);
const nullsOf = (n: number) => Object.fromEntries(someOf(nullable, n).map(name => [name, null]));
const change = { of: quotes, method: 'PATCH', query: `id=eq.${id}` } as const;

it.each<[what: string, requestOf: (n: number) => Request]>([
  ['selections of columns', n => ({ of: quotes, query: `select=${someOf(quoteColumns, n)}&id=eq.${id}` })],
  ['columns in the body of a change', n => ({ ...change, body: nullsOf(n) })],
  ['columns in a body of rows', n => ({ ...change, body: [nullsOf(n), nullsOf(n)] })],
])(`${more} different %s cost a backend next to nothing`, async (_, requestOf) => {
  expect(await growth(requestOf)).toBeLessThan(megabytesAtMost);
});
