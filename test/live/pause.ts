import type { Sql } from 'postgres';

/** Lets each call of a function of the database wait so many seconds first; with 0 it is as the migrations have it. */
export async function setPause(sql: Sql, name: string, seconds: number): Promise<void> {
  const [row] = await sql`select pg_get_functiondef(${name}::regprocedure) as text`;
  const [before, after = ''] = String(row?.['text']).split(/\nbegin(?: perform pg_sleep\([^)]*\);)?\n/);
  const pause = seconds === 0 ? '' : ` perform pg_sleep(${seconds});`;
  await sql.unsafe(`${before}\nbegin${pause}\n${after}`);
}
