/** Accounts take turns at a webhook: what one of them does by the thousand delays no event of another. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { type Caller, signIn } from '../setup/wire.ts';
import { useDelivering } from './delivering.ts';

const d = useDelivering();
const soon = { timeout: 60_000 };

const bodies = () => d.receivers.calls().map(({ body }) => JSON.parse(body));

async function drafts(account: string, count: number): Promise<Caller> {
  await d.service.sql`
    insert into builder.quotes (account_id, quote_number, product_id, sport, customization, source)
    select ${account}, 'QT-2026-0' || (1000 + n), gen_random_uuid(), 'baseball', '{"team": "Lions"}', 'csv_import'
    from generate_series(1, ${count}) n`;
  return signIn(d.service, { account });
}

async function move(customer: Caller, account: string, from: string, to: string): Promise<void> {
  const path = `/quotes?account_id=eq.${account}&status=eq.${from}`;
  expect(await customer.send('PATCH', path, { status: to })).toMatchObject({ status: 204 });
}

it('500 quotes that a customer submits and withdraws several times delay no event of another account', async () => {
  const [greedy, other] = [randomUUID(), randomUUID()];
  const [busy, quiet] = [await drafts(greedy, 500), await drafts(other, 1)];
  await d.aWebhook('/200');
  for (let n = 0; n < 3; n++) {
    await move(busy, greedy, 'draft', 'submitted');
    await move(busy, greedy, 'submitted', 'draft');
  }
  await move(quiet, other, 'draft', 'submitted');
  const made = bodies().length;
  const place = () => bodies().findIndex(({ data }) => data.account_id === other);
  await expect.poll(place, soon).toBeGreaterThanOrEqual(0);
  // Those in flight, and those that were made while the other's write was answered.
  expect(place() - made).toBeLessThan(100);
  expect(await d.health()).toBe('ok');
  const skipped = () => bodies().filter(({ type }) => type === 'quote_events.skipped');
  await expect.poll(skipped, soon).toMatchObject([{ data: { account_id: greedy } }]);
});
