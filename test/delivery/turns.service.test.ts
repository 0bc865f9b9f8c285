/** Accounts take turns at a webhook: what one of them does again and again delays no event of another. */
import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { signIn } from '../setup/wire.ts';
import { useDelivering } from './delivering.ts';

const d = useDelivering();

/** What each event's first call has; on a busy machine one may be repeated. */
const bodies = () => {
  const calls = d.receivers
    .calls()
    .map(({ headers, body }) => [headers['webhook-id'], JSON.parse(body)] as const);
  return [...new Map(calls.toReversed()).values()].toReversed();
};

/** The calls of an account that may wait for a webhook, in place of a thousand. */
const mostWaiting = 20;

it('quotes that a customer submits and withdraws several times delay no event of another account', async () => {
  const { sql } = d.service;
  const [queue] = await sql`select pg_get_functiondef('builder.queue_calls'::regproc) as text`;
  const text: string = queue?.['text'];
  onTestFinished(async () => void (await sql.unsafe(text)));
  await sql.unsafe(text.replaceAll('1000', String(mostWaiting)));
  const [greedy, other] = [randomUUID(), randomUUID()];
  for (const account of [...Array(10).fill(greedy), other]) {
    await d.aQuoteOf(account, { status: 'draft' });
  }
  await d.aWebhook('/200');
  await d.pause();
  const move = async (account: string, ...states: string[]): Promise<void> => {
    const customer = await signIn(d.service, { account });
    for (const status of states) {
      const path = `/quotes?account_id=eq.${account}`;
      expect(await customer.send('PATCH', path, { status })).toMatchObject({ status: 204 });
    }
  };
  await move(greedy, 'submitted', 'draft', 'submitted', 'draft');
  await move(other, 'submitted');
  const expectCalls = async (count: number): Promise<void> => {
    const due = () => sql`select from builder.deliveries where webhook_id is not null and state <> 'sent'`;
    await expect.poll(due, { timeout: 60_000 }).toEqual([]);
    expect(bodies()).toHaveLength(count);
  };
  await d.resume();
  await d.service.sweep();
  await expectCalls(mostWaiting + 2);
  const place = bodies().findIndex(({ data }) => data.account_id === other);
  expect(place).toBeGreaterThanOrEqual(0);
  expect(place).toBeLessThan(10);
  const skipped = bodies().filter(({ type }) => type === 'quote_events.skipped');
  expect(skipped).toHaveLength(1);
  // From which event on the others are to be read.
  const [beyond] = await sql`
    select id::integer from builder.quote_events where account_id = ${greedy} order by id offset ${mostWaiting} limit 1`;
  expect(skipped).toMatchObject([{ data: { account_id: greedy, event_id: beyond?.['id'] } }]);
  expect(skipped[0].data).not.toHaveProperty('quote_id');
  await move(greedy, 'submitted');
  await expectCalls(mostWaiting + 12);
});
