/** What the workers of this version send: the messages of requests, live updates, deliveries and the sweep. */
import type { RowList, Sql } from 'postgres';
import { anon } from '../../../functions/caller/caller.ts';
import { ok } from '../../../functions/common/failure/result.ts';
import type { Message } from '../../../functions/database/sql.ts';
import * as delivery from '../../../functions/delivery/statements.ts';
import * as live from '../../../functions/live/statements.ts';
import { createAccessToken } from '../../../functions/local/access-token.ts';
import { createRest } from '../../../functions/rest/rest.ts';
import * as sweep from '../../../functions/sweep/statements.ts';
import type { Collection } from '../../../schema/collection.ts';
import { collections } from '../../../schema/collections.ts';
import { functions } from '../../../schema/functions.ts';
import { quotes } from '../../../schema/quotes.ts';
import { sweepJobs } from '../../../schema/sweep-jobs.ts';
import { account, idOf } from './rows.ts';

export interface RecordedMessage {
  login: 'api' | 'jobs';
  /** The request or job that sends it. */
  name: string;
  text: string;
  /** The rows of its last statement. */
  rows: number;
}

export type Logins = Record<RecordedMessage['login'], Sql>;

/** Sends a message and undoes it. Resolves to the rows of its last statement. */
export async function tryMessage(logins: Logins, login: RecordedMessage['login'], text: string) {
  const connection = await logins[login].reserve();
  try {
    const results = await connection.unsafe(`begin;\n${text};\nrollback`).simple();
    return (
      (results as unknown as RowList<Record<string, string>[]>[]).findLast(
        ({ columns }) => columns?.length > 0,
      ) ?? []
    );
  } catch (error) {
    await connection.unsafe('rollback');
    throw error;
  } finally {
    connection.release();
  }
}

const newQuote = {
  account_id: account,
  quote_number: 'QT-2026-77777',
  product_id: account,
  sport: 'golf',
  customization: { team: 'Owls' },
};
const newGraphic = { name: 'Owl', code: 'OWL', file_url: 'https://cdn.test/owl.svg', file_format: 'svg' };
const offer = { status: 'quoted', unit_price: 2, total_price: 24, expires_at: '2099-01-01T00:00:00Z' };
const counted = { prefer: 'count=exact' };
const whole = { prefer: 'return=representation' };

type Caller = 'anon' | 'customer' | 'staff' | 'reader';
type Request = [
  as: Caller,
  method: string,
  path: string,
  body?: object | undefined,
  headers?: Record<string, string>,
];

const requests: Request[] = [
  [
    'customer',
    'GET',
    '/quotes?select=*,quote_events(event),quote_offers(*)&order=created_at.desc,id&limit=20',
    undefined,
    counted,
  ],
  ['customer', 'GET', `/quotes?id=eq.${idOf('quoted')}`],
  ['customer', 'POST', '/quotes', newQuote, whole],
  ['customer', 'POST', '/quotes', newQuote, { 'idempotency-key': 'second' }],
  [
    'customer',
    'POST',
    '/quotes',
    { ...newQuote, id: idOf('draft') },
    { prefer: 'resolution=merge-duplicates' },
  ],
  ['customer', 'PATCH', `/quotes?id=eq.${idOf('draft')}`, { customization: { team: 'Cubs' } }],
  ['customer', 'PATCH', `/quotes?id=eq.${idOf('draft')}`, { status: 'submitted' }, whole],
  ['customer', 'PATCH', `/quotes?id=eq.${idOf('quoted')}&total_price=eq.120`, { status: 'approved' }],
  ['customer', 'PATCH', `/quotes?id=eq.${idOf('rejected')}`, { status: 'draft' }],
  ['customer', 'DELETE', `/quotes?id=eq.${idOf('cancelled')}`],
  ['customer', 'GET', '/quote_events?order=id&limit=5'],
  ['customer', 'GET', '/quote_offers?order=id&limit=5'],
  ['customer', 'GET', '/notifications?order=created_at.desc&limit=5'],
  ['customer', 'PATCH', '/notifications?dismissed=is.false', { dismissed: true }],
  ['customer', 'DELETE', `/notifications?account_id=eq.${account}`],
  ['customer', 'POST', '/rpc/next_quote_number', {}],
  ['customer', 'POST', '/rpc/duplicate_quote', { id: idOf('ordered') }],
  ['anon', 'GET', '/graphics?order=sort_order,id'],
  ['reader', 'GET', '/quotes?status=eq.quoted&select=id,total_price'],
  [
    'staff',
    'GET',
    '/quotes?status=in.(submitted,quoted)&contact_email=eq.ann@customer.test',
    undefined,
    counted,
  ],
  ['staff', 'GET', '/quotes?select=id,status&limit=3', undefined, { accept: 'text/csv' }],
  ['staff', 'PATCH', `/quotes?id=eq.${idOf('submitted')}`, offer],
  ['staff', 'PATCH', `/quotes?id=eq.${idOf('approved')}`, { status: 'ordered' }],
  ['staff', 'PATCH', `/quotes?id=eq.${idOf('reviewing')}`, { fulfillment_status: 'shipping' }],
  ['staff', 'PATCH', `/quotes?id=eq.${idOf('deleted')}`, { deleted_at: null }],
  ['staff', 'POST', '/graphics', newGraphic, whole],
  ['staff', 'PATCH', '/graphics?code=eq.LION-1', { is_active: false }],
  ['staff', 'DELETE', '/graphics?code=eq.LION-1'],
  [
    'staff',
    'POST',
    '/notifications',
    { account_id: account, body: 'Hello', dismissed: false, channel: 'email' },
  ],
  ['staff', 'GET', '/deliveries?order=id.desc&limit=5'],
  ['staff', 'POST', '/rpc/redeliver', { id: 1 }],
];

