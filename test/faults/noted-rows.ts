/** What is written while something fails, and what a page must show of it in the end. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql, TransactionSql } from 'postgres';
import { expect, vi } from 'vitest';
import { type ExamplePage, type Row, type Rows, readRows } from '../live/example-page.ts';
import { aNotification } from '../setup/rows.ts';

export async function write(sql: Sql | TransactionSql, account: string, ...bodies: string[]): Promise<void> {
  for (const body of bodies) {
    await sql`insert into builder.notifications ${sql(aNotification(account, { body }))}`;
  }
}

/** Writers that insert, change and delete rows until they are stopped. What is not acknowledged may be there or not. */
export function startWriters(sql: Sql, account: string) {
  let isRunning = true;
  const change = async (turn: number, body: string, ids: string[], known: string | null): Promise<void> => {
    if (turn < 6) {
      const row = aNotification(account, { body });
      const [{ id } = {}] = await sql`insert into builder.notifications ${sql(row)} returning id::text`;
      ids.push(id);
    } else if (turn < 9) {
      await sql`update builder.notifications set body = ${body} where id = ${known}`;
    } else {
      await sql`delete from builder.notifications where id = ${known}`;
    }
  };
  const run = async (writer: number): Promise<void> => {
    const ids: string[] = [];
    for (let number = 0; isRunning; number++) {
      const known = ids[(7 * number) % ids.length] ?? null;
      await change(number % 10, `${writer} ${number}`, ids, known).catch(() => {});
      await sleep(20);
    }
  };
  const writers = [0, 1].map(run);
  return {
    async stop(): Promise<void> {
      isRunning = false;
      await Promise.all(writers);
    },
  };
}

/** Names each row that a page lacks, shows in an earlier state, or shows although it was deleted. */
export function differences(shown: Rows, stored: Row[]): string[] {
  const ids = new Set(stored.map(({ id }) => id));
  return [
    ...stored
      .filter(({ id, body }) => shown.get(id)?.body !== body)
      .map(({ id, body }) => `${id} "${body}" is ${JSON.stringify(shown.get(id)?.body) ?? 'missing'}`),
    ...[...shown.values()].filter(({ id }) => !ids.has(id)).map(({ id, body }) => `${id} "${body}" is gone`),
  ];
}

/** Waits until the pages show what is stored, and then what is written after it. */
export async function expectInformed(sql: Sql, account: string, pages: ExamplePage[]): Promise<void> {
  await expectSame(sql, account, pages);
  await write(sql, account, 'afterwards');
  await expectSame(sql, account, pages);
}

async function expectSame(sql: Sql, account: string, pages: ExamplePage[]): Promise<void> {
  const stored = await readRows(sql, account);
  for (const page of pages) {
    const different = () => {
      const all = differences(page.rows, stored);
      return all.length === 0
        ? []
        : [`${all.length} of ${stored.length}`, ...all.slice(0, 10), ...page.events];
    };
    await vi.waitFor(() => expect(different()).toEqual([]), { timeout: 60_000, interval: 50 });
  }
}
