/** A function of the database that takes longer for a while. */
import type { Sql } from 'postgres';
import { expect } from 'vitest';

/** Makes a PL/pgSQL function, named with its arguments' types, take so many seconds longer. Resolves to what undoes that. */
export async function slowDown(sql: Sql, name: string, seconds: number): Promise<() => Promise<void>> {
  const [row] = await sql<{ text: string }[]>`select pg_get_functiondef(${name}::regprocedure) as text`;
  const text = row?.text ?? '';
  const slow = text.replace(/\nbegin\n/, `\nbegin perform pg_sleep(${seconds});\n`);
  expect(slow).not.toBe(text);
  await sql.unsafe(slow);
  return async () => {
    await sql.unsafe(text);
  };
}
