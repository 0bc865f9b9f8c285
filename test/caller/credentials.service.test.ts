/** Keys, and the headers that carry them. Which tokens are valid is in test/caller/token. */
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

  const malformed = ['Bearer', 'Bearer <key> b', 'Basic x'];

  it.each(malformed)('does not count when Authorization is there and is none: %j', async written => {
    for (const key of [service.publishableKey, service.secretKey]) {
      const authorization = written.replaceAll('<key>', key);
      const { status, body, headers } = await alone(key).get('/graphics', { authorization });
      expect([status, body.code]).toEqual([401, 'PGRST301']);
      expect(headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token"/);
    }
  });
});

it('a request without an apikey is a 401 that says what is missing', async () => {
  const response = await service.fetch('/rest/v1/graphics');
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toBe('Bearer');
  expect(await response.json()).toMatchObject({
    code: 'PGRST302',
    message: 'The request has no apikey header',
    hint: expect.stringContaining('apikey: <key>'),
  });
});

it.each(['bearer', 'Bearer '])('a key is accepted with the scheme spelled %j', async scheme => {
  const authorization = `${scheme} ${service.secretKey}`;
  expect((await callerOf(service, service.secretKey, null).get('/quotes', { authorization })).status).toBe(
    200,
  );
});

it.each<
  [what: string, of: (key: string, token: string) => [key: string, bearer: string | null], message: string]
>([
  ['a longer key', key => [`${key}x`, null], 'The apikey is not a key of this service'],
  [
    'a token cut short for a key',
    (_, token) => [token.replace(/\.[^.]*$/, ''), null],
    'The token is truncated: it has 2 of its 3 parts',
  ],
  ['a variable of Postman for a key', () => ['{{apiKey}}', null], 'The variable apiKey is not filled in'],
  [
    'a variable of Bruno for a token',
    key => [key, '{{bearerToken}}'],
    'The variable bearerToken is not filled in',
  ],
])('%s is refused with what is wrong', async (_, credentialsOf, message) => {
  const token = await service.token({ account });
  for (const key of [service.publishableKey, service.secretKey]) {
    const [apikey, bearer] = credentialsOf(key, token);
    expect(await callerOf(service, apikey, bearer).get('/graphics')).toMatchObject({
      status: 401,
      body: { message },
    });
  }
});

it('the token of a user is no key', async () => {
  const token = await service.token({ account });
  expect((await callerOf(service, token, null).get('/graphics')).status).toBe(401);
});
