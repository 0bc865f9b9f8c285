/** The requests that were sent to PostgREST, what it answered, and the rows that it answered from. */
import type { Sql } from 'postgres';
import recorded from './cases.json' with { type: 'json' };
import rows from './rows.json' with { type: 'json' };

export interface Case {
  name: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
  writes?: boolean;
  loose?: string[];
  expect?: { status: number; headers: Record<string, string>; body: string };
}

export const cases: Case[] = recorded;

export async function loadRows(sql: Sql): Promise<void> {
  await sql`truncate builder.quotes, builder.graphics, builder.notifications`;
  for (const [table, tableRows] of Object.entries(rows)) {
    // Triggers made rows of those before.
    await sql`delete from ${sql(`builder.${table}`)}`;
    const columns = sql(Object.keys(tableRows[0] ?? {}));
    await sql`insert into ${sql(`builder.${table}`)} (${columns})
      select ${columns} from json_populate_recordset(null::${sql(`builder.${table}`)}, ${JSON.stringify(tableRows)}::text::json)`;
  }
}
