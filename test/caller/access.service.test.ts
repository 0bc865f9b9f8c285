/** Who may do what over HTTP: every caller × collection × method × owner of the row. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { aGraphic, aNotification, aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { type Caller, callerOf, representation } from '../setup/wire.ts';

const everyone = '00000000-0000-0000-0000-000000000000';
const account = randomUUID();
const team = randomUUID();
const stranger = randomUUID();

const service = useService();
const callers: Record<string, Caller> = {};
beforeAll(async () => {
  const { publishableKey, secretKey } = service;
  callers['anon'] = callerOf(service, publishableKey);
  callers['customer'] = callerOf(service, publishableKey, await service.token({ account, also: [team] }));
  callers['staff'] = callerOf(
    service,
    publishableKey,
    await service.token({ account: randomUUID(), staff: true }),
  );
  callers['service'] = callerOf(service, secretKey);
});

const as = (name: string): Caller => callers[name] as Caller;
type Collection = 'quotes' | 'graphics' | 'notifications';

/** Inserts a row with the secret key, and returns its id. */
async function makeRow(collection: Collection, owner: string): Promise<string> {
  const rows = {
    quotes: () => aQuote(owner),
    graphics: () => aGraphic({ is_active: owner !== 'inactive' }),
    notifications: () => aNotification(owner),
  };
  const { status, body } = await as('service').send(
    'POST',
    `/${collection}?select=id`,
    rows[collection](),
    representation,
  );
  expect(status).toBe(201);
  return body[0].id;
}

const changes: Record<Collection, object> = {
  quotes: { customer_notes: 'soon, please' },
  graphics: { name: 'Tiger' },
  notifications: { dismissed: true },
};

/** `yes`: the row is read or written. `unseen`: no row is found. A number: the status of the refusal. */
type Outcome = 'yes' | 'unseen' | 401 | 403;
type Row = [
  collection: Collection,
  owner: string,
  caller: string,
  read: Outcome,
  change: Outcome,
  remove: Outcome,
];

const matrix: Row[] = [
  ['quotes', account, 'anon', 401, 401, 401],
  ['quotes', account, 'customer', 'yes', 'yes', 'yes'],
  ['quotes', team, 'customer', 'yes', 'yes', 'yes'],
  ['quotes', stranger, 'customer', 'unseen', 'unseen', 'unseen'],
  ['quotes', stranger, 'staff', 'yes', 'yes', 'yes'],
  ['quotes', stranger, 'service', 'yes', 'yes', 'yes'],
  ['graphics', 'active', 'anon', 'yes', 401, 401],
  ['graphics', 'inactive', 'anon', 'unseen', 401, 401],
  ['graphics', 'active', 'customer', 'yes', 403, 403],
  ['graphics', 'inactive', 'customer', 'unseen', 403, 403],
  ['graphics', 'inactive', 'staff', 'yes', 'yes', 'yes'],
  ['graphics', 'inactive', 'service', 'yes', 'yes', 'yes'],
  ['notifications', account, 'anon', 401, 401, 401],
  ['notifications', account, 'customer', 'yes', 'yes', 'yes'],
  ['notifications', team, 'customer', 'yes', 'yes', 'yes'],
  ['notifications', everyone, 'customer', 'yes', 'unseen', 'unseen'],
  ['notifications', stranger, 'customer', 'unseen', 'unseen', 'unseen'],
  ['notifications', everyone, 'staff', 'yes', 'yes', 'yes'],
  ['notifications', stranger, 'staff', 'yes', 'yes', 'yes'],
];

const ownerName = (owner: string): string =>
  ({ [account]: 'its own', [team]: "its team's", [stranger]: "a stranger's", [everyone]: 'a system' })[
    owner
  ] ?? `an ${owner}`;

async function outcomeOf(caller: Caller, method: string, path: string, body?: object): Promise<Outcome> {
  const reply = await caller.send(method, path, body, representation);
  if (reply.status === 401 || reply.status === 403) {
    expect(reply.body).toMatchObject({ code: '42501', message: expect.any(String) });
    return reply.status;
  }
  expect(reply.status, reply.text).toBe(200);
  return reply.body.length === 1 ? 'yes' : 'unseen';
}

