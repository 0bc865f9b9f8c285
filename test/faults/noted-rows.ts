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
export function startWriters(sql: Sql, account: string, count = 2): { stop(): Promise<void> } {
  let isRunning = true;
  const run = async (writer: number): Promise<void> => {
    const ids: string[] = [];
    for (let number = 0; isRunning; number++) {
      const turn = number % 10;
      const body = `${writer} ${number}`;
      const known = ids[(7 * number) % ids.length];
      await (turn < 6 ? insert(body, ids) : turn < 9 ? update(known, body) : remove(known)).catch(() => {});
      await sleep(20);
    }
  };
  const insert = async (body: string, ids: string[]): Promise<void> => {
    const [row] = await sql`
      insert into builder.notifications ${sql(aNotification(account, { body }))} returning id::text`;
    ids.push(row?.['id']);
  };
  const update = async (id: string | undefined, body: string): Promise<void> => {
    await sql`update builder.notifications set body = ${body} where id = ${id ?? null}`;
  };
  const remove = async (id: string | undefined): Promise<void> => {
    await sql`delete from builder.notifications where id = ${id ?? null}`;
  };
  const writers = Array.from({ length: count }, (_, writer) => run(writer));
  return {
    async stop() {
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
export async function expectInformed(
  sql: Sql,
  account: string,
  pages: ExamplePage[],
  timeout = 20_000,
): Promise<void> {
  await expectSame(sql, account, pages, timeout);
  await write(sql, account, 'afterwards');
  await expectSame(sql, account, pages, timeout);
}

async function expectSame(sql: Sql, account: string, pages: ExamplePage[], timeout: number): Promise<void> {
  const stored = await readRows(sql, account);
  for (const page of pages) {
    const different = () => {
      const all = differences(page.rows, stored);
      return all.length === 0
        ? []
        : [`${all.length} of ${stored.length}`, ...all.slice(0, 10), ...page.events];
    };
    await vi.waitFor(() => expect(different()).toEqual([]), { timeout, interval: 50 });
  }
}
