import type { Sql } from 'postgres';

/** Sets how far back the feed can be read, such as `55 minutes`; a negative time makes everybody miss changes. */
export async function setReach(sql: Sql, reach: string): Promise<void> {
  const [row] = await sql`
    select pg_get_functiondef('builder.changes_since(text,text,integer)'::regprocedure) as text`;
  await sql.unsafe(String(row?.['text']).replace(/interval := '[^']*'/, `interval := '${reach}'`));
}

/** As the migrations have it. */
export const usualReach = '65 minutes';
