/** Joins that are refused: with the reason, and with what would be accepted. */
import { describe, expect, it } from 'vitest';
import { createAccessToken } from '../../functions/local/access-token.ts';
import { useService } from '../setup/service.ts';
import { all, allQuotes, useLive } from './wire.ts';

const service = useService();
const live = useLive(service);

const refusal = async (bindings: object[], token = live.token): Promise<string> => {
  const { status, response } = await (await live.open()).join('x', bindings, token);
  expect(status).toBe('error');
  return response.reason;
};

describe('a join is refused', () => {
  it('without a token, or with a key for one, and is accepted on the same socket with one', async () => {
    const wire = await live.open();
    for (const given of [undefined, '', service.publishableKey]) {
      const { response } = await wire.join('x', [all], given);
      expect(response).toEqual({ reason: expect.stringMatching(/^PGRST302: /) });
    }
    expect(await wire.join('x', [all], live.token)).toMatchObject({ status: 'ok' });
  });

  const expired = { exp: Math.floor(Date.now() / 1000) - 60 };
  it.each([
    ['is malformed', async () => 'a.b.c', /^PGRST301: /],
    [
      'was signed by others',
      () => createAccessToken('x'.repeat(32), { account: live.account }),
      /^PGRST301: /,
    ],
    [
      'has expired',
      () => service.token({ account: live.account, claims: expired }),
      /^PGRST303: JWT expired$/,
    ],
  ])('with a token that %s', async (_, make, reason) => {
    expect(await refusal([all], await make())).toMatch(reason);
  });

  it('for a private channel', async () => {
    const wire = await live.open();
    const config = { private: true, postgres_changes: [all] };
    const ref = wire.send('realtime:x', 'phx_join', { config, access_token: live.token });
    const reason = expect.stringMatching(/^22023: Private/);
    expect(await wire.reply(ref)).toMatchObject({ status: 'error', response: { reason } });
  });

  const history = { ...all, table: 'quote_events' };
  it.each<[what: string, binding: object, reason: RegExp]>([
    ['a collection without live updates', { ...all, table: 'graphics' }, /^22023: .*graphics.*quotes/],
    ['another schema', { ...all, schema: 'auth' }, /^PGRST106: /],
    ['another event', { ...all, event: 'TRUNCATE' }, /^22023: postgres_changes\.0\.event /],
    ['a filter without an operator', { ...all, filter: 'dismissed' }, /^22023: /],
    ['an unknown operator', { ...all, filter: 'dismissed=is_not.true' }, /^PGRST100: /],
    ['an unknown column', { ...all, filter: 'colour=eq.red' }, /^42703: .*colour/],
    ['a selection of columns it may not read', { ...allQuotes, select: ['internal_notes'] }, /^42501: /],
    [
      'conditions joined as in an address',
      { ...allQuotes, filter: 'status=eq.draft&a=eq.x' },
      /^22023: .*draft/,
    ],
    ['a value that never matches', { ...all, filter: 'type=eq.new' }, /^22023: .*type.*warning/],
    ['one of the history', { ...history, filter: 'created_as=eq.new' }, /^22023: .*created_as.*sweep/],
  ])('for %s', async (_, binding, reason) => {
    expect(await refusal([binding])).toMatch(reason);
  });

  it('and a client of 1.0.0 is sent an error after it, upon which it joins again', async () => {
    const wire = await live.open({ version: '1.0.0' });
    await wire.join('x', [all]);
    const error = await wire.until(({ event }) => event === 'phx_error');
    expect(error).toMatchObject({ topic: 'realtime:x', ref: '1' });
  });
});
