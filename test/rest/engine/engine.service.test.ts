/** The engine serves tables that it has never seen: what it knows of them is data. */
import { beforeAll, describe, expect, it } from 'vitest';
import { representation } from '../../setup/wire.ts';
import { club, useClub } from './serve-club.ts';

const { callers, env } = useClub();
const object = { accept: 'application/vnd.pgrst.object+json', ...representation };
const merge = { prefer: 'return=representation,resolution=merge-duplicates' };

beforeAll(async () => {
  const { staff } = callers;
  const rows = [
    { handle: 'Anna', club, rating: 2000, biography: 'x'.repeat(65_536) },
    { handle: 'anna', club, rating: 1800, coach: 'Anna' },
    { handle: 'a,"b" é', club, rating: 1500, coach: 'Anna' },
  ];
  for (const row of rows) {
    expect(await staff.send('POST', '/players', row)).toMatchObject({ status: 201 });
  }
  for (const [white, black] of [
    ['Anna', 'anna'],
    ['anna', 'Anna'],
  ]) {
    expect(await staff.send('POST', '/matches', { club, white, black })).toMatchObject({ status: 201 });
  }
  expect(await staff.send('POST', '/bulletins', { slug: 'open-day', headline: 'Open day' })).toMatchObject({
    status: 201,
  });
});

describe('reads of an invented schema', () => {
  it('lists rows of the caller’s accounts by the order of its owner, and no column that it cannot read', async () => {
    const list = await callers.customer.get('/players?order=joined.desc&limit=2');
    expect(list.body.map(({ handle }: { handle: string }) => handle)).toEqual(['a,"b" é', 'anna']);
    expect(Object.keys(list.body[0])).not.toContain('rating');
    const [, next = ''] = /<(?:\/rest\/v1)?(.*)>; rel="next"/.exec(list.headers.get('link') ?? '') ?? [];
    expect((await callers.customer.get(next)).body).toMatchObject([{ handle: 'Anna' }]);
    expect((await callers.stranger.get('/players?order=joined.desc')).body).toEqual([]);
    expect(await callers.customer.get('/players?select=rating')).toMatchObject({ status: 403 });
  });

  it('returns a value of 64 KiB whole: of a row, in a list, and of an embedded row', async () => {
    const row = await callers.customer.get('/players?handle=eq.Anna&select=biography', object);
    const list = await callers.customer.get(
      '/players?order=biography.desc.nullslast&select=biography&limit=1',
    );
    const embedded = await callers.customer.get('/matches?round=eq.1&select=white(biography)', object);
    for (const { biography } of [row.body, ...list.body, embedded.body.white]) {
      expect(biography).toHaveLength(65_536);
    }
  });

  it('caches for the seconds of its collection, or of the setting that the collection names', async () => {
    const first = await callers.anon.get('/bulletins?slug=eq.open-day');
    expect(first.headers.get('cache-control')).toMatch(/^private, max-age=[67]$/);
    env['BULLETIN_SECONDS'] = '0';
    const off = await callers.anon.get('/bulletins?slug=eq.open-day');
    expect([off.body, off.headers.get('cache-control')]).toEqual([
      first.body,
      expect.stringContaining('no-store'),
    ]);
  });
});

describe('embedding in an invented schema', () => {
  it('finds each of two foreign keys to one table by its column or its constraint', async () => {
    const select = 'white(handle),other:players!matches_black_fkey(handle),coach:players!black(coach)';
    const { body } = await callers.staff.get(`/matches?select=${select}&round=eq.1`, object);
    expect(body).toEqual({ white: { handle: 'Anna' }, other: { handle: 'anna' }, coach: { coach: 'Anna' } });
    const { body: lists } = await callers.staff.get(
      '/players?select=matches!matches_white_fkey(round),lost:matches!black(round)&handle=eq.Anna',
      object,
    );
    expect(lists).toEqual({ matches: [{ round: 1 }], lost: [{ round: 2 }] });
  });

  it.each([
    '/matches?select=players(handle)',
    '/players?select=matches(round)',
  ])('refuses a name of two relations with the names of each: %s', async path => {
    const { status, body } = await callers.staff.get(path);
    expect([status, body.code, body.hint]).toEqual([
      300,
      'PGRST201',
      expect.stringContaining('matches_white_fkey'),
    ]);
    const [name = ''] = /\w+!\w+/.exec(body.hint) ?? [];
    expect(await callers.staff.get(path.replace(/=\w+/, `=${name}`))).toMatchObject({ status: 200 });
  });

  it('follows a reference to its own table to one row by the column, and to many by the table', async () => {
    const { body } = await callers.customer.get(
      '/players?select=handle,coach(handle),players(handle)&order=handle',
    );
    const anna = body.find(({ handle }: { handle: string }) => handle === 'Anna');
    expect(anna.coach).toBeNull();
    expect(anna.players.map(({ handle }: { handle: string }) => handle).sort()).toEqual(['a,"b" é', 'anna']);
    expect(body.find(({ handle }: { handle: string }) => handle === 'anna').coach).toEqual({
      handle: 'Anna',
    });
  });
});

