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

type Request = [
  what: string,
  send: (customer: Caller, id: string) => Promise<{ status: number }>,
  status: number,
];
const requests: Request[] = [
  ['reading a row', (customer, id) => customer.get(`/quotes?id=eq.${id}`), 200],
  [
    'reading a page with its count',
    customer => customer.get('/quotes?limit=20', { prefer: 'count=exact' }),
    200,
  ],
  ['creating a row', customer => customer.send('POST', '/quotes', aQuote(account), representation), 201],
  [
    'creating a row with an Idempotency-Key',
    customer =>
      customer.send('POST', '/quotes', aQuote(account), {
        'idempotency-key': randomUUID(),
        ...representation,
      }),
    201,
  ],
  [
    'changing a row',
    (customer, id) => customer.send('PATCH', `/quotes?id=eq.${id}`, { company: 'Lions' }),
    204,
  ],
  [
    'reading a row that has not changed',
    (customer, id) => customer.get(`/quotes?id=eq.${id}`, { 'if-none-match': '*' }),
    304,
  ],
  ['a refusal by the database', customer => customer.send('POST', '/quotes', aQuote(randomUUID())), 403],
  ['duplicating a quote', (customer, id) => customer.send('POST', '/rpc/duplicate_quote', { id }), 200],
  ['deleting a row', (customer, id) => customer.send('DELETE', `/quotes?id=eq.${id}`), 204],
];

async function newQuote(customer: Caller): Promise<string> {
  const { body } = await customer.send('POST', '/quotes?select=id', aQuote(account), representation);
  return body[0].id;
}

describe('over the pool, once it is warm', () => {
  let open: Awaited<ReturnType<typeof openService>>;
  beforeAll(async () => {
    open = await openService(false);
    // One after the other: the driver's set-up of a new connection is over before the next request uses it.
    for (let round = 0; round < 3; round++) {
      await open.customer.get('/quotes?limit=1');
    }
  });
  afterAll(async () => {
    await open.service.stop();
    await open.wire.stop();
  });

  it.each(requests)('%s is one round trip', async (_, send, status) => {
    const id = await newQuote(open.customer);
    open.wire.reset();
    expect((await send(open.customer, id)).status).toBe(status);
    expect({ roundTrips: open.wire.roundTrips(), connections: open.wire.connections() }).toEqual({
      roundTrips: 1,
      connections: 0,
    });
  });
});

it('a change that finds no row takes a second round trip, which asks why', async () => {
  const { wire, service, customer } = await openService(false);
  const id = await newQuote(customer);
  wire.reset();
  const reply = await customer.send(
    'PATCH',
    `/quotes?id=eq.${id}`,
    { sport: 'golf' },
    { 'if-match': '"1-a"' },
  );
  expect([reply.status, wire.roundTrips()]).toEqual([412, 2]);
  await service.stop();
  await wire.stop();
});

describe('over Hyperdrive, with a connection for each request', () => {
  let open: Awaited<ReturnType<typeof openService>>;
  let setUp: number;
  beforeAll(async () => {
    open = await openService(true);
    // The cost of a connection alone: the health check's message is one round trip more.
    await open.service.fetch('/health');
    open.wire.reset();
    expect((await open.service.fetch('/health')).status).toBe(200);
    setUp = open.wire.roundTrips() - 1;
  });
  afterAll(async () => {
    await open.service.stop();
    await open.wire.stop();
  });

  it('connecting to Postgres itself takes start-up and the password exchange', () => {
    expect(setUp).toBeGreaterThanOrEqual(1);
    expect(setUp).toBeLessThanOrEqual(3);
  });

  it.each(requests)('%s is one round trip after start-up', async (_, send, status) => {
    const id = await newQuote(open.customer);
    open.wire.reset();
    expect((await send(open.customer, id)).status).toBe(status);
    expect({ roundTrips: open.wire.roundTrips() - setUp, connections: open.wire.connections() }).toEqual({
      roundTrips: 1,
      connections: 1,
    });
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
