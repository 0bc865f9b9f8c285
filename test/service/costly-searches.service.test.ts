/** Searches that a stranger may write so that they never end: the time a statement may take ends them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../setup/service.ts';
import { aGraphic, type Caller, callerOf } from './wire.ts';

let service: Service;
let anon: Caller;
beforeAll(async () => {
  service = await startService();
  anon = callerOf(service, service.publishableKey);
  const staff = callerOf(service, service.secretKey);
  for (const description of ['a'.repeat(1_000_003), 'lion tiger '.repeat(20_000)]) {
    await staff.send('POST', '/graphics', aGraphic({ is_active: true, description }));
  }
});
afterAll(() => service.stop());

const times = (count: number, text: string, separator = ',') => Array(count).fill(text).join(separator);
const search = (filter: string) => anon.get(`/graphics?select=id&description=${encodeURIComponent(filter)}`);

describe('a search that costs much', () => {
  it('is cancelled, and says after what time', async () => {
    const endless = ['match.^(a+)(a+)(a+)(a+)\\4\\3\\2\\1b?$', `imatch(any).{${times(1500, 'a*b')}}`];
    const replies = await Promise.all(endless.map(search));
    for (const { status, body } of replies) {
      expect([status, body]).toEqual([
        504,
        {
          code: '57014',
          message: 'The request took too long and was cancelled',
          details: 'A request may take 5 seconds in the database.',
          hint: expect.stringContaining('search for something simpler'),
        },
      ]);
    }
  });

  it.each([
    ['an expression that Postgres gives up on', 'match.(((a{255}){255}){255})', 400],
    ['a pattern of many parts', `ilike.${'*a'.repeat(5000)}b`, 200],
    ['a full-text query of many words', `fts.${times(1500, 'lion', '|')}`, 200],
    ['a phrase of many words', `fts.${times(1000, 'lion', '<->')}`, 200],
  ])('ends at once when it is %s', async (_, filter, status) => {
    const reply = await search(filter);
    expect(reply.status, reply.text).toBe(status);
  });
});
