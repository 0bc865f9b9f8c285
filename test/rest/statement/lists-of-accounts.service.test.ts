/** Ordered lists of a customer with several accounts: the same rows as staff get who name these accounts, in one order. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { everyone } from '../../../schema/everyone.ts';
import { aNotification, aQuote } from '../../setup/rows.ts';
import { useService } from '../../setup/service.ts';
import { callerOf, signIn } from '../../setup/wire.ts';

// Its functions are replaced, so no other file may have it.
const service = useService({ bindings: { MAX_ROWS: '7' } });
const own = randomUUID();
const teams = [randomUUID(), randomUUID(), randomUUID()];
const accounts = [own, ...teams];
const sports = ['golf', 'rugby', 'chess'];

beforeAll(async () => {
  const time = (n: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, (n * 7) % 20)).toISOString();
  const strangers = [randomUUID(), randomUUID()];
  const of = [...accounts, ...strangers, everyone];
  const quotes = Array.from({ length: 70 }, (_, n) => ({
    ...aQuote([...accounts, ...strangers][n % 6] ?? ''),
    sport: sports[n % 3],
    created_at: time(n),
    event_date: n % 4 === 0 ? null : `2026-03-${(n % 9) + 10}`,
    customization: service.sql.json({ team: { rank: (n * 11) % 8 } }),
  }));
  await service.sql`insert into builder.quotes ${service.sql(quotes as never)}`;
  const notifications = Array.from({ length: 40 }, (_, n) => ({
    ...aNotification(of[n % of.length] ?? ''),
    created_at: time(n),
  }));
  await service.sql`insert into builder.notifications ${service.sql(notifications as never)}`;
});

const lists = [
  '/quotes?order=created_at.desc',
  '/quotes?order=created_at.desc&offset=5&limit=4&select=id,quote_number',
  '/quotes?order=event_date.desc.nullslast,id&sport=eq.golf',
  '/quotes?order=customization->team->>rank.desc,sport,id&select=rank:customization->team->rank,id',
  '/quotes?order=sport,created_at&or=(sport.eq.golf,event_date.is.null)&limit=3',
  '/notifications?order=created_at.desc',
  '/notifications?order=body,id.desc&select=id,account_id',
];

it.each(lists)('a customer of four accounts gets of %s what staff get of them, page by page', async path => {
  const customer = await signIn(service, { account: own, also: teams });
  const staff = callerOf(service, service.secretKey);
  const readable = path.startsWith('/notifications') ? [...accounts, everyone] : accounts;
  const columns = Object.keys((await customer.get(`${path.split('?')[0]}?limit=1`)).body[0]).join();
  const selected = path.includes('select=') ? path : `${path}&select=${columns}`;
  let [mine, theirs] = [selected, `${selected}&account_id=in.(${readable})`];
  for (;;) {
    const count = { prefer: 'count=exact' };
    const [got, expected] = [await customer.get(mine, count), await staff.get(theirs, count)];
    expect(got.body).toEqual(expected.body);
    expect(got.headers.get('content-range')).toBe(expected.headers.get('content-range'));
    const [next, theirNext] = [got, expected].map(({ headers }) => nextOf(headers));
    expect(next === undefined).toBe(theirNext === undefined);
    if (next === undefined || theirNext === undefined) {
      break;
    }
    [mine, theirs] = [next, theirNext];
  }
});

it('where memberships are in a table, a customer lists its own and what they say, not what the claims say, each row once', async () => {
  const member = randomUUID();
  await service.sql.unsafe(`
    create or replace function builder.account_ids() returns uuid[]
      language sql stable security definer set search_path = pg_catalog, pg_temp
    as $$ select case when builder.caller_id() = '${member}' then '{${[...teams, ...teams]}}'::uuid[] end $$`);
  const customer = await signIn(service, { account: member, also: [own] });
  const staff = callerOf(service, service.secretKey);
  for (const order of ['created_at.desc&limit=7', 'sport,id']) {
    const list = `/quotes?select=id&order=${order}`;
    const expected = await staff.get(`${list}&account_id=in.(${teams})`);
    expect(expected.body).toHaveLength(7);
    expect((await customer.get(list)).body).toEqual(expected.body);
  }
  const stranger = await signIn(service, { account: own });
  const list = '/quotes?select=id&order=created_at';
  expect((await stranger.get(list)).body).toEqual((await staff.get(`${list}&account_id=eq.${own}`)).body);
});

const nextOf = (headers: Headers): string | undefined =>
  /^<\/rest\/v1([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
