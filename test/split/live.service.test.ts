/** The object of live updates in its own worker: what other workers write is sent to its listeners. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { all, allQuotes, Wire } from '../live/wire.ts';
import { aNotification, aQuote } from '../setup/rows.ts';
import { callerOf } from '../setup/wire.ts';
import type { Deployment } from './deployment.ts';
import { describeWays, startTimeout, type Way } from './ways.ts';

describeWays(start => {
  let way: Way;
  let deployment: Deployment;
  beforeAll(async () => {
    way = await start();
    deployment = way.deployment;
  }, startTimeout);
  afterAll(() => way.stop());

  /** A listener to both collections; each has an address of its own, as rate limits count by it. */
  async function listen(account: string, n = 0): Promise<Wire> {
    const wire = await Wire.open(deployment, {
      headers: { 'cf-connecting-ip': `203.0.${n >> 8}.${n & 255}` },
    });
    const joined = await wire.join('x', [all, allQuotes], await deployment.token({ account }));
    expect(joined).toMatchObject({ status: 'ok' });
    return wire;
  }
  const kinds = (wire: Wire) => wire.changes().map(({ data: { table, type } }) => `${type} ${table}`);

  it('a listener is sent what the workers of quotes and of notifications write, and what the sweep changes', async () => {
    const account = randomUUID();
    const wire = await listen(account);
    const health = await deployment.at('quotes').fetch('/health');
    expect(await health.json()).toMatchObject({ status: 'ok', live: 'reading', delivery: 'off' });
    const as = (env: string) => callerOf(deployment.at(env), deployment.secretKey);
    const past = { expires_at: '2020-01-01T00:00:00Z' };
    const rows = [aQuote(account, past), aNotification(account, past)];
    expect((await as('quotes').send('POST', '/quotes', rows[0])).status).toBe(201);
    await wire.received(1);
    expect((await as('notifications').send('POST', '/notifications', rows[1])).status).toBe(201);
    await wire.received(2);
    await deployment.sweep();
    await wire.received(5);
    expect(kinds(wire).slice(0, 2)).toEqual(['INSERT quotes', 'INSERT notifications']);
    // The notification says that the quote has expired.
    expect(kinds(wire).slice(2).sort()).toEqual([
      'DELETE notifications',
      'INSERT notifications',
      'UPDATE quotes',
    ]);
    wire.close();
  });
});
