import postgres from 'postgres';
import { documentedApp } from './app.ts';

export default documentedApp(async (connectionString, queries, waitUntil) => {
  const sql = postgres(connectionString, { max: 5, fetch_types: false });
  const rows = await sql.begin(async transaction => {
    let rows: unknown[] = [];
    for (const { text, values } of queries) {
      rows = await transaction.unsafe(text, values as never[]);
    }
    return rows;
  });
  waitUntil(sql.end());
  return rows;
});