describe.each(matrix)('%s', (collection, owner, caller, read, change, remove) => {
  it(`${caller} and ${ownerName(owner)} row: GET ${read}, PATCH ${change}, DELETE ${remove}`, async () => {
    const path = `/${collection}?select=id&id=eq.${await makeRow(collection, owner)}`;
    expect(await outcomeOf(as(caller), 'GET', path)).toBe(read);
    expect(await outcomeOf(as(caller), 'PATCH', path, changes[collection])).toBe(change);
    expect(await outcomeOf(as(caller), 'DELETE', path)).toBe(remove);
    const left = await as('service').get(path);
    expect(left.body.length).toBe(remove === 'yes' ? 0 : 1);
  });
});

describe('creating', () => {
  const creations: [caller: string, collection: Collection, row: () => object, status: number][] = [
    ['anon', 'quotes', () => aQuote(account), 401],
    ['anon', 'graphics', () => aGraphic(), 401],
    ['anon', 'notifications', () => aNotification(account), 401],
    ['customer', 'quotes', () => aQuote(account), 201],
    ['customer', 'quotes', () => aQuote(team), 201],
    ['customer', 'quotes', () => aQuote(stranger), 403],
    ['customer', 'graphics', () => aGraphic(), 403],
    ['customer', 'notifications', () => aNotification(account), 403],
    ['staff', 'quotes', () => aQuote(stranger, { internal_notes: 'margin 30%' }), 201],
    ['staff', 'graphics', () => aGraphic(), 201],
    ['staff', 'notifications', () => aNotification(everyone), 201],
  ];
  it.each(creations)('%s in %s', async (caller, collection, row, status) => {
    const reply = await as(caller).send('POST', `/${collection}`, row());
    expect(reply.status, reply.text).toBe(status);
  });

  it('names the caller as creator', async () => {
    const { body } = await as('customer').send(
      'POST',
      '/quotes?select=created_by',
      aQuote(account),
      representation,
    );
    expect(body).toEqual([{ created_by: account }]);
  });
});

describe('internal_notes', () => {
  let id: string;
  beforeAll(async () => {
    const row = aQuote(account, { internal_notes: 'margin 30%' });
    id = (await as('service').send('POST', '/quotes?select=id', row, representation)).body[0].id;
  });

  it('is read by staff', async () => {
    const { body } = await as('staff').get(`/quotes?id=eq.${id}&select=internal_notes`);
    expect(body).toEqual([{ internal_notes: 'margin 30%' }]);
  });

  it('is not part of * for a customer', async () => {
    const read = await as('customer').get(`/quotes?id=eq.${id}`);
    const written = await as('customer').send(
      'PATCH',
      `/quotes?id=eq.${id}`,
      { company: 'Lions' },
      representation,
    );
    for (const { status, body } of [read, written]) {
      expect(status).toBe(200);
      expect(body[0]).toMatchObject({ id, quote_number: 'QT-2026-00001' });
      expect(body[0]).not.toHaveProperty('internal_notes');
    }
  });

  it.each([
    ['GET', 'select=internal_notes'],
    ['GET', 'select=id,n:internal_notes::text'],
    ['GET', 'select=internal_notes->>x'],
    ['GET', 'select=internal_notes.max()'],
    ['GET', 'internal_notes=like.margin*'],
    ['GET', 'or=(internal_notes.is.null,id.is.null)'],
    ['GET', 'order=internal_notes'],
    ['PATCH', 'internal_notes=is.null'],
    ['DELETE', 'internal_notes=is.null'],
  ])('is refused to a customer by name: %s ?%s', async (method, query) => {
    const body = method === 'PATCH' ? { company: 'x' } : undefined;
    const reply = await as('customer').send(method, `/quotes?${query}`, body, representation);
    expect(reply.status).toBe(403);
    expect(reply.body).toMatchObject({ code: '42501', message: expect.stringContaining('internal_notes') });
    expect(reply.text).not.toContain('margin');
  });

  it.each([
    'internal_notes',
    'unit_price',
    'total_price',
    'quoted_at',
    'quoted_by',
    'expires_at',
    'deleted_at',
  ])('and other columns that only staff may write are refused in a body of a customer: %s', async name => {
    const reply = await as('customer').send('PATCH', `/quotes?id=eq.${id}`, { [name]: null });
    expect(reply.status).toBe(403);
    expect(reply.body.message).toContain(name);
  });
});
