/** What workerd makes of the headers of keys and tokens. Which keys and tokens are valid is in caller.test.ts and test/caller/token. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { callerOf, useCallers } from '../setup/wire.ts';

const account = randomUUID();
const service = useService();
const { staff } = useCallers(service);
beforeAll(async () => {
  await staff.send('POST', '/quotes', aQuote(account));
});

describe('a key in apikey alone', () => {
  const alone = (key: string) => callerOf(service, key, null);

  it('counts where Authorization is empty, which workerd takes for none', async () => {
    const reply = await alone(service.publishableKey).get('/quotes', { authorization: '' });
    expect([reply.status, reply.body.code]).toEqual([401, '42501']);
  });

  const malformed = ['Bearer', 'Bearer undefined', 'Bearer <key> b', 'Bearer <key>, Bearer <key>', 'Basic x'];

  it.each(malformed)('does not count when Authorization is there and is none: %j', async written => {
    for (const key of [service.publishableKey, service.secretKey]) {
      const authorization = written.replaceAll('<key>', key);
      const { status, body, headers } = await alone(key).get('/graphics', { authorization });
      expect([status, body.code]).toEqual([401, 'PGRST301']);
      expect(headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token"/);
    }
  });
});

const without = [{}, { apikey: '' }, { authorization: 'Bearer x' }];

it.each(without)('a request without an apikey is a 401 that says what is missing: %j', async headers => {
  const response = await service.fetch('/rest/v1/graphics', { headers: { ...headers } });
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toBe('Bearer');
  expect(await response.json()).toMatchObject({
    code: 'PGRST302',
    message: 'The request has no apikey header',
    hint: expect.stringContaining('apikey: <key>'),
  });
});