/** Sends the requests, each of which must succeed and is undone, and what no request sends. */
export async function recordMessages(logins: Logins): Promise<RecordedMessage[]> {
  const recorded: RecordedMessage[] = [];
  const send = async (login: RecordedMessage['login'], name: string, message: Message) => {
    const rows = await tryMessage(logins, login, message.text).catch(error => {
      throw new Error(`${name}: ${error.message}`);
    });
    recorded.push({ login, name, text: message.text, rows: rows.length });
    return rows;
  };
  await recordRequests(send);
  await send('api', 'health', sweep.healthMessage(anon, true));
  await recordLive(send);
  await recordJobs(send);
  return recorded;
}

/** Node's streams lack what workerd's have, by which bodies are read. These bodies are a chunk each. */
Object.assign(ReadableStreamBYOBReader.prototype, {
  readAtLeast(this: ReadableStreamBYOBReader, _: number, buffer: Uint8Array) {
    return this.read(buffer);
  },
});

type Send = (
  login: RecordedMessage['login'],
  name: string,
  message: Message,
) => Promise<Record<string, string>[]>;

async function recordRequests(send: Send): Promise<void> {
  const env = {
    PUBLISHABLE_KEY: 'sb_publishable_of_the_records',
    SECRET_KEY: 'sb_secret_of_the_records',
    READ_KEY: 'sb_secret_read_of_the_records',
    JWT_SECRET: 'a secret of the records, of 32 bytes',
  };
  let name = '';
  // Graphics are read from the database, as where no cache is.
  const served = collections.map(({ cached: _, ...collection }): Collection => collection);
  const app = createRest({
    hooks: { execute: async message => ok(await send('api', name, message)), afterWrite: () => [] },
    collections: served,
    described: { collections: served, functions },
  });
  const token = await createAccessToken(env.JWT_SECRET, { account });
  const credentials = {
    anon: { apikey: env.PUBLISHABLE_KEY },
    customer: { apikey: env.PUBLISHABLE_KEY, authorization: `Bearer ${token}` },
    staff: { apikey: env.SECRET_KEY },
    reader: { apikey: env.READ_KEY },
  };
  for (const [as, method, path, body, headers] of requests) {
    name = `${as} ${method} ${path}`;
    const request = new Request(`http://service.test/rest/v1${path}`, {
      method,
      headers: { ...credentials[as], ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const context = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} };
    const response = await app.fetch(request, env, context as unknown as ExecutionContext);
    if (!response.ok) {
      throw new Error(`${name}: ${response.status} ${await response.text()}`);
    }
  }
}

async function recordLive(send: Send): Promise<void> {
  const claims = { sub: account, role: 'authenticated' };
  const [now] = await send('api', 'live: the cursor', live.feedMessage(null, 5000, 100));
  await send('api', 'live: the feed', live.feedMessage(now?.['next'] ?? null, 5000, 100));
  await send('api', 'live: accounts', live.accountsMessage([claims], 100));
  const equals = { operator: 'eq', value: account } as const;
  const field = { column: 'account_id', type: quotes.columns.account_id.type, path: [] };
  const conditions = new Map([['own', { is: 'filter', field, operation: equals, negated: false } as const]]);
  const columns = ['id', 'account_id'];
  const readings = new Map(
    collections.flatMap(collection =>
      collection.live ? [[collection.name, { collection, columns, conditions }] as const] : [],
    ),
  );
  const within = {
    recordBytes: 65_536,
    answerBytes: 4_194_304,
    share: 5000,
    total: 5000,
    timeout: 5000,
    lockTimeout: 100,
  };
  for (const audience of ['customer', 'staff'] as const) {
    const callers: [object, number[]][] = [[claims, [1, 2, 3]]];
    const message = live.readMessage({ audience, lines: ['1', '2', '3'], callers, readings, within });
    await send('api', `live: rows for ${audience}`, message);
  }
}

async function recordJobs(send: Send): Promise<void> {
  await send(
    'jobs',
    'claim e-mails',
    delivery.claimMailsMessage({ mails: 3, aDay: 2000, staff: 'desk@builder.test', links: true }),
  );
  await send('jobs', 'claim calls', delivery.claimCallsMessage(3, false));
  const settlement = { message_id: account, claim: 1, outcome: 'sent' } as const;
  await send('jobs', 'settle', delivery.settleMessage([settlement]));
  await send('jobs', 'status', delivery.deliveryStatusMessage(true, false));
  await send('jobs', 'unsubscribe', delivery.unsubscribeMessage(account, 5000));
  for (const job of sweepJobs) {
    await send('jobs', `sweep ${job.function}`, sweep.sweepMessage(job, []));
  }
  await send('jobs', 'swept', sweep.sweptMessage);
}
