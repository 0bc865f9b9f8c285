/** A request makes one round trip to the database, counted on the wire. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sweepJobs } from '../../schema/sweep-jobs.ts';
import { asHyperdrive, startPgBouncer } from '../faults/pgbouncer.ts';
import { createDatabase } from '../setup/database.ts';
import { type RoundTripCounter, startRoundTripCounter } from '../setup/round-trips.ts';
import { aQuote } from '../setup/rows.ts';
import { postgresPort, type Service, startService } from '../setup/service.ts';
import { type Caller, representation, signIn } from '../setup/wire.ts';

const account = randomUUID();

async function openService(
  hyperdrive: boolean,
): Promise<{ wire: RoundTripCounter; service: Service; customer: Caller }> {
  const wire = await startRoundTripCounter(postgresPort());
  const service = await startService({ databasePort: wire.port, hyperdrive });
  const customer = await signIn(service, { account });
  return { wire, service, customer };
}

type Request = [what: string, send: (by: Caller, id: string) => Promise<{ status: number }>, status: number];
const key = () => ({ 'idempotency-key': randomUUID(), ...representation });
const requests: Request[] = [
  ['reading a row', (by, id) => by.get(`/quotes?id=eq.${id}`), 200],
  ['reading a page with its count', by => by.get('/quotes?limit=20', { prefer: 'count=exact' }), 200],
  ['creating a row', by => by.send('POST', '/quotes', aQuote(account), representation), 201],
  ['creating a row with an Idempotency-Key', by => by.send('POST', '/quotes', aQuote(account), key()), 201],
  ['changing a row', (by, id) => by.send('PATCH', `/quotes?id=eq.${id}`, { company: 'Lions' }), 204],
  ['reading an unchanged row', (by, id) => by.get(`/quotes?id=eq.${id}`, { 'if-none-match': '*' }), 304],
  ['a refusal by the database', by => by.send('POST', '/quotes', aQuote(randomUUID())), 403],
  ['duplicating a quote', (by, id) => by.send('POST', '/rpc/duplicate_quote', { id }), 200],
  ['deleting a row', (by, id) => by.send('DELETE', `/quotes?id=eq.${id}`), 204],
];

async function newQuote(customer: Caller): Promise<string> {
  const { body } = await customer.send('POST', '/quotes?select=id', aQuote(account), representation);
  return body[0].id;
}

describe.each([
  ['the pool, once it is warm', false],
  ['Hyperdrive, with a connection for each request', true],
])('over %s', (_, hyperdrive) => {
  let open: Awaited<ReturnType<typeof openService>>;
  /** Round trips of a connection's start-up and password exchange. */
  let setUp = 0;
  beforeAll(async () => {
    open = await openService(hyperdrive);
    // One after the other: the driver's set-up of a new connection is over before the next request uses it.
    for (let round = 0; round < 3; round++) {
      await open.customer.get('/quotes?limit=1');
    }
    open.wire.reset();
    // The message of the health check is a round trip.
    expect((await open.service.fetch('/health')).status).toBe(200);
    setUp = hyperdrive ? open.wire.roundTrips() - 1 : 0;
    expect(setUp).toBeLessThanOrEqual(3);
  });
  afterAll(async () => {
    await open.service.stop();
    await open.wire.stop();
  });

  it.each(requests)('%s is one round trip', async (_, send, status) => {
    const id = await newQuote(open.customer);
    open.wire.reset();
    expect((await send(open.customer, id)).status).toBe(status);
    expect([open.wire.roundTrips() - setUp, open.wire.connections()]).toEqual([1, hyperdrive ? 1 : 0]);
  });

  it('a change that finds no row takes a second round trip, which asks why', async () => {
    const id = await newQuote(open.customer);
    open.wire.reset();
    const change = { sport: 'golf' };
    const reply = await open.customer.send('PATCH', `/quotes?id=eq.${id}`, change, { 'if-match': '"1-a"' });
    expect(reply.status).toBe(412);
    expect(open.wire.roundTrips()).toBe(hyperdrive ? 2 * (setUp + 1) : 2);
  });
});

describe('over Hyperdrive, from a pooler that resets sessions to Postgres', { tags: ['pgbouncer'] }, () => {
  let wire: RoundTripCounter;
  let customer: Caller;
  let service: Service;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    wire = await startRoundTripCounter(postgresPort());
    const database = await createDatabase();
    const beyondWire = Object.assign(new URL(database.ownerUrl), { port: String(wire.port) }).href;
    const pooler = await startPgBouncer({
      mode: 'transaction',
      database: { ...database, ownerUrl: beyondWire },
      settings: { ...asHyperdrive, default_pool_size: 1 },
    });
    service = await startService({ database, databasePort: pooler.port, hyperdrive: 'direct' });
    customer = await signIn(service, { account });
    // Opens the pooler's connections to Postgres.
    await customer.get('/quotes?limit=1');
    await service.sweep();
    stop = async () => {
      await service.stop();
      await pooler.remove();
      await wire.stop();
    };
  });
  afterAll(() => stop());

  it.each(requests)('%s is one round trip', async (_, send, status) => {
    const id = await newQuote(customer);
    wire.reset();
    expect((await send(customer, id)).status).toBe(status);
    expect(wire.roundTrips()).toBe(1);
  });

  it('each job of the sweep is one round trip, and so is noting that it ran', async () => {
    wire.reset();
    await service.sweep();
    expect(wire.roundTrips()).toBe(sweepJobs.length + 1);
  });
});
