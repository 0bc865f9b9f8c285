/** Accounts take turns at a webhook: what one of them does by the thousand delays no event of another. */
import { randomUUID } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { type Caller, signIn } from '../setup/wire.ts';
import { useDelivering } from './delivering.ts';

const d = useDelivering();
const soon = { timeout: 60_000 };

const bodies = () => d.receivers.calls().map(({ body }) => JSON.parse(body));

/** Waits for so many calls, for as long as they come: a busy machine takes minutes for a thousand. */
async function untilCalled(count: number): Promise<void> {
  for (let before = -1; bodies().length < count && before < bodies().length; ) {
    before = bodies().length;
    await vi.waitUntil(() => bodies().length > before, soon).catch(() => {});
  }
  expect(bodies()).toHaveLength(count);
}

/** Inserts drafts, and returns their ids in portions that a request changes soon enough on a busy machine. */
async function drafts(account: string, count: number): Promise<string[][]> {
  const rows = await d.service.sql<{ id: string }[]>`
    insert into builder.quotes (account_id, quote_number, product_id, sport, customization, source)
    select ${account}, 'QT-2026-0' || (1000 + n), gen_random_uuid(), 'baseball', '{"team": "Lions"}', 'csv_import'
    from generate_series(1, ${count}) n returning id`;
  const ids = rows.map(({ id }) => id);
  return Array.from({ length: Math.ceil(count / 50) }, (_, n) => ids.slice(n * 50, n * 50 + 50));
}

async function move(customer: Caller, portions: string[][], from: string, to: string): Promise<void> {
  for (const ids of portions) {
    const path = `/quotes?id=in.(${ids})&status=eq.${from}`;
    expect(await customer.send('PATCH', path, { status: to })).toMatchObject({ status: 204 });
  }
}

it('500 quotes that a customer submits and withdraws several times delay no event of another account', async () => {
  const [greedy, other] = [randomUUID(), randomUUID()];
  const [many, one] = [await drafts(greedy, 500), await drafts(other, 1)];
  const customer = await signIn(d.service, { account: greedy });
  await d.aWebhook('/200');
  await d.pause();
  for (let n = 0; n < 2; n++) {
    await move(customer, many, 'draft', 'submitted');
    await move(customer, many, 'submitted', 'draft');
  }
  await move(await signIn(d.service, { account: other }), one, 'draft', 'submitted');
  await d.resume();
  await untilCalled(1002);
  const place = bodies().findIndex(({ data }) => data.account_id === other);
  expect(place).toBeGreaterThanOrEqual(0);
  expect(place).toBeLessThan(10);
  const skipped = bodies().filter(({ type }) => type === 'quote_events.skipped');
  expect(skipped).toHaveLength(1);
  // From which event on the others are to be read.
  const [beyond] = await d.service.sql`
    select id::integer from builder.quote_events where account_id = ${greedy} order by id offset 1000 limit 1`;
  expect(skipped).toMatchObject([{ data: { account_id: greedy, event_id: beyond?.['id'] } }]);
  expect(skipped[0].data).not.toHaveProperty('quote_id');
  await move(customer, many.slice(0, 1), 'draft', 'submitted');
  await untilCalled(1052);
  await expect.poll(() => d.health(), soon).toBe('ok');
});
