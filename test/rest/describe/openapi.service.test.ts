import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { collections } from '../../../schema/collections.ts';
import { functions } from '../../../schema/functions.ts';
import { useService } from '../../setup/service.ts';
import { useCallers } from '../../setup/wire.ts';

const service = useService();
const { staff, customer, anon: anonymous } = useCallers(service);

describe('the API root', () => {
  const version3 = { accept: 'application/openapi+json;version=3.1' };

  it.each([
    ['/openapi.json', {}],
    ['/openapi.json', { accept: 'application/openapi+json;version=2' }],
    ['/', version3],
  ])('is the OpenAPI document at /rest/v1%s with %j', async (path, accept) => {
    const { status, headers, body } = await staff.get(path, accept);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/openapi+json; charset=utf-8');
    expect(headers.get('x-request-id')).not.toBeNull();
    const others = ['/', ...functions.map(({ name }) => `/rpc/${name}`)];
    expect(Object.keys(body.paths)).toEqual([...collections.map(({ name }) => `/${name}`), ...others]);
  });

  it('has the address of the request, also a forged one, and is stored by no cache', async () => {
    const { body } = await staff.get('/openapi.json');
    expect(body.servers).toEqual([{ url: `${service.url}/rest/v1`, description: 'This service' }]);
    const headers = { apikey: service.publishableKey, host: 'builder.example' };
    const asking = request(`${service.url}/rest/v1/openapi.json`, { headers }).end();
    const [forged]: IncomingMessage[] = await once(asking, 'response');
    const document = (await json(forged as IncomingMessage)) as typeof body;
    expect(document.servers[0].url).toBe('http://builder.example/rest/v1');
    expect(forged?.headers['cache-control']).toBe('private, no-store');
    expect((await staff.get('/openapi.json')).body.servers).toEqual(body.servers);
  });

  it.each(['POST', 'DELETE'])('refuses %s', async method => {
    const { status, headers, body } = await staff.send(method, '/');
    expect([status, body.code, headers.get('allow')]).toEqual([405, 'PGRST117', 'OPTIONS,GET,HEAD']);
  });
});

it.each<[client: string, headers: Record<string, string>]>([
  ['supabase-js 2.119', { accept: 'application/openapi+json', 'accept-profile': 'public' }],
  ['n8n', { accept: 'application/json,text/html,application/xml,text/*;q=0.9, image/*;q=0.8, */*;q=0.7' }],
  ['curl', { accept: '*/*' }],
])('Swagger 2.0 at the API root is what %s gets', async (_, headers) => {
  const response = await customer.get('/', headers);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/openapi+json;version=2.0; charset=utf-8');
  expect(response.headers.get('vary')).toBe('Accept, Accept-Profile');
  expect(response.body).toMatchObject({ swagger: '2.0', basePath: '/rest/v1' });
  expect(`${response.body.schemes}://${response.body.host}`).toBe(service.url);
  expect(response.text).not.toContain('internal_notes');
  expect((await anonymous.get('/', headers)).text).not.toContain('quote_number');
});

it('the OpenAPI document has examples that can be sent, and the status of each response', async () => {
  const { body: document } = await staff.get('/openapi.json');
  for (const { name } of collections) {
    const { post, patch, get } = document.paths[`/${name}`];
    const page = await staff.get(`/${name}?limit=0`, { prefer: 'count=exact' });
    expect(get.responses).toHaveProperty(String(page.status));
    if (!post) {
      continue;
    }
    const row = post.requestBody.content['application/json'].example;
    const schema = document.components.schemas[`${name}.insert`];
    expect([schema.examples, schema.default]).toEqual([[row], undefined]);
    const made = await staff.send('POST', `/${name}`, row, { prefer: 'return=representation' });
    expect(made).toMatchObject({ status: 201, body: [row] });
    const { properties } = document.components.schemas[name];
    const isColumn = (key: string) => !/^Only with `select=/.test(properties[key].description);
    expect(Object.keys(made.body[0])).toEqual(Object.keys(properties).filter(isColumn));
    const change = patch.requestBody.content['application/json'].example;
    const changed = await staff.send('PATCH', `/${name}?id=eq.${made.body[0].id}`, change);
    expect(patch.responses).toHaveProperty(String(changed.status));
  }
});
