/** A request makes one round trip to the database, counted on the wire. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { sweepJobs } from '../../schema/sweep-jobs.ts';
import { createDatabase } from '../setup/database.ts';
import { asHyperdrive, startPgBouncer } from '../setup/deployed/pgbouncer.ts';
import { type RoundTripCounter, startRoundTripCounter } from '../setup/round-trips.ts';
import { aQuote } from '../setup/rows.ts';
import { postgresPort, type Service, type ServiceOptions, startService } from '../setup/service.ts';
import { use } from '../setup/use.ts';
import { type Caller, representation, signIn } from '../setup/wire.ts';

const account = randomUUID();

type Request = [what: string, send: (by: Caller, id: string) => Promise<{ status: number }>, status: number];
const key = () => ({ 'idempotency-key': randomUUID(), ...representation });
const requests: Request[] = [
  ['reading a row', (by, id) => by.get(`/quotes?id=eq.${id}`), 200],
  ['reading a page with its count', by => by.get('/quotes?limit=20', { prefer: 'count=exact' }), 200],
  [
    'reading a row with its history and offers',
    (by, id) => by.get(`/quotes?id=eq.${id}&select=*,quote_events(*),quote_offers(*)`),
    200,
  ],
  ['creating a row', by => by.send('POST', '/quotes', aQuote(account), representation), 201],
  ['creating a row with an Idempotency-Key', by => by.send('POST', '/quotes', aQuote(account), key()), 201],
  ['changing a row', (by, id) => by.send('PATCH', `/quotes?id=eq.${id}`, { company: 'Lions' }), 204],
  ['reading an unchanged row', (by, id) => by.get(`/quotes?id=eq.${id}`, { 'if-none-match': '*' }), 304],
  ['a refusal by the database', by => by.send('POST', '/quotes', aQuote(randomUUID())), 403],
  ['duplicating a quote', (by, id) => by.send('POST', '/rpc/duplicate_quote', { id }), 200],
  ['deleting a row', (by, id) => by.send('DELETE', `/quotes?id=eq.${id}`), 204],
];

interface Way {
  service: Service;
  wire: RoundTripCounter;
  stop(): Promise<void>;
}

async function startOver(options: ServiceOptions): Promise<Way> {
  const wire = await startRoundTripCounter(postgresPort());
  const service = await startService({ databasePort: wire.port, ...options });
  return { service, wire, stop: () => service.stop().then(wire.stop) };
}

/** The wire is between the pooler and Postgres. */
async function startPooled(): Promise<Way> {
  const wire = await startRoundTripCounter(postgresPort());
  const database = await createDatabase();
  const ownerUrl = Object.assign(new URL(database.ownerUrl), { port: String(wire.port) }).href;
  const settings = { ...asHyperdrive, default_pool_size: 1 };
  const pooler = await startPgBouncer({ mode: 'transaction', database: { ...database, ownerUrl }, settings });
  const service = await startService({ database, databasePort: pooler.port });
  // Opens the pooler's connection of the sweep.
  await service.sweep();
  return { service, wire, stop: () => service.stop().then(pooler.remove).then(wire.stop) };
}

/** Tests each request over a way that opens so many connections for it, with at most so many round trips to open one. */
function testRequests(start: () => Promise<Way>, connections = 0, most = 0) {
  const way = use(start, 'stop');
  let customer: Caller;
  /** Round trips of a connection's start-up and password exchange. */
  let setUp = 0;
  beforeAll(async () => {
    customer = await signIn(way.service, { account });
    // One after the other: the driver's set-up of a new connection is over before the next request uses it.
    for (let round = 0; round < 3; round++) {
      await customer.get('/quotes?limit=1');
    }
    way.wire.reset();
    // The message of the health check is a round trip.
    expect((await way.service.fetch('/health')).status).toBe(200);
    setUp = way.wire.roundTrips() - 1;
    expect(setUp).toBeLessThanOrEqual(most);
  });
  const newQuote = async (): Promise<string> => {
    const made = await customer.send('POST', '/quotes?select=id', aQuote(account), representation);
    way.wire.reset();
    return made.body[0].id;
  };

  it.each(requests)('%s is one round trip', async (_, send, status) => {
    const id = await newQuote();
    expect((await send(customer, id)).status).toBe(status);
    expect([way.wire.roundTrips() - setUp, way.wire.connections()]).toEqual([1, connections]);
  });

  it('a change that finds no row takes a second round trip, which asks why', async () => {
    const path = `/quotes?id=eq.${await newQuote()}`;
    const reply = await customer.send('PATCH', path, { sport: 'golf' }, { 'if-match': '"1-a"' });
    expect(reply.status).toBe(412);
    expect(way.wire.roundTrips()).toBe(2 * (setUp + 1));
  });
  return way;
}

describe('over the pool, once it is warm', () => {
  testRequests(() => startOver({ worker: 'all' }));
});

describe('over Hyperdrive, with a connection for each request', () => {
  testRequests(() => startOver({}), 1, 3);
});

describe('over Hyperdrive, from a pooler that resets sessions to Postgres', { tags: ['pgbouncer'] }, () => {
  const way = testRequests(startPooled);

  it('each job of the sweep is one round trip, and so is noting that it ran', async () => {
    way.wire.reset();
    await way.service.sweep();
    expect(way.wire.roundTrips()).toBe(sweepJobs.length + 1);
  });
});
