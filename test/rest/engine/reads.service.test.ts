/** The engine reads tables that it has never seen: what it knows of them is data. */
import { describe, expect, it } from 'vitest';
import { representation } from '../../setup/wire.ts';
import { useClub } from './serve-club.ts';

const { callers, env } = useClub();
const object = { accept: 'application/vnd.pgrst.object+json', ...representation };

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

  it('lists rows of the accounts that the functions of its owner return, also of those that are no caller’s', async () => {
    const match = { club: 'c0000000-0000-4000-8000-000000000009', white: 'anna', black: 'anna' };
    const { status, headers } = await callers.staff.send('POST', '/matches', match, {
      prefer: 'return=headers-only',
    });
    const list = await callers.stranger.get('/matches?order=round.desc&select=club');
    await callers.staff.send('DELETE', (headers.get('location') ?? '').replace('/rest/v1', ''));
    expect([status, list.body]).toEqual([201, [{ club: match.club }]]);
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

  it('lists each relation once in the hint for an unknown one', async () => {
    expect((await callers.staff.get('/matches?select=clubs(name)')).body.hint).toBe(
      'Known relations: players.',
    );
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