describe('writes of an invented schema', () => {
  it('sends keys that differ only in case as two rows', async () => {
    const rows = [
      { handle: 'Anna', coach: null },
      { handle: 'anna', coach: 'Anna' },
    ];
    expect(await callers.customer.send('PATCH', '/players', rows, representation)).toMatchObject({
      status: 200,
      body: rows,
    });
    const put = await callers.staff.send('PUT', '/players?handle=eq.Anna', { handle: 'anna', club });
    expect([put.status, put.body.code]).toEqual([400, 'PGRST115']);
  });

  it('writes the version that an ETag names once, whatever characters the key has', async () => {
    const path = `/players?handle=eq.${encodeURIComponent('a,"b" é')}`;
    const etag = (await callers.customer.get(path, object)).headers.get('etag') ?? '';
    expect(await callers.customer.get(path, { 'if-none-match': etag, ...object })).toMatchObject({
      status: 304,
    });
    const save = () =>
      callers.customer.send('PATCH', path, { biography: 'B' }, { 'if-match': etag, ...object });
    const first = await save();
    expect([first.status, first.body.biography]).toEqual([200, 'B']);
    const second = await save();
    expect([second.status, second.body.hint]).toEqual([
      412,
      expect.stringMatching(/^changed: .* send touched exactly/),
    ]);
    const body = { handle: 'ü=&?', club };
    const location = (
      await callers.customer.send('POST', '/players', body, { prefer: 'return=headers-only' })
    ).headers.get('location');
    expect((await callers.customer.get(location ?? '')).body).toMatchObject([body]);
  });

  it('refuses a column of staff with its name, and accepts a read-only one unchanged', async () => {
    const path = '/players?handle=eq.anna';
    const refused = await callers.customer.send('PATCH', path, { rating: 3000 });
    expect([refused.status, refused.body.issues]).toMatchObject([403, [{ path: 'rating' }]]);
    const { joined } = (await callers.customer.get(path, object)).body;
    expect(await callers.customer.send('PATCH', path, { joined, biography: 'C' })).toMatchObject({
      status: 204,
    });
    const moved = await callers.customer.send('PATCH', path, { joined: '2020-01-01', biography: 'C' });
    expect([moved.status, moved.body.issues]).toMatchObject([403, [{ path: 'joined' }]]);
    const long = await callers.customer.send('PATCH', path, { biography: 'x'.repeat(65_537) });
    expect([long.status, long.body.issues]).toMatchObject([400, [{ path: 'biography' }]]);
  });

  it('deletes softly, and the hint of an upsert of the deleted row restores it', async () => {
    const row = { handle: 'Bo', club };
    expect(await callers.staff.send('POST', '/players', row)).toMatchObject({ status: 201 });
    expect(await callers.staff.send('DELETE', '/players?handle=eq.Bo')).toMatchObject({ status: 204 });
    expect((await callers.staff.get('/players?handle=eq.Bo')).body).toEqual([]);
    const { status, body } = await callers.staff.send('POST', '/players', [row], merge);
    expect([status, body.code]).toEqual([409, '23505']);
    const [, query = '', change = ''] = /PATCH …(\?\S+?)<\w+> with ({.*})/.exec(body.hint) ?? [];
    const restored = await callers.staff.send('PATCH', `/players${query}Bo`, JSON.parse(change), object);
    expect(restored).toMatchObject({ status: 200, body: { handle: 'Bo', departed: null } });
  });

  it('passes what a change compares to the rule that reads it', async () => {
    const path = '/matches?round=eq.2';
    const { seen } = (await callers.customer.get(path, object)).body;
    const refused = await callers.customer.send('PATCH', path, { outcome: 'draw' });
    expect([refused.status, refused.body.hint]).toEqual([409, 'PATCH /matches?round=eq.2&seen=eq.<seen>']);
    const version = `&seen=eq.${encodeURIComponent(seen)}`;
    const many = await callers.customer.send('PATCH', `/matches?round=gt.1${version}`, { outcome: 'draw' });
    expect(many.status).toBe(409);
    expect(await callers.customer.send('PATCH', path + version, { outcome: 'draw' })).toMatchObject({
      status: 204,
    });
  });

  it('writes a view by its trigger', async () => {
    const path = '/bulletins?slug=eq.open-day';
    const read = await callers.customer.get(path, object);
    const tag = { 'if-match': read.headers.get('etag') ?? '', ...object };
    expect(await callers.customer.send('PATCH', path, { noticed: true }, tag)).toMatchObject({
      status: 200,
      body: { noticed: true },
    });
    expect(await callers.customer.send('PATCH', path, { noticed: false }, tag)).toMatchObject({
      status: 412,
    });
    expect((await callers.stranger.get(path)).body).toMatchObject([{ noticed: false }]);
    expect(
      await callers.customer.send('PATCH', '/bulletins', [{ slug: 'open-day', noticed: false }]),
    ).toMatchObject({ status: 204 });
  });

  it.each([
    ['PATCH', '/players', 'handle'],
    ['DELETE', '/matches', 'round'],
  ])('asks for a filter by the key: %s %s', async (method, path, key) => {
    const { status, body } = await callers.staff.send(method, path, method === 'PATCH' ? {} : undefined);
    expect([status, body.hint]).toEqual([400, `Add a filter, for example ${key}=eq.<${key}>.`]);
  });
});

