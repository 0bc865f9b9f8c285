/** Deliveries that hang, wait or become due a moment later delay no others. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { storeDueMails } from '../faults/due-mails.ts';
import { useDelivering } from './delivering.ts';

const d = useDelivering();
const soon = { timeout: 30_000 };
afterEach(() => d.service.sql`truncate builder.webhooks, builder.deliveries`);

/** Moves so many quotes, of which webhooks are notified. */
async function move(quotes: number): Promise<void> {
  for (let n = 0; n < quotes; n++) {
    await d.aQuoteOf(randomUUID(), { status: 'submitted' });
  }
  await d.service.sql`update builder.quotes set status = 'cancelled' where status = 'submitted'`;
}

const statesOf = async (webhook: string): Promise<string[]> =>
  (await d.service.sql`select state from builder.deliveries where webhook_id = ${webhook} order by id`).map(
    ({ state }) => state,
  );
const arrivedAt = (address: string): number => d.mailsTo(address).length;

it('while a webhook hangs, other webhooks are called and mails are sent before it times out', async () => {
  const hanging = await d.aWebhook('/hangs');
  await move(6);
  await d.service.sweep();
  const calling = async () => (await statesOf(hanging)).filter(state => state === 'sending');
  await expect.poll(calling).toHaveLength(4);
  const other = await d.aWebhook('/200');
  await move(3);
  await d.notify(await d.anAccount('soon@lions.example'));
  await expect.poll(() => arrivedAt('soon@lions.example'), soon).toBe(1);
  await expect.poll(() => statesOf(other), soon).toEqual(['sent', 'sent', 'sent']);
  const ended = await d.service.sql`
    select from builder.deliveries where webhook_id = ${hanging} and (settled_at is not null or attempts > 1)`;
  expect(ended).toEqual([]);
});

it('webhooks are called while the relay hangs', async () => {
  const away = await d.relay.failing({ at: 'MAIL', does: 'hang' });
  await d.service.restart({ MAIL_URL: d.mailUrl(away.port) });
  onTestFinished(() => d.service.restart({ MAIL_URL: d.mailUrl(d.relay.port) }));
  await storeDueMails(d.service.sql, 4);
  await d.service.sweep();
  const hanging = () =>
    d.service.sql`select from builder.deliveries where webhook_id is null and state = 'sending'`;
  await expect.poll(hanging).toHaveLength(4);
  const hook = await d.aWebhook('/200');
  await move(3);
  await d.service.sweep();
  await expect.poll(() => statesOf(hook), soon).toEqual(['sent', 'sent', 'sent']);
  expect(await hanging()).toHaveLength(4);
});

it('a mail that is written right after a run is sent soon, although the nudge before it found the run pending', async () => {
  const { sql } = d.service;
  const account = await d.anAccount('late@lions.example');
  await d.notify(account);
  await expect.poll(() => arrivedAt('late@lions.example'), soon).toBe(1);
  // The object is going to run in four seconds, since something is due then.
  await storeDueMails(sql, 1);
  await sql`update builder.deliveries set due_at = now() + interval '4 seconds' where due_at is not null`;
  await d.service.sweep();
  const [{ left } = {}] = await sql`
    select extract(epoch from min(due_at) - now()) as left from builder.deliveries where due_at is not null`;
  await sleep(1000 * (Number(left) - 0.3));
  const began = Date.now();
  await d.notify(account);
  await sleep(800 - (Date.now() - began));
  await d.notify(account);
  await expect.poll(() => arrivedAt('late@lions.example'), soon).toBe(3);
});

it('a call is signed with the time of the database, whatever the clock of the worker says', async () => {
  const { sql } = d.service;
  const [claim] =
    await sql`select pg_get_functiondef('builder.claim_calls(integer, boolean)'::regprocedure) as text`;
  const text: string = claim?.['text'];
  onTestFinished(async () => void (await sql.unsafe(text)));
  const now = 'extract(epoch from now())::double precision';
  await sql.unsafe(text.replace(now, `${now} + 3600`));
  const hook = await d.aWebhook('/204');
  await move(1);
  await d.service.sweep();
  await expect.poll(() => statesOf(hook), soon).toEqual(['sent']);
  const call = d.receivers.calls().find(({ path }) => path === '/204');
  expect(Number(call?.headers['webhook-timestamp'])).toBeGreaterThan(Date.now() / 1000 + 1800);
});

it('the log has the code when the database refuses claims, and sending continues afterwards', async () => {
  const waiting = () => d.service.logs.filter(line => line.includes('"outcome":"waiting"'));
  await d.pause();
  await d.notify(await d.anAccount('paused@mail.example'));
  await expect.poll(waiting).toEqual([expect.stringMatching(/"code":"42501"/)]);
  await d.resume();
  await expect.poll(() => arrivedAt('paused@mail.example'), soon).toBe(1);
});
