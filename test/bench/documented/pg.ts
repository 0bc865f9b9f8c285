import { Client } from 'pg';
import { documentedApp } from './app.ts';

export default documentedApp(async (connectionString, queries, waitUntil) => {
  const client = new Client({ connectionString });
  await client.connect();
  let rows: unknown[] = [];
  await client.query('begin');
  for (const { text, values } of queries) {
    ({ rows } = await client.query(text, values));
  }
  await client.query('commit');
  waitUntil(client.end());
  return rows;
});
