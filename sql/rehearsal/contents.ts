/** What a database holds: rows of every table of ours, and where its sequences are. */
import type { Sql, TransactionSql } from 'postgres';

export interface Contents {
  tables: { name: string; rows: string; checksum: string }[];
  sequences: { name: string; last: string | null }[];
}

/** One moment of a database, whoever writes to it meanwhile. Row level security would hide rows: it must not apply. */
export function atOneMoment<T>(sql: Sql, work: (moment: TransactionSql) => Promise<T>): Promise<T> {
  const moment = sql.begin('isolation level repeatable read read only', async transaction => {
    await transaction`select set_config('row_security', 'off', true), set_config('timezone', 'UTC', true),
      set_config('datestyle', 'ISO', true), set_config('extra_float_digits', '1', true),
      set_config('statement_timeout', '0', true)`;
    return await work(transaction);
  });
  return moment as Promise<T>;
}

/** The checksum says of two tables whether they have the same rows, whatever the order. */
export async function readContents(moment: TransactionSql): Promise<Contents> {
  const tables: Contents['tables'] = [];
  for (const { name } of await readTables(moment)) {
    const [sum] = await moment<{ rows: string; checksum: string }[]>`
      select count(*)::text as rows, coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text as checksum
      from builder.${moment(name)} t`;
    tables.push({ name, rows: sum?.rows ?? '', checksum: sum?.checksum ?? '' });
  }
  const sequences = await moment<Contents['sequences']>`
    select sequencename as name, last_value::text as last from pg_sequences where schemaname = 'builder' order by 1`;
  return { tables, sequences: sequences.map(({ name, last }) => ({ name, last })) };
}

const readTables = (moment: TransactionSql) => moment<{ name: string }[]>`
  select relname as name from pg_class
  where relnamespace = 'builder'::regnamespace and relkind = 'r'
  order by relname`;
