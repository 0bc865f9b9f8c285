/** The engine writes tables that it has never seen, with their rules, and says what to send instead. */
import { describe, expect, it } from 'vitest';
import { representation } from '../../setup/wire.ts';
import { club, useClub } from './serve-club.ts';

const { callers } = useClub();
const object = { accept: 'application/vnd.pgrst.object+json', ...representation };
const merge = { prefer: 'return=representation,resolution=merge-duplicates' };

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
      expect.stringMatching(/^changed: .* Read it again\.$/),
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

  it('reports a key that no row of the other table has at its column', async () => {
    const { status, body } = await callers.customer.send('PATCH', '/players?handle=eq.anna', {
      coach: 'Zoe',
    });
    expect([status, body.code]).toEqual([409, '23503']);
    expect(body.issues).toEqual([
      {
        path: 'coach',
        expected: 'the key of a row of players',
        received: '"Zoe"',
        message: 'coach must be the key of a row of players; it is "Zoe".',
      },
    ]);
  });

  it('marks a row that stays visible, and says what to do in place of a write that no customer has', async () => {
    const [{ round }] = (
      await callers.staff.send('POST', '/matches', { club, white: 'anna', black: 'Anna' }, representation)
    ).body;
    const path = `/matches?round=eq.${round}&select=annulled`;
    const marked = await callers.staff.send('DELETE', path, undefined, representation);
    expect(marked.body[0].annulled).not.toBeNull();
    expect((await callers.customer.get(path)).body).toEqual(marked.body);
    const { status, body } = await callers.customer.send('POST', '/matches', { club });
    expect([status, body.hint]).toEqual([403, 'Play again: rematch.']);
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
