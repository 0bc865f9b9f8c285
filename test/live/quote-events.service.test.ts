/** The history of quotes as it is sent: to whom, and without the member of staff who acted. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { aNotification, aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { callerOf } from '../setup/wire.ts';
import { everyone } from '../sql/roles.ts';
import { Wire } from './wire.ts';

const service = useService();

const history = { event: '*', schema: 'public', table: 'quote_events' };
const messages = { event: '*', schema: 'public', table: 'notifications' };

it('an account is sent its own lines, and neither those of others nor the member of staff who acted', async () => {
  const [account, stranger, clerk] = [randomUUID(), randomUUID(), randomUUID()];
  const wire = await Wire.open(service);
  const joined = await wire.join('x', [history, messages], await service.token({ account }));
  expect(joined).toMatchObject({ status: 'ok' });
  const { sql } = service;
  await sql`insert into builder.quotes ${sql([account, stranger].map(owner => aQuote(owner)))}`;
  const staff = callerOf(
    service,
    service.publishableKey,
    await service.token({ account: clerk, staff: true }),
  );
  for (const owner of [stranger, account]) {
    const moved = await staff.send('PATCH', `/quotes?account_id=eq.${owner}`, { status: 'cancelled' });
    expect(moved).toMatchObject({ status: 204 });
  }
  const done = `done ${randomUUID()}`;
  await sql`insert into builder.notifications ${sql(aNotification(everyone, { body: done }))}`;
  await wire.until(({ payload }) => payload?.data?.record?.body === done);
  const sent = wire.changes().filter(({ data }) => data.table === 'quote_events');
  expect(sent.map(({ data }) => data.record)).toMatchObject([
    { account_id: account, event: 'quote.cancelled', created_as: 'staff', created_by: null },
  ]);
  const frames = wire.frames.join('\n');
  for (const hidden of [stranger, clerk, 'staff_id']) {
    expect(frames).not.toContain(hidden);
  }
  wire.close();
});

it('only staff can filter lines by the member of staff who acted', async () => {
  const wire = await Wire.open(service);
  const filtered = { ...history, filter: `staff_id=eq.${randomUUID()}` };
  const account = randomUUID();
  expect(await wire.join('x', [filtered], await service.token({ account }))).toMatchObject({
    status: 'error',
  });
  expect(await wire.join('y', [filtered], await service.token({ account, staff: true }))).toMatchObject({
    status: 'ok',
  });
  wire.close();
});
