/**
 * Rows to files, and from files into a database that is migrated: each row as Postgres writes it in text, which keeps
 * every value, a line of JSON each. (COPY would do, but a stream of it can leave a connection of postgres.js paused.)
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Sql, TransactionSql } from 'postgres';
import type { Contents } from './contents.ts';

/** Rows fetched at a time. */
const fetched = 100;
/** Characters sent at a time, or little more. */
const sent = 1_000_000;

/** A file per table, as they are at this moment. */
export async function dump(moment: TransactionSql, tables: string[], directory: string): Promise<void> {
  for (const table of tables) {
    const rows = moment<{ row: string }[]>`select t::text as row from builder.${moment(table)} t`;
    await pipeline(Readable.from(toLines(rows.cursor(fetched))), createWriteStream(join(directory, table)));
  }
}

async function* toLines(batches: AsyncIterable<{ row: string }[]>): AsyncGenerator<string> {
  for await (const rows of batches) {
    yield rows.map(({ row }) => `${JSON.stringify(row)}\n`).join('');
  }
}

/** Replaces what the tables hold. Every row meets the constraints again; triggers would change it and stay silent. */
export async function load(sql: Sql, { tables, sequences }: Contents, directory: string): Promise<void> {
  await sql.begin(async transaction => {
    for (const { name } of tables) {
      const table = transaction`builder.${transaction(name)}`;
      await transaction`truncate ${table}`;
      await transaction`alter table ${table} disable trigger user`;
      for await (const rows of toBatches(join(directory, name))) {
        // Without the offset each row would be read once per column.
        await transaction`
          insert into ${table} select (read).* from (
            select row::${table} as read from json_array_elements_text(${rows}::text::json) row offset 0
          ) rows`;
      }
      await transaction`alter table ${table} enable trigger user`;
    }
    for (const { name, last } of sequences) {
      if (last !== null) {
        await transaction`select setval(format('builder.%I', ${name}::text)::regclass, ${last}::bigint)`;
      }
    }
  });
}

/** JSON arrays of rows. */
async function* toBatches(file: string): AsyncGenerator<string> {
  let rows: string[] = [];
  let length = 0;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    rows.push(line);
    length += line.length;
    if (length > sent) {
      yield `[${rows.join()}]`;
      [rows, length] = [[], 0];
    }
  }
  if (rows.length > 0) {
    yield `[${rows.join()}]`;
  }
}
