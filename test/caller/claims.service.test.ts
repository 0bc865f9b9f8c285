/** Tokens with a valid signature and unexpected claims give no access. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { aGraphic, aNotification, aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { type Caller, callerOf, type Reply, representation } from '../setup/wire.ts';
import { forge, hmac } from '../token/forge.ts';

const everyone = '00000000-0000-0000-0000-000000000000';
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
  for (const owner of [stranger, everyone]) {
    await make('/quotes', aQuote(owner, { company: planted, internal_notes: planted }));
  }
  await make('/graphics', aGraphic({ name: planted, is_active: false }));
  notices = {
    own: await make('/notifications', aNotification(account)),
    system: await make('/notifications', aNotification(everyone)),
    stranger: await make('/notifications', aNotification(stranger, { body: planted })),
  };
});

const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;
const claimsOf = (more: object) => ({
  role: 'authenticated',
  sub: account,
  aud: 'authenticated',
  exp: inSeconds(600),
  jti: randomUUID(),
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
  ['GET', `/quotes?select=id&account_id=eq.${everyone}`],
  ['PATCH', `/quotes?account_id=eq.${stranger}`, () => ({ customer_notes: 'mine' })],
  ['DELETE', `/quotes?account_id=eq.${stranger}`],
  ['POST', '/quotes', () => aQuote(stranger)],
  ['POST', '/quotes', () => aQuote(everyone)],
  ['PATCH', `/quotes?id=eq.${randomUUID()}`, () => ({ unit_price: 1 })],
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

/** Expects every probe to be refused. */
async function expectRefused(caller: Caller): Promise<void> {
  for (const { status, headers, body, text } of await replies(caller)) {
    expect(status, text).toBe(401);
    expect(headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token"/);
    if (text !== '') {
      expect(body).toMatchObject({ code: 'PGRST303', message: expect.stringMatching(/^(The token's|JWT)/) });
    }
  }
}

/** Expects the responses that a customer with one quote and one notification gets. */
async function expectPlainCustomer(caller: Caller): Promise<void> {
  const answered = await replies(caller);
  const ids = (...ids: unknown[]) => ids.map(id => ({ id }));
  const none: unknown[] = [];
  expect(answered.map(({ status, body }) => (status === 200 ? (body ?? null) : status))).toEqual([
    [{ id: own, account_id: account, company: null }],
    null,
    403,
    none,
    none,
    none,
    403,
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

const uuidTexts = [
  '',
  'me',
  '*',
  `${stranger} `,
  `{${stranger}}`,
  stranger.replaceAll('-', ''),
  `urn:uuid:${stranger}`,
  `${stranger}\n`,
  `${stranger}\0`,
  `${stranger}' or true --`,
  `{${stranger},${everyone}}`,
  'null',
  '__proto__',
];

describe('a token is refused everywhere for', () => {
  const roles: unknown[] = [
    'postgres',
    'builder_staff',
    'builder_customer',
    'builder_api',
    'builder_sweeper',
    'supabase_admin',
    'Authenticated',
    'authenticated ',
    'admin',
    '',
    null,
    0,
    true,
    ['authenticated'],
    ['service_role'],
    { role: 'service_role' },
    undefined,
    '__proto__',
    'constructor',
    'authenticated\0',
    "authenticated', true), set_config('role', 'builder_staff",
  ];
  it.each(roles)('its role: %j', role => expectRefused(bearing({ role })));

  it.each([...uuidTexts, undefined, null, 1, [account], { sub: account }, everyone])('its sub: %j', sub =>
    expectRefused(bearing({ sub })));

  it.each([null, 'admin', 1, true])('its app_metadata: %j', app_metadata =>
    expectRefused(bearing({ app_metadata })));

  it.each([null, 1, true, ['admin'], { admin: true }])('its app_metadata.role: %j', role =>
    expectRefused(bearing({ app_metadata: { role } })));

  it.each([
    ...uuidTexts.map(text => [text]),
    ...[null, stranger, '*', 1, true, {}, { 0: stranger }],
    ...[[null], [1], [[stranger]], [{ id: stranger }], [account, everyone]],
  ])('its app_metadata.account_ids: %j', account_ids =>
    expectRefused(bearing({ app_metadata: { account_ids } })));
});

describe('a token makes its holder a plain customer, whatever else it claims:', () => {
  const pretences: [what: string, claims: object | string][] = [
    ['nothing', {}],
    ['its sub in capitals', { sub: account.toUpperCase() }],
    ['its own account once more', { app_metadata: { account_ids: [account, account.toUpperCase()] } }],
    ...[
      'ADMIN',
      'admin ',
      'admin\0',
      '\ud800',
      'service_role',
      'builder_staff',
      'admin,sales',
      '',
      '__proto__',
    ].map((role): [string, object] => [
      `app_metadata.role ${JSON.stringify(role)}`,
      { app_metadata: { role } },
    ]),
    ['app_metadata that is a list', { app_metadata: ['admin', { role: 'admin' }] }],
    ['other names in app_metadata', { app_metadata: { roles: ['admin'], is_admin: true, Role: 'admin' } }],
    ['user_metadata', { user_metadata: { role: 'admin', account_ids: [stranger], sub: stranger } }],
    ['a session of an anonymous user', { is_anonymous: true }],
    [
      'names that are not read',
      { account_ids: [stranger], account_id: stranger, user_role: 'admin', is_admin: true },
    ],
    [
      'names of other kinds',
      { APP_METADATA: { role: 'admin' }, 'app_metadata.role': 'admin', 'app_metadata\0': 1 },
    ],
    ['__proto__', '"__proto__":{"role":"service_role","app_metadata":{"role":"admin"}}'],
    [
      '__proto__ of app_metadata',
      `"app_metadata":{"__proto__":{"role":"admin","account_ids":["${stranger}"]}}`,
    ],
    ['constructor', '"app_metadata":{"constructor":{"prototype":{"role":"admin"}}}'],
    ['staff, and then again not', '"app_metadata":{"role":"admin"},"app_metadata":{}'],
    ['a stranger, and then itself', `"sub":"${stranger}","sub":"${account}"`],
    [
      'far too much',
      { user_metadata: { text: 'x'.repeat(4000) }, app_metadata: { text: "'\\\n".repeat(100) } },
    ],
  ];
  it.each(pretences)('%s', (_, claims) => expectPlainCustomer(bearing(claims)));

  it('more than a hundred accounts', async () => {
    const account_ids = Array.from({ length: 120 }, () => randomUUID());
    await expectPlainCustomer(bearing({ app_metadata: { account_ids } }));
  });
});

describe('a token without a user', () => {
  it.each(['anon'])('makes an anonymous caller, whatever else it claims: %s', async role => {
    const caller = bearing({ role, app_metadata: { role: 'admin', account_ids: [stranger] } });
    const statuses = (await replies(caller)).map(({ status }) => status);
    const [inactive, root] = [
      probes.findIndex(([, path]) => path.startsWith('/graphics?')),
      probes.length - 1,
    ];
    expect(statuses).toEqual(probes.map((_, index) => (index === inactive || index === root ? 200 : 401)));
    expect((await caller.get('/graphics?is_active=is.false')).body).toEqual([]);
  });
});

describe('the database', () => {
  it('gets the claims that affect a decision, and no others', async () => {
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
});
