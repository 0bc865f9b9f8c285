/** Rows that are written past the service, and the end of what listeners are sent of them. */
import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { aNotification, aQuote } from '../setup/rows.ts';
import { everyone } from '../sql/roles.ts';
import type { Change, Wire } from './wire.ts';

/** Resolves to the id. */
export async function insertNotification(sql: Sql, account: string, more: object = {}): Promise<number> {
  const [row] =
    await sql`insert into builder.notifications ${sql(aNotification(account, more))} returning id::integer`;
  return row?.['id'];
}

/** Resolves to the id. */
export async function insertQuote(sql: Sql, account: string, more: object = {}): Promise<string> {
  const [row] = await sql`insert into builder.quotes ${sql(aQuote(account, more))} returning id`;
  return row?.['id'];
}

/**
 * Waits for a notification to everyone, after which nothing that was committed before is sent, and deletes it. Returns what
 * each was sent before. The listeners' bindings have notifications.
 */
export async function settle(sql: Sql, ...listeners: Wire[]): Promise<Change[][]> {
  const body = `settled ${randomUUID()}`;
  await insertNotification(sql, everyone, { body });
  for (const wire of listeners) {
    await wire.until(({ payload }) => payload?.data?.record?.body === body);
  }
  await sql`delete from builder.notifications where body = ${body}`;
  return listeners.map(wire =>
    wire.changes().slice(
      0,
      wire.changes().findIndex(({ data }) => data.record?.['body'] === body),
    ),
  );
}

export const bodies = (wire: Wire): unknown[] => wire.changes().map(({ data }) => data.record?.['body']);

/** Messages that say that changes were missed. */
export const errors = ({ messages }: Wire): string[] =>
  messages
    .filter(({ event, payload }) => event === 'system' && payload.status === 'error')
    .map(({ payload }) => payload.message);
