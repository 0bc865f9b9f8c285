/** The engine calls functions that it has never seen, and describes them with their tables. */
import { describe, expect, it } from 'vitest';
import { useClub } from './serve-club.ts';

const { callers, env } = useClub();

describe('functions of an invented schema', () => {
  it('returns a value for the arguments that are sent, and the database’s default for others', async () => {
    const introduce = async (args: object) => (await callers.staff.send('POST', '/rpc/introduce', args)).body;
    expect(await introduce({ one: "it's", times: 1 })).toBe(`"it's", `);
    expect(await introduce({ times: 3, one: 'a' })).toBe('"a", "a", "a", ');
    expect(await introduce({ one: 'a' })).toBe('"a", "a", ');
    const reply = await callers.customer.send('POST', '/rpc/introduce', { one: 'a' });
    expect(reply).toMatchObject({ status: 403, body: { code: '42501' } });
  });

  it('returns a value with commas and quotes as one cell of CSV', async () => {
    const csv = { accept: 'text/csv' };
    const { text } = await callers.staff.send('POST', '/rpc/introduce', { one: 'a', times: 1 }, csv);
    expect(text).toBe('pgrst_scalar\n"""a"", "');
  });

  it('refuses other arguments with the list of its own, and values with their fields', async () => {
    for (const body of [{ times: 1 }, { one: 'a', often: 2 }, [{ one: 'a' }]]) {
      const refused = await callers.staff.send('POST', '/rpc/introduce', body);
      expect(refused.body.hint).toBe('introduce takes the arguments { one, times? }.');
    }
    const { status, body } = await callers.staff.send('POST', '/rpc/introduce', { one: 'a', times: 'x' });
    expect([status, body.issues]).toMatchObject([400, [{ path: 'times' }]]);
  });

  it('returns an object that the worker completes, unless it is turned off', async () => {
    const call = () => callers.customer.send('POST', '/rpc/bet', { round: 1, stake: 1 });
    expect((await call()).body).toEqual({ odds: 7, ticket: 'of a customer' });
    env.DELIVER = 'off';
    const off = await call();
    delete env.DELIVER;
    expect([off.status, off.body.hint]).toEqual([404, 'The operator has turned it off: DELIVER=off.']);
  });

  it('reports an argument that the function refuses at its field', async () => {
    const { status, body } = await callers.customer.send('POST', '/rpc/bet', { round: 1, stake: 0 });
    expect([status, body.issues]).toEqual([
      400,
      [
        {
          path: 'stake',
          expected: 'at least 1',
          received: '0',
          message: 'stake must be at least 1; it is 0.',
        },
      ],
    ]);
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
      expect.arrayContaining(['/players', '/bulletins', '/rpc/introduce', '/rpc/rematch']),
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
