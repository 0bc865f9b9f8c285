/** A request makes one round trip to the database, counted on the wire by its id, which its messages begin with. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { sweepJobs } from '../../schema/sweep-jobs.ts';
import { type Passage, startLink } from '../faults/link.ts';
import { createDatabase } from '../setup/database.ts';
import { asHyperdrive, startPgBouncer } from '../setup/deployed/pgbouncer.ts';
import { aQuote } from '../setup/rows.ts';
import { postgresPort, type Service, type ServiceOptions, startService } from '../setup/service.ts';
import { use } from '../setup/use.ts';
import { type Caller, callerOf, representation } from '../setup/wire.ts';

const account = randomUUID();

type Request = [what: string, send: (by: Caller, id: string) => Promise<{ status: number }>, status: number];
const key = () => ({ 'idempotency-key': randomUUID(), ...representation });
const requests: Request[] = [
  ['reading a page with its count', by => by.get('/quotes?limit=20', { prefer: 'count=exact' }), 200],
  [
    'reading a row with its history and offers',
    (by, id) => by.get(`/quotes?id=eq.${id}&select=*,quote_events(*),quote_offers(*)`),
    200,
  ],
  ['creating a row with an Idempotency-Key', by => by.send('POST', '/quotes', aQuote(account), key()), 201],
  ['changing a row', (by, id) => by.send('PATCH', `/quotes?id=eq.${id}`, { company: 'Lions' }), 204],
  ['reading an unchanged row', (by, id) => by.get(`/quotes?id=eq.${id}`, { 'if-none-match': '*' }), 304],
  ['a refusal by the database', by => by.send('POST', '/quotes', aQuote(randomUUID())), 403],
  ['duplicating a quote', (by, id) => by.send('POST', '/rpc/duplicate_quote', { id }), 200],
  ['deleting a row', (by, id) => by.send('DELETE', `/quotes?id=eq.${id}`), 204],
];

const jobs = [...sweepJobs.map(job => job.function), 'record_sweep'];

/** A link to Postgres that notes what is sent through it. */
async function startWire() {
  const link = await startLink(postgresPort());
  /** The connection of each round trip, by the id of its request: its messages were sent first, or after data from the server. */
  const trips = new Map<string, Passage[]>();
  const asking = new WeakMap<Passage, string>();
  const swept: string[] = [];
  link.inspect((from, chunk, passage) => {
    const text = chunk.toString('latin1');
    const id = /request_id=([\w-]+)/.exec(text)?.[1];
    if (from === 'server') {
      asking.delete(passage);
    } else if (id !== undefined && asking.get(passage) !== id) {
      trips.set(id, [...(trips.get(id) ?? []), passage]);
      asking.set(passage, id);
    }
    const [, job = ''] = /"?builder"?\."?(\w+)"?\(/.exec(from === 'client' ? text : '') ?? [];
    swept.push(...(jobs.includes(job) ? [job] : []));
    return chunk.length;
  });
  return { port: link.port, tripsOf: (id: string) => trips.get(id) ?? [], swept, stop: link.stop };
}

interface Way {
  service: Service;
  wire: Awaited<ReturnType<typeof startWire>>;
  stop(): Promise<void>;
}

async function startOver(options: ServiceOptions): Promise<Way> {
  const wire = await startWire();
  const service = await startService({ databasePort: wire.port, ...options });
  return { service, wire, stop: () => service.stop().then(wire.stop) };
}

/** The wire is between the pooler and Postgres. */
async function startPooled(): Promise<Way> {
  const wire = await startWire();
  const database = await createDatabase();
  const ownerUrl = Object.assign(new URL(database.ownerUrl), { port: String(wire.port) }).href;
  const settings = { ...asHyperdrive, default_pool_size: 1 };
  const pooler = await startPgBouncer({ database: { ...database, ownerUrl }, settings });
  const service = await startService({ database, databasePort: pooler.port });
  return { service, wire, stop: () => service.stop().then(pooler.remove).then(wire.stop) };
}

/** Tests each request over a way, whose connections are used for other requests too, or not. */
function testRequests(start: () => Promise<Way>, isShared = true) {
  const way = use(start, 'stop');
  let token: string;
  const connections: Passage[] = [];
  beforeAll(async () => {
    token = await way.service.token({ account });
  });
  /** Sends a request as a customer. Returns its connections, one for each round trip. */
  async function trips(request: (by: Caller) => Promise<unknown>): Promise<Passage[]> {
    const id = randomUUID();
    const fetch = (path: string, init?: RequestInit) =>
      way.service.fetch(path, { ...init, headers: { ...init?.headers, 'x-request-id': id } });
    await request(callerOf({ fetch }, way.service.publishableKey, token));
    return way.wire.tripsOf(id);
  }
  const newQuote = async (): Promise<string> => {
    const customer = callerOf(way.service, way.service.publishableKey, token);
    return (await customer.send('POST', '/quotes?select=id', aQuote(account), representation)).body[0].id;
  };

  it.each(requests)('%s is one round trip', async (_, send, status) => {
    const id = await newQuote();
    const made = await trips(async by => expect(await send(by, id)).toMatchObject({ status }));
    expect(made).toHaveLength(1);
    connections.push(...made);
  });

  it('a change that finds no row takes a second round trip, which asks why', async () => {
    const path = `/quotes?id=eq.${await newQuote()}`;
    const change = (by: Caller) => by.send('PATCH', path, { sport: 'golf' }, { 'if-match': '"1-a"' });
    const made = await trips(async by => expect(await change(by)).toMatchObject({ status: 412 }));
    expect(made).toHaveLength(2);
  });

  it(`the requests ${isShared ? 'share connections' : 'have a connection each'}`, () => {
    const { size } = new Set(connections);
    expect(size === requests.length).toBe(!isShared);
  });
  return way;
}

describe('over the pool', () => {
  testRequests(() => startOver({ worker: 'all' }));
});

describe('over Hyperdrive', () => {
  testRequests(() => startOver({}), false);
});

describe('over Hyperdrive, from a pooler to Postgres', { tags: ['pgbouncer'] }, () => {
  const way = testRequests(startPooled);

  it('each job of the sweep is one round trip, and so is noting that it ran', async () => {
    way.wire.swept.length = 0;
    await way.service.sweep();
    expect(way.wire.swept.sort()).toEqual(jobs.sort());
  });
});
