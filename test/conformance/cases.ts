/** The requests that were sent to PostgREST, what it answered, and the rows that it answered from. */
import type { Sql } from 'postgres';
import recorded from './cases.json' with { type: 'json' };
import embedded from './embedding-cases.json' with { type: 'json' };
import embeddedRows from './embedding-rows.json' with { type: 'json' };
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

/** Of PostgREST 12.0.2, about what belongs to a quote. Its rows are in embedding-rows.json. */
export const embeddingCases: Case[] = embedded;

export const loadRows = (sql: Sql): Promise<void> => load(sql, rows);
export const loadEmbeddingRows = (sql: Sql): Promise<void> => load(sql, embeddedRows);

async function load(sql: Sql, tables: Record<string, object[]>): Promise<void> {
  await sql`truncate builder.quotes, builder.graphics, builder.notifications cascade`;
  await sql.begin(async quiet => {
    // The rows bring their history: no trigger writes one.
    await quiet`set local session_replication_role = 'replica'`;
    for (const [table, tableRows] of Object.entries(tables)) {
      const columns = quiet(Object.keys(tableRows[0] ?? {}));
      // A request of the tests before may still have written one.
      await quiet`delete from ${quiet(`builder.${table}`)}`;
      await quiet`insert into ${quiet(`builder.${table}`)} (${columns})
        select ${columns} from json_populate_recordset(null::${quiet(`builder.${table}`)}, ${JSON.stringify(tableRows)}::text::json)`;
    }
  });
}
