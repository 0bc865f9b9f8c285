/** Every worker of a deployment does its part, and together they do what the worker of everything does. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { collections } from '../../schema/collections.ts';
import { everyday } from '../clients/everyday.ts';
import { clientOf, expectData } from '../clients/supabase.ts';
import { changeOf, isWritten, newRow } from '../setup/collection-rows.ts';
import { aQuote } from '../setup/rows.ts';
import { startService } from '../setup/service.ts';
import { callerOf, representation } from '../setup/wire.ts';
import type { Deployment } from './deployment.ts';
import { describeWays, startTimeout, type Way } from './ways.ts';

const named = collections.map(collection => [collection.name, collection] as const);
const written = named.filter(([, collection]) => isWritten(collection));

describeWays(start => {
  let way: Way;
  let deployment: Deployment;
  beforeAll(async () => {
    way = await start();
    deployment = way.deployment;
  }, startTimeout);
  afterAll(() => way.stop());

  it.each(written)('the worker of %s writes, reads, changes and deletes', async (_, collection) => {
    const { name, primaryKey } = collection;
    const { send, get } = callerOf(deployment.at(name), deployment.secretKey);
    const created = await send('POST', `/${name}`, newRow(collection, randomUUID()), representation);
    expect(created.status, created.text).toBe(201);
    const [row] = created.body;
    const path = `/${name}?${primaryKey}=eq.${row[primaryKey]}`;
    expect((await get(path)).body).toEqual([row]);
    const changed = await send('PATCH', path, changeOf(collection), representation);
    expect(changed.status, changed.text).toBe(200);
    expect(changed.body).toMatchObject([changeOf(collection)]);
    expect((await send('DELETE', path)).status).toBe(204);
  });

  it.each(written)('the routes lead supabase-js to the worker of %s', async (_, collection) => {
    const table = clientOf(deployment, deployment.secretKey).from(collection.name);
    const { data, error, status } = await table.insert(newRow(collection, randomUUID())).select().single();
    expect({ error, status }).toEqual({ error: null, status: 201 });
    const key = data[collection.primaryKey];
    expectData(await table.select().eq(collection.primaryKey, key), [data]);
  });

  it('an application gets from them what it gets from the worker of everything', async () => {
    const one = await startService();
    const account = randomUUID();
    const [ofDeployed, ofOne] = await Promise.all(
      [deployment, one].map(async service => {
        const token = await service.token({ account });
        return everyday(clientOf(service, service.publishableKey, token), account);
      }),
    );
    await one.stop();
    expect(ofDeployed).toEqual(ofOne);
  });

  it('the worker of quote_events has the history of what the worker of quotes changed', async () => {
    const table = (name: string) => clientOf(deployment, deployment.secretKey).from(name);
    const { data } = await table('quotes').insert(aQuote(randomUUID())).select().single();
    await table('quotes').update({ status: 'cancelled' }).eq('id', data?.id);
    expectData(await table('quote_events').select('event,previous_status').eq('quote_id', data?.id), [
      { event: 'quote.cancelled', previous_status: 'draft' },
    ]);
  });

  it.each(named)('the worker of %s has no other collection, and says so', async name => {
    const { get } = callerOf(deployment.at(name), deployment.secretKey);
    for (const other of collections.filter(collection => collection.name !== name)) {
      const { status, body } = await get(`/${other.name}`);
      expect({ status, ...body }).toMatchObject({ status: 404, code: 'PGRST205' });
    }
  });

  it.each(named)('the worker of %s is healthy', async (name, { live }) => {
    const response = await deployment.at(name).fetch('/health');
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      status: 'ok',
      ...(live && { live: 'idle' }),
      ...((live || name === 'deliveries') && { delivery: 'off' }),
    });
  });

  it('the page at / is served with its files, and the description of all collections', async () => {
    const page = await deployment.fetch('/');
    expect(await page.text()).toMatch(/^<!doctype html>/);
    const style = await deployment.fetch('/reference/swagger-ui.css');
    expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
    const { body } = await callerOf(deployment, deployment.secretKey).get('/');
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining(collections.map(({ name }) => `/${name}`)),
    );
  });

  it('the limits of wrangler.toml count the requests of an account', async () => {
    const token = await deployment.token({ account: randomUUID() });
    const { get } = callerOf(deployment, deployment.publishableKey, token);
    // They are counted before they are understood, and so ask no database.
    const many = () => Promise.all(Array.from({ length: 250 }, () => get('/quotes?sprot=eq.golf')));
    const refused = async () => (await many()).find(({ status }) => status === 429);
    await expect.poll(refused, { timeout: 30_000 }).toMatchObject({ body: { code: 'PT429' } });
  });
});
