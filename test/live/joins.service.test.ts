/** Joins that are refused: with the reason, and with what would be accepted. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { createAccessToken } from '../../functions/local/access-token.ts';
import { useService } from '../setup/service.ts';
import { all, allQuotes, useWires } from './wire.ts';

const service = useService();
const { open } = useWires(service);

let account: string;
let token: string;
beforeEach(async () => {
  account = randomUUID();
  token = await service.token({ account });
});

const refusal = async (bindings: object[], given: string | undefined = token): Promise<string> => {
  const wire = await open();
  const { status, response } = await wire.join('x', bindings, given);
  expect(status).toBe('error');
  return response.reason;
};

describe('a join is refused', () => {
  it('without a token, or with a key for one: nobody is signed in', async () => {
    const wire = await open();
    for (const given of [undefined, '', service.publishableKey]) {
      const { response } = await wire.join('x', [all], given);
      expect(response).toEqual({ reason: expect.stringMatching(/^PGRST302: /) });
    }
  });

  it.each([
    ['is malformed', async () => 'a.b.c', /^PGRST301: /],
    ['was signed by others', () => createAccessToken('x'.repeat(32), { account }), /^PGRST301: /],
    [
      'has expired',
      () => service.token({ account, claims: { exp: Math.floor(Date.now() / 1000) - 60 } }),
      /^PGRST303: JWT expired$/,
    ],
  ])('with a token that %s', async (_, make, reason) => {
    expect(await refusal([all], await make())).toMatch(reason);
  });

  it('for a private channel', async () => {
    const wire = await open();
    const payload = { config: { private: true, postgres_changes: [all] }, access_token: token };
    const reply = await wire.reply(wire.send('realtime:x', 'phx_join', payload));
    expect(reply).toMatchObject({
      status: 'error',
      response: { reason: expect.stringMatching(/^22023: Private/) },
    });
  });

  it.each<[what: string, binding: object, reason: RegExp]>([
    ['a collection without live updates', { ...all, table: 'graphics' }, /^22023: .*graphics.*quotes/],
    ['another schema', { ...all, schema: 'auth' }, /^PGRST106: /],
    ['another event', { ...all, event: 'TRUNCATE' }, /^22023: postgres_changes\.0\.event /],
    ['a filter without an operator', { ...all, filter: 'dismissed' }, /^22023: /],
    ['an unknown operator', { ...all, filter: 'dismissed=is_not.true' }, /^PGRST100: /],
    ['an unknown column', { ...all, filter: 'colour=eq.red' }, /^42703: .*colour/],
    ['a column that the caller may not read', { ...allQuotes, filter: 'internal_notes=eq.x' }, /^42501: /],
    ['a selection of such a column', { ...allQuotes, select: ['id', 'internal_notes'] }, /^42501: /],
    ['a value that Postgres refuses', { ...allQuotes, filter: 'id=eq.nobody' }, /^22023: .*\bid\b.*uuid/],
    ['an operator that does not compare', { ...allQuotes, filter: 'company=match.a' }, /^22023: .*match/],
  ])('for %s', async (_, binding, reason) => {
    expect(await refusal([binding])).toMatch(reason);
  });

  it('and a client of 1.0.0 is sent an error after it, upon which it joins again', async () => {
    const wire = await open({ version: '1.0.0' });
    await wire.join('x', [all]);
    expect(await wire.until(({ event }) => event === 'phx_error')).toMatchObject({
      topic: 'realtime:x',
      ref: '1',
    });
  });

  it('and the socket may join once it has a token', async () => {
    const wire = await open();
    expect(await wire.join('x', [all])).toMatchObject({ status: 'error' });
    expect(await wire.join('x', [all], token)).toMatchObject({ status: 'ok' });
  });
});

describe('a filter that can never match is refused with the values of its column', () => {
  it.each([
    ['two conditions joined as in an address', 'quotes', 'status=eq.draft&sport=eq.x', 'status', 'draft'],
    ['an unknown value', 'quotes', 'status=eq.new', 'status', 'submitted'],
    ['an unknown value of a list', 'quotes', 'status=in.(draft,new)', 'status', 'approved'],
    ['a value in another case', 'quotes', 'status=eq.Draft', 'status', 'draft'],
    ['an unknown value of an enum', 'notifications', 'type=eq.new', 'type', 'warning'],
    ['an unknown value of the history', 'quote_events', 'created_as=eq.new', 'created_as', 'sweep'],
  ])('%s (%s: %s)', async (_, table, filter, column, value) => {
    const reason = await refusal([{ event: '*', schema: 'public', table, filter }]);
    expect(reason).toMatch(/^22023: /);
    expect(reason).toContain(column);
    expect(reason).toContain(value);
  });
});
