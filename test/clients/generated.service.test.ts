/**
 * Clients that generators make of the OpenAPI document compile, and do what an application needs.
 * @module-tag full
 */
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { beforeAll, expect, it } from 'vitest';
import { useService } from '../setup/service.ts';
import { callerOf } from '../setup/wire.ts';
import { type Application, makeApplication } from './application.ts';

const { resolve } = createRequire(import.meta.url);
const kubb = join(dirname(resolve('@kubb/cli/package.json')), 'bin/kubb.cjs');

const account = randomUUID();
const service = useService();
let token: string;
/** The OpenAPI document of a customer. */
let document: object;
beforeAll(async () => {
  token = await service.token({ account });
  document = (await callerOf(service, service.publishableKey, token).get('/openapi.json')).body;
});

interface Generator {
  /** Writes a client for this address into the application's directory. */
  generate(application: Application, baseUrl: string): Promise<unknown>;
  /** Defines the type `Row` of a new quote, and `insert`, `find` and `change` (a first row, status and code) and `next`. */
  start: string;
}

const caller = `
declare const process: { argv: string[] };
const [baseUrl = '', apikey = '', token = '', account_id = ''] = process.argv.slice(2);
const headers = { apikey, authorization: \`Bearer \${token}\` };
`;

/** What every client does. */
const end = `
const row: Row = {
  account_id,
  quote_number: 'QT-2026-00001',
  product_id: account_id,
  sport: 'golf',
  customization: { team: 'Lions' },
};
const inserted = await insert(row);
const query = { id: \`eq.\${inserted.first?.id ?? ''}\` };
const found = await find({ ...query, 'not.or': '(status.eq.cancelled,sport.is.null)' });
const changed = await change(query, { sport: 'soccer' });
// @ts-expect-error no quote has this status
await change(query, { status: 'lost' });
const refused = await change(query, { status: 'ordered' });
const sports: (string | undefined)[] = [inserted, found, changed].map(({ first }) => first?.sport);
const statuses = [inserted, found, changed, refused].map(({ status }) => status);
console.log(JSON.stringify({ sports, statuses, code: refused.code, number: await next() }));
`;

const generators: Record<string, Generator> = {
  'openapi-typescript, for openapi-fetch': {
    generate: async ({ directory }) =>
      writeFile(join(directory, 'api.ts'), astToString(await openapiTS(document as never))),
    start: `
import createClient from 'openapi-fetch';
import type { components, paths } from './api.ts';
${caller}
const client = createClient<paths, 'application/json'>({ baseUrl, headers });
type Row = components['schemas']['quotes.insert'];
type Change = components['schemas']['quotes.update'];
const header = { Prefer: 'return=representation' };
type Reply = { data?: components['schemas']['quotes'][]; error?: { code: string }; response: { status: number } };
const seen = ({ data, error, response: { status } }: Reply) => ({ first: data?.[0], status, code: error?.code });
const insert = async (body: Row) => seen((await client.POST('/quotes', { params: { header }, body })) as Reply);
const find = async (query: object) => seen((await client.GET('/quotes', { params: { query } })) as Reply);
const change = async (query: object, body: Change) =>
  seen((await client.PATCH('/quotes', { params: { query, header }, body })) as Reply);
const next = async () => (await client.POST('/rpc/next_quote_number', { body: {} })).data;
`,
  },
  'Kubb, with schemas for zod that add nothing to a row,': {
    async generate({ directory, run }, baseURL) {
      const client = JSON.stringify({ client: 'fetch', dataReturnType: 'full', baseURL });
      await writeFile(
        join(directory, 'kubb.config.js'),
        `
import { defineConfig } from '@kubb/core';
import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';
import { pluginZod } from '@kubb/plugin-zod';
export default defineConfig({
  root: '.',
  input: { path: './openapi.json' },
  output: { path: './api', format: false, lint: false },
  plugins: [pluginOas({ generators: [] }), pluginTs(), pluginZod({ importPath: 'zod' }), pluginClient(${client})],
});`,
      );
      return run(kubb, 'generate', '--config', 'kubb.config.js');
    },
    start: `
import { getQuotes, nextQuoteNumber, patchQuotes, postQuotes, type Quotes, type QuotesInsert, quotesInsertSchema } from './api/index.ts';
${caller}
const returning = { headers: { ...headers, 'content-type': 'application/json', prefer: 'return=representation' } };
type Change = Parameters<typeof patchQuotes>[0];
const seen = ({ data, status }: { data: unknown; status: number }) => ({
  first: (data as Quotes[])[0],
  status,
  code: (data as { code?: string }).code,
});
type Row = QuotesInsert;
const parse = (row: Row) => {
  const parsed = quotesInsertSchema.parse(row);
  return Object.keys(parsed).length === Object.keys(row).length ? (parsed as Row) : ({} as Row);
};
const insert = async (row: Row) => seen(await postQuotes(parse(row), {}, {}, returning));
const change = async (query: object, values: Change) => seen(await patchQuotes(values, query, {}, returning));
const find = async (query: object) => seen(await getQuotes(query, {}, { headers }));
const next = async () => (await nextQuoteNumber({}, {}, returning)).data;
`,
  },
};

it.each(
  Object.entries(generators),
)('a client that %s generates compiles, reads, inserts and changes rows', async (_, { generate, start }) => {
  const url = `${service.url}/rest/v1`;
  const files = { 'openapi.json': JSON.stringify(document), 'program.ts': start + end };
  const application = await makeApplication(files, 'test/node_modules');
  const generated = await generate(application, url);
  expect(await application.compile('program.ts'), JSON.stringify(generated)).toBe('');
  const { stdout, stderr } = await application.run('program.ts', url, service.publishableKey, token, account);
  expect(JSON.parse(stdout || JSON.stringify(stderr))).toEqual({
    sports: ['golf', 'golf', 'soccer'],
    statuses: [201, 200, 200, 409],
    code: 'PT409',
    number: expect.stringMatching(/^QT-\d{4}-\d{5}$/),
  });
  await application.remove();
});
