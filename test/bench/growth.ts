/** What the database takes for the same work as the table grows: a statement's time, one at a time. */
import postgres, { type Sql } from 'postgres';
import { loginUrl } from '../../functions/local/database.ts';
import { machine } from './about.ts';
import { insert, keysetPage, page, row } from './jobs.ts';
import { messageFor, percentiles } from './limit.ts';
import type { Database } from './place.ts';

/** Medians in milliseconds, by work. */
export interface GrowthResult {
  quotes: number;
  machine: string;
  times: Record<string, number>;
}

const repeats = 300;

export async function measureGrowth(database: Database, quotes: number): Promise<GrowthResult> {
  const login = loginUrl(database.ownerUrl, 'builder_api', database.loginPassword);
  const api = postgres(login, { max: 1, fetch_types: false, onnotice: () => {} });
  const times = {
    'a row by id': await timeOf(api, row.map(messageFor)),
    'a page by date': await timeOf(api, [messageFor(page)]),
    'a keyset page': await timeOf(api, [messageFor(keysetPage)]),
    'an insert': await timeOf(api, [messageFor(insert)]),
    'a sweep of 100 due': await timeOfSweep(database.sql),
  };
  await api.end();
  await database.clean();
  const shown = Object.entries(times).map(([name, time]) => `  ${name.padEnd(20)} ${time.toFixed(2)} ms`);
  console.log(`\n${quotes.toLocaleString('en')} quotes\n${shown.join('\n')}`);
  return { quotes, machine, times };
}

async function timeOf(sql: Sql, messages: string[]): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < repeats; index++) {
    const message = messages[index % messages.length] ?? '';
    const started = performance.now();
    await sql.unsafe(message).simple();
    times.push(performance.now() - started);
  }
  return percentiles(times.slice(repeats / 3)).p50;
}

/** Each sweep finds 100 quotes due that are new, of an account of their own. */
async function timeOfSweep(sql: Sql): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < 12; index++) {
    await sql`
      insert into builder.quotes (account_id, quote_number, product_id, sport, customization, expires_at)
      select gen_random_uuid(), 'QT-2026-00001', gen_random_uuid(), 'golf', '{}', now() - interval '1 minute'
      from generate_series(1, 100)`;
    const started = performance.now();
    const [swept] = await sql`select builder.expire_quotes(100) as quotes`;
    times.push(performance.now() - started);
    if (swept?.['quotes'] !== 100) {
      throw new Error(`${swept?.['quotes']} quotes were swept`);
    }
  }
  return percentiles(times.slice(2)).p50;
}
