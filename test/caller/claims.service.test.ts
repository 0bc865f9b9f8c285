/** Tokens with a valid signature and unexpected claims give no access. Which claims are refused is in test/caller/token/token.test.ts. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { everyone } from '../../schema/everyone.ts';
import { aGraphic, aNotification, aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { type Caller, callerOf, type Reply, representation } from '../setup/wire.ts';
import { forge, hmac } from './token/forge.ts';

const account = randomUUID();
const team = randomUUID();
const stranger = randomUUID();
/** The marker in all rows that no customer may see. */
const planted = 'the wolves of the north';

const service = useService();
let own: string;
let notices: Record<'own' | 'system' | 'stranger', string>;
beforeAll(async () => {
  const asService = callerOf(service, service.secretKey);
  const make = async (path: string, row: object): Promise<string> => {
    const { status, body, text } = await asService.send('POST', `${path}?select=id`, row, representation);
    expect(status, text).toBe(201);
    return body[0].id;
  };
  own = await make('/quotes', aQuote(account));
  await make('/quotes', aQuote(stranger, { company: planted, internal_notes: planted }));
  await make('/graphics', aGraphic({ name: planted, is_active: false }));
  notices = {
    own: await make('/notifications', aNotification(account)),
    system: await make('/notifications', aNotification(everyone)),
    stranger: await make('/notifications', aNotification(stranger, { body: planted })),
  };
});

const claimsOf = (more: object) => ({
  role: 'authenticated',
  sub: account,
  aud: 'authenticated',
  jti: randomUUID(),
  exp: Math.floor(Date.now() / 1000) + 600,
  ...more,
});
/** A caller whose token has other claims, or text after the valid ones, in which a name may occur again. */
const bearing = (claims: object | string): Caller => {
  const payload =
    typeof claims === 'string' ? `${JSON.stringify(claimsOf({})).slice(0, -1)},${claims}}` : claimsOf(claims);
  const token = forge({ alg: 'HS256', typ: 'JWT' }, payload, hmac(service.jwtSecret));
  return callerOf(service, service.publishableKey, token);
};

/** Requests that would show or change something with more rights. */
const probes: [method: string, path: string, body?: () => object][] = [
  ['GET', '/quotes?select=id,account_id,company'],
  ['HEAD', '/quotes'],
  ['GET', '/quotes?select=internal_notes'],
  ['GET', '/quotes?internal_notes=is.null'],
  ['GET', '/quotes?order=internal_notes'],
  ['PATCH', `/quotes?account_id=eq.${stranger}`, () => ({ customer_notes: 'mine' })],
  ['POST', '/quotes', () => aQuote(stranger)],
  ['PATCH', '/quotes?sport=neq.x', () => ({ unit_price: 1 })],
  ['GET', '/notifications?select=id&order=id'],
  ['PATCH', '/notifications?id=gt.0&select=id&order=id', () => ({ dismissed: true })],
  ['DELETE', `/notifications?account_id=in.(${everyone},${stranger})&select=id`],
  ['POST', '/notifications', () => aNotification(account)],
  ['GET', '/graphics?is_active=is.false&select=id'],
  ['POST', '/graphics', () => aGraphic()],
  ['POST', '/rpc/next_quote_number', () => ({})],
  ['GET', '/'],
];
const replies = (caller: Caller): Promise<Reply[]> =>
  Promise.all(probes.map(([method, path, body]) => caller.send(method, path, body?.(), representation)));

/** Expects the responses that a customer with one quote and one notification gets. */
async function expectPlainCustomer(caller: Caller): Promise<void> {
  const answered = await replies(caller);
  const ids = (...ids: unknown[]) => ids.map(id => ({ id }));
  const none: unknown[] = [];
  expect(answered.map(({ status, body }) => (status === 200 ? (body ?? null) : status))).toEqual([
    [{ id: own, account_id: account, company: null }],
    null,
    403,
    403,
    403,
    none,
    403,
    403,
    ids(notices.own, notices.system),
    ids(notices.own, notices.system),
    none,
    403,
    none,
    403,
    expect.stringMatching(/^QT-/),
    expect.objectContaining({ swagger: '2.0' }),
  ]);
  const said = answered.map(({ text }) => text).join();
  expect(said).not.toContain(planted);
  expect(said).not.toContain('of the kind `staff`');
}

it.each<[what: string, claims: object | string]>([
  ['nothing', {}],
  ['app_metadata that is a list', { app_metadata: ['admin', { role: 'admin' }] }],
  ['user_metadata', { user_metadata: { role: 'admin', account_ids: [stranger], sub: stranger } }],
  ['similar names', { account_ids: [stranger], user_role: 'admin', APP_METADATA: { role: 'admin' } }],
  ['a role, and then none', '"app_metadata":{"role":"admin"},"app_metadata":{"__proto__":{"role":"admin"}}'],
  ['a session of an anonymous user', { is_anonymous: true }],
  ['an anonymous admin', { is_anonymous: true, app_metadata: { role: 'admin' } }],
  ['__proto__', '"__proto__":{"role":"service_role","app_metadata":{"role":"admin"}}'],
  ['120 accounts', { app_metadata: { account_ids: Array.from({ length: 120 }, () => randomUUID()) } }],
])('a token makes its holder a plain customer, whatever else it claims: %s', (_, claims) =>
  expectPlainCustomer(bearing(claims)));

it('a token without a user makes an anonymous caller, whatever else it claims', async () => {
  const caller = bearing({ role: 'anon', app_metadata: { role: 'admin', account_ids: [stranger] } });
  const isPublic = (path: string) => path.startsWith('/graphics?') || path === '/';
  const statuses = (await replies(caller)).map(({ status }) => status);
  expect(statuses).toEqual(probes.map(([, path]) => (isPublic(path) ? 200 : 401)));
  expect((await caller.get('/graphics?is_active=is.false')).body).toEqual([]);
});

it('the database gets the claims that affect a decision, and no others', async () => {
  await service.sql`
    alter table builder.quotes alter company set default current_setting('request.jwt.claims', true)`;
  onTestFinished(async () => {
    await service.sql`alter table builder.quotes alter company drop default`;
  });
  const caller = bearing({
    app_metadata: { role: 'customer', account_ids: [team.toUpperCase()], plan: 'gold' },
    user_metadata: { role: 'admin', name: "Robert'); drop table quotes; --" },
    email: 'a@example.com',
  });
  const { body } = await caller.send('POST', '/quotes?select=company', aQuote(account), representation);
  expect(JSON.parse(body[0].company)).toEqual({
    role: 'authenticated',
    sub: account,
    app_metadata: { account_ids: [team] },
  });
});
