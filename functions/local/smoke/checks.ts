/** Requests and the responses that any deployment must give, whatever its data. Writes are rolled back. */
import { randomUUID } from 'node:crypto';
import type { Collection } from '../../../schema/collection.ts';
import { collections } from '../../../schema/collections.ts';

export interface SmokeResponse {
  status: number;
  headers: Headers;
  body: unknown;
}

export interface Check {
  name: string;
  path: string;
  init?: RequestInit;
  /** The expected response, in words and as a predicate. */
  expected: string;
  holds(response: SmokeResponse): boolean;
}

type Fields = Record<string, unknown>;
const fieldsOf = (body: unknown): Fields => (body ?? {}) as Fields;
const rowsOf = (body: unknown): Fields[] => (Array.isArray(body) ? body : []);

/** Whether the response is an error of the service, with all four fields. */
const isError = ({ status, body }: SmokeResponse, expected: number, code: string): boolean =>
  status === expected &&
  fieldsOf(body)['code'] === code &&
  ['message', 'details', 'hint'].every(name => name in fieldsOf(body));

const isRows = ({ status, body }: SmokeResponse): boolean => status === 200 && Array.isArray(body);

/** As an anonymous caller: every collection is served, and only those that are public are readable. */
export function publicChecks(publishableKey: string): Check[] {
  const headers = { apikey: publishableKey, authorization: `Bearer ${publishableKey}` };
  return [
    {
      name: 'the database answers',
      path: '/health',
      expected: '200 and {"status":"ok"}',
      holds: ({ status, body }) => status === 200 && fieldsOf(body)['status'] === 'ok',
    },
    {
      name: 'without a key nobody reads',
      path: '/rest/v1/graphics?select=id&limit=1',
      expected: '401 with the code PGRST302',
      holds: response => isError(response, 401, 'PGRST302'),
    },
    ...collections.map(collection => anonymousCheck(collection, headers)),
    {
      name: 'a page of any origin may send requests',
      path: '/rest/v1/quotes',
      init: {
        method: 'OPTIONS',
        headers: {
          origin: 'https://builder.example.com',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'apikey,authorization,content-type,prefer',
        },
      },
      expected: '204 that allows any origin, the method POST and the header prefer',
      holds: ({ status, headers: received }) =>
        status === 204 &&
        received.get('access-control-allow-origin') === '*' &&
        /\bPOST\b/.test(received.get('access-control-allow-methods') ?? '') &&
        /\bprefer\b/.test(received.get('access-control-allow-headers') ?? ''),
    },
    {
      name: 'an unknown path gets an error body',
      path: '/rest/v1/graphics/nothing',
      init: { headers },
      expected: '404 with the code PGRST125',
      holds: response => isError(response, 404, 'PGRST125'),
    },
  ];
}

function anonymousCheck({ name, primaryKey, columns }: Collection, headers: Record<string, string>): Check {
  const request = { path: `/rest/v1/${name}?select=${primaryKey}&limit=1`, init: { headers } };
  return columns[primaryKey]?.privileges.anon.includes('select')
    ? { ...request, name: `anyone reads ${name}`, expected: '200 and an array', holds: isRows }
    : {
        ...request,
        name: `${name} are not for anyone`,
        expected: '401 with the code 42501',
        holds: response => isError(response, 401, '42501'),
      };
}

/** As a customer: reads quotes, and writes one that is rolled back. `account` is the token's `sub`. */
export function customerChecks(publishableKey: string, token: string, account: string): Check[] {
  const headers = { apikey: publishableKey, authorization: `Bearer ${token}` };
  const id = randomUUID();
  const draft = {
    id,
    account_id: account,
    quote_number: 'QT-0000-00000',
    product_id: randomUUID(),
    sport: 'smoke test',
    customization: {},
  };
  const prefer = 'tx=rollback, return=representation';
  return [
    {
      name: 'a customer reads its quotes',
      path: '/rest/v1/quotes?select=id,status&limit=5',
      init: { headers },
      expected: '200 and an array',
      holds: isRows,
    },
    {
      name: 'a customer may write a draft',
      path: '/rest/v1/quotes?select=id,status',
      init: {
        method: 'POST',
        headers: { ...headers, prefer, 'content-type': 'application/json' },
        body: JSON.stringify(draft),
      },
      expected: `201 and the draft ${id}, with Preference-Applied: tx=rollback`,
      holds: ({ status, headers: received, body }) =>
        status === 201 &&
        rowsOf(body)[0]?.['id'] === id &&
        rowsOf(body)[0]?.['status'] === 'draft' &&
        /tx=rollback/.test(received.get('preference-applied') ?? ''),
    },
    {
      name: 'the draft was rolled back',
      path: `/rest/v1/quotes?id=eq.${id}&select=id`,
      init: { headers },
      expected: '200 and an empty array',
      holds: response => isRows(response) && rowsOf(response.body).length === 0,
    },
  ];
}
