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
  await sql`truncate builder.quotes, builder.graphics, builder.notifications cascade`;
  await sql.begin(async quiet => {
    await quiet`set local builder.quiet = 'on'`;
    for (const [table, tableRows] of Object.entries(rows)) {
      const columns = quiet(Object.keys(tableRows[0] ?? {}));
      // A request of the tests before may still have written one.
      await quiet`delete from ${quiet(`builder.${table}`)}`;
      await quiet`insert into ${quiet(`builder.${table}`)} (${columns})
        select ${columns} from json_populate_recordset(null::${quiet(`builder.${table}`)}, ${JSON.stringify(tableRows)}::text::json)`;
    }
  });
}