describe('functions of an invented schema', () => {
  it('returns a value for two arguments', async () => {
    const { staff, customer } = callers;
    expect((await staff.send('POST', '/rpc/gap', { one: 'Anna', other: 'anna' })).body).toBe(200);
    expect((await staff.send('POST', '/rpc/gap', { one: 'Anna' })).body.hint).toBe(
      'gap takes the arguments { one, other }.',
    );
    expect(await customer.send('POST', '/rpc/gap', { one: 'Anna', other: 'anna' })).toMatchObject({
      status: 403,
    });
  });

  it('returns the row of two arguments as its caller reads it, once for each Idempotency-Key', async () => {
    const call = (key: string) =>
      callers.customer.send(
        'POST',
        '/rpc/rematch?select=round,white(handle),black',
        { round: 1, swapped: true },
        { 'idempotency-key': key },
      );
    const [first, again, other] = [await call('a'), await call('a'), await call('b')];
    expect(first).toMatchObject({ status: 200, body: { white: { handle: 'anna' }, black: 'Anna' } });
    expect(again.body).toEqual(first.body);
    expect(other.body.round).toBeGreaterThan(first.body.round);
    expect(await callers.stranger.send('POST', '/rpc/rematch', { round: 1 })).toMatchObject({
      status: 404,
      body: { code: 'PT404' },
    });
  });
});

describe('the description of an invented schema', () => {
  it('has in OpenAPI what a row may have embedded, by each of two relations', async () => {
    const { body } = await callers.staff.get('/openapi.json');
    const { properties } = body.components.schemas.matches;
    expect(properties.players.description).toContain('select=*,players!matches_white_fkey(*)');
    expect(properties.players.description).toContain('select=*,players!matches_black_fkey(*)');
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining(['/players', '/bulletins', '/rpc/gap', '/rpc/rematch']),
    );
  });

  it('shows customers no column that they cannot read', async () => {
    for (const path of ['/', '/openapi.json']) {
      expect((await callers.customer.get(path)).text).not.toContain('rating');
    }
  });

  it('has types of each foreign key with the key that it refers to', async () => {
    const { text } = await callers.customer.get('/', { accept: 'application/typescript' });
    const references = [...text.matchAll(/foreignKeyName: '(\w+)';[^}]*?referencedColumns: (\[.*?\])/g)];
    expect(references.map(([, name, columns]) => [name, columns])).toEqual([
      ['players_coach_fkey', "['handle']"],
      ['matches_white_fkey', "['handle']"],
      ['matches_black_fkey', "['handle']"],
    ]);
    expect(text).toContain('rematch: { Args: { round: number; swapped?: boolean | null }');
    expect(text).not.toContain('rating');
  });
});
