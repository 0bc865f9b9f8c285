/** Request headers, well-formed or not, and invalid credentials. */
import type { Service } from '../setup/service.ts';
import type { Chance } from './chance.ts';
import { anyNumber, anyText, mutated } from './texts.ts';

const preferences = [
  'return=representation',
  'return=minimal',
  'return=headers-only',
  'count=exact',
  'count=planned',
  'count=estimated',
  'resolution=merge-duplicates',
  'resolution=ignore-duplicates',
  'missing=default',
  'handling=strict',
  'handling=lenient',
  'max-affected=1',
  'timezone=Europe/Berlin',
];

const mediaTypes = [
  'application/json',
  'application/vnd.pgrst.object+json',
  'application/vnd.pgrst.array+json;nulls=stripped',
  'text/csv',
  'application/vnd.pgrst.plan+json; for="application/json"; options=analyze|verbose',
  'application/vnd.pgrst.plan',
  'image/png',
  '*/*;q=0.1, text/csv;q=0',
];

const anyPreference = (chance: Chance): string =>
  chance.weighted(
    [12, () => chance.pick(preferences)],
    [1, () => `timezone=${anyText(chance)}`],
    [1, () => `max-affected=${anyNumber(chance)}`],
    [1, () => anyText(chance)],
    [1, () => mutated(chance.pick(preferences), chance)],
  );

const anyTag = (chance: Chance): string =>
  chance.pick(['*', '"1-a"', 'W/"750-x", "4294967295-abc"', '""', `"${anyText(chance)}"`, anyText(chance)]);

/** Each of these occasionally. */
const makers: [name: string, percent: number, make: (chance: Chance) => string][] = [
  ['prefer', 45, chance => chance.several(1, 4, () => anyPreference(chance)).join(chance.pick([',', ', ']))],
  ['accept', 15, chance => (chance.percent(85) ? chance.pick(mediaTypes) : anyText(chance))],
  [
    'range',
    8,
    chance => (chance.percent(70) ? chance.pick(['0-0', '1-', '0-1', '5-2', '999-']) : anyText(chance)),
  ],
  ['range-unit', 3, anyText],
  ['accept-profile', 4, chance => chance.pick(['public', 'builder', 'pg_catalog', anyText(chance)])],
  ['content-profile', 4, chance => chance.pick(['public', 'builder', 'auth', anyText(chance)])],
  ['if-match', 4, anyTag],
  ['if-none-match', 4, anyTag],
  // A few keys, so that callers use each other's.
  [
    'idempotency-key',
    12,
    chance =>
      chance.percent(85) ? chance.pick(['kept', 'key-1', 'key-2', `k${chance.below(1e6)}`]) : anyText(chance),
  ],
  ['x-request-id', 4, anyText],
  ['traceparent', 4, chance => mutated('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', chance)],
  ['x-forwarded-for', 2, anyText],
  ['cookie', 2, anyText],
  ['origin', 3, chance => chance.pick(['https://builder.example', 'null', anyText(chance)])],
  ['x-client-info', 2, anyText],
  ['x-http-method-override', 1, () => 'DELETE'],
];

/** A tame request has only preferences and an Idempotency-Key. */
export function anyHeaders(chance: Chance, isWild: boolean): Record<string, string> {
  if (!isWild) {
    return {
      ...(chance.percent(60) && { prefer: chance.several(1, 2, () => chance.pick(preferences)).join(',') }),
      ...(chance.percent(10) && { 'idempotency-key': chance.pick(['kept', 'key-1', 'key-2', 'key-3']) }),
      ...(chance.percent(5) && { accept: chance.pick(mediaTypes) }),
    };
  }
  const headers: Record<string, string> = {};
  for (const [name, percent, make] of makers) {
    if (chance.percent(percent)) {
      headers[name] = make(chance);
    }
  }
  return headers;
}

/** Credentials that the service must refuse, made from valid ones. */
export async function makeBadCredentials(service: Service): Promise<Record<string, string>[]> {
  const account = 'a1a1a1a1-0000-4000-8000-0000000000ac';
  const good = service.headers(await service.token({ account }));
  const bearer = (token: string) => ({ ...good, authorization: `Bearer ${token}` });
  const signed = async (claims: Record<string, unknown>) => bearer(await service.token({ account, claims }));
  const [, body = '', signature = ''] = good.authorization.split('.');
  const header = (alg: string) => Buffer.from(JSON.stringify({ alg, typ: 'JWT' })).toString('base64url');
  return [
    {},
    { authorization: good.authorization },
    { ...good, authorization: 'Bearer' },
    { ...good, apikey: `${good.apikey}x` },
    { ...good, apikey: good.apikey.slice(1) },
    { ...good, apikey: service.secretKey.slice(0, -1) },
    { ...good, authorization: good.authorization.replace('Bearer ', 'Basic ') },
    bearer(`${header('none')}.${body}.`),
    bearer(`${header('HS512')}.${body}.${signature}`),
    bearer(good.authorization.slice(7, -2)),
    bearer('a.b.c'),
    bearer("x' or '1'='1"),
    await signed({ exp: 1 }),
    await signed({ nbf: 4e9 }),
    await signed({ role: 'postgres' }),
    await signed({ role: 'builder_staff' }),
    await signed({ sub: "x'; set role postgres; --" }),
    await signed({ sub: null }),
    await signed({ app_metadata: { account_ids: ["'); drop table builder.quotes; --"] } }),
    await signed({ app_metadata: { role: { $ne: null } } }),
  ];
}
