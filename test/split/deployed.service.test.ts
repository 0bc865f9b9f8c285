/**
 * Every worker of a deployment does its part. What they do together, all service tests see.
 * @module-tag live
 */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { workerOf } from '../../functions/operate/deploy/workers.ts';
import { collections } from '../../schema/collections.ts';
import { all, allQuotes, Wire } from '../live/wire.ts';
import { aNotification, aQuote } from '../setup/rows.ts';
import { postgresPort, useService } from '../setup/service.ts';
import { callerOf } from '../setup/wire.ts';

const deployment = useService({ databasePort: postgresPort() });
const as = (env: string) => callerOf(deployment.at(env), deployment.secretKey);

it.each(collections)('the worker of $name is healthy, and has no collection of another worker', async ({
  name,
  live,
}) => {
  const worker = workerOf(name);
  const response = await deployment.at(worker).fetch('/health');
  expect([response.status, await response.json()]).toMatchObject([
    200,
    {
      status: 'ok',
      ...((live || worker === 'quotes') && { live: 'idle' }),
      ...((live || worker === 'quotes' || name === 'deliveries') && { mail: 'off', webhooks: 'ok' }),
    },
  ]);
  for (const other of collections.filter(collection => workerOf(collection.name) !== worker)) {
    const { status, body } = await as(worker).get(`/${other.name}`);
    expect([status, body.code]).toEqual([404, 'PGRST205']);
  }
});

it('a listener is sent what each worker writes, and what the sweep changes', async () => {
  const account = randomUUID();
  const token = await deployment.token({ account });
  const wire = await Wire.listen(deployment, token, { bindings: [all, allQuotes] });
  // On a busy machine it may read late.
  const health = async () => (await deployment.at('quotes').fetch('/health')).json();
  await expect.poll(health).toMatchObject({ live: 'reading' });
  const past = { expires_at: '2020-01-01T00:00:00Z' };
  await as('quotes').send('POST', '/quotes', aQuote(account, past));
  await wire.received(1);
  await as('notifications').send('POST', '/notifications', aNotification(account, past));
  await wire.received(2);
  await deployment.sweep();
  await wire.received(5);
  const kinds = wire.changes().map(({ data: { table, type } }) => `${type} ${table}`);
  expect(kinds.slice(0, 2)).toEqual(['INSERT quotes', 'INSERT notifications']);
  // The notification says that the quote has expired.
  const swept = ['DELETE notifications', 'INSERT notifications', 'UPDATE quotes'];
  expect(kinds.slice(2).sort()).toEqual(swept);
  wire.close();
});
