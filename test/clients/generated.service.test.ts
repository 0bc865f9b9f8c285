/**
 * Clients that generators make of the OpenAPI document compile, and do what an application needs.
 * @module-tag full
 */
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useService } from '../setup/service.ts';
import { callerOf } from '../setup/wire.ts';
import { type Application, makeApplication } from './application.ts';

const { resolve } = createRequire(import.meta.url);
const orval = join(dirname(resolve('orval')), 'bin/orval.js');
const kubb = join(dirname(resolve('@kubb/cli/package.json')), 'bin/kubb.cjs');

const account = randomUUID();
const service = useService();
let token: string;
/** The OpenAPI document of a customer. */
let document: Record<string, unknown>;
beforeAll(async () => {
  token = await service.token({ account });
  document = (await callerOf(service, service.publishableKey, token).get('/openapi.json')).body;
});

interface Generated {
  /** Writes a client of the document to the application's `api.ts`. */
  generate(application: Application): Promise<void>;
  /** A program that uses it, and prints what it got. */
  program: string;
}

const generators: Record<string, Generated> = {
  'openapi-typescript, for openapi-fetch': {
    generate: async ({ directory }) =>
      writeFile(join(directory, 'api.ts'), astToString(await openapiTS(document as never))),
    program: `
import createClient from 'openapi-fetch';
import type { components, paths } from './api.ts';

declare const process: { argv: string[] };
const [url = '', apikey = '', token = '', account_id = ''] = process.argv.slice(2);
const client = createClient<paths, 'application/json'>({
  baseUrl: url,
  headers: { apikey, authorization: \`Bearer \${token}\` },
});
const row: components['schemas']['quotes.insert'] = {
  account_id,
  quote_number: 'QT-2026-00001',
  product_id: account_id,
  sport: 'golf',
  customization: { team: 'Lions' },
};
const header = { Prefer: 'return=representation' };
const inserted = await client.POST('/quotes', { params: { header }, body: row });
const silent = await client.POST('/quotes', { body: [row, row] });
const id: string = inserted.data?.[0]?.id ?? '';
const query = { id: \`eq.\${id}\` };
const read = await client.GET('/quotes', { params: { query: { ...query, 'not.or': '(status.eq.cancelled,sport.is.null)' } } });
const changed = await client.PATCH('/quotes', { params: { query, header }, body: { sport: 'soccer' } });
// @ts-expect-error no quote has this status
await client.PATCH('/quotes', { params: { query }, body: { status: 'lost' } });
const refused = await client.PATCH('/quotes', { params: { query }, body: { status: 'ordered' } });
const number = await client.POST('/rpc/next_quote_number', { body: {} });
const sports: string[] = [inserted, read, changed].map(({ data }) => data?.[0]?.sport ?? '');
console.log(
  JSON.stringify({
    sports,
    statuses: [inserted, silent, read, changed, refused].map(({ response }) => response.status),
    silent: silent.data ?? null,
    code: refused.error?.code,
    number: number.data,
  }),
);
`,
  },
  orval: {
    generate: async ({ directory, run }) => {
      const target = { target: './api.ts', client: 'fetch', baseUrl: `${service.url}/rest/v1` };
      const config = { api: { input: './openapi.json', output: target } };
      await writeFile(join(directory, 'openapi.json'), JSON.stringify(document));
      await writeFile(join(directory, 'orval.config.ts'), `export default ${JSON.stringify(config)};`);
      const { code, stdout, stderr } = await run(orval);
      expect(code, stdout + stderr).toBe(0);
    },
    program: `
import { getQuotes, nextQuoteNumber, patchQuotes, postQuotes, type Quotes, type QuotesInsert } from './api.ts';

declare const process: { argv: string[] };
const [, apikey = '', token = '', account_id = ''] = process.argv.slice(2);
const headers = { apikey, authorization: \`Bearer \${token}\` };
const returning = { headers: { ...headers, prefer: 'return=representation' } };
const row: QuotesInsert = {
  account_id,
  quote_number: 'QT-2026-00001',
  product_id: account_id,
  sport: 'golf',
  customization: { team: 'Lions' },
};
const firstOf = ({ data }: { data: unknown }) => (data as Quotes[])[0];
const inserted = await postQuotes(row, {}, returning);
const silent = await postQuotes([row, row], {}, { headers });
const id: string = firstOf(inserted)?.id ?? '';
const query = { id: \`eq.\${id}\` };
const read = await getQuotes({ ...query, 'not.or': '(status.eq.cancelled,sport.is.null)' }, { headers });
const changed = await patchQuotes({ sport: 'soccer' }, query, returning);
// @ts-expect-error no quote has this status
await patchQuotes({ status: 'lost' }, query, { headers });
const refused = await patchQuotes({ status: 'ordered' }, query, { headers });
const number = await nextQuoteNumber({}, { headers });
const sports: string[] = [inserted, read, changed].map(answer => firstOf(answer)?.sport ?? '');
console.log(
  JSON.stringify({
    sports,
    statuses: [inserted, silent, read, changed, refused].map(({ status }) => status),
    // It makes an object of an empty body.
    silent: Object.keys(silent.data).length === 0 ? null : silent.data,
    code: refused.status === 409 ? refused.data.code : undefined,
    number: number.data,
  }),
);
`,
  },
  kubb: {
    generate: async ({ directory, run }) => {
      await writeFile(join(directory, 'openapi.json'), JSON.stringify(document));
      await writeFile(
        join(directory, 'kubb.config.ts'),
        `
import { defineConfig } from '@kubb/core';
import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';
export default defineConfig({
  input: { path: './openapi.json' },
  output: { path: './api', format: false, lint: false },
  plugins: [pluginOas({ generators: [] }), pluginTs(), pluginClient({ client: 'fetch', dataReturnType: 'full' })],
});
`,
      );
      const { code, stdout, stderr } = await run(kubb, 'generate');
      expect(code, stdout + stderr).toBe(0);
    },
    program: `
import { setConfig } from '@kubb/plugin-client/clients/fetch';
import { getQuotes, nextQuoteNumber, patchQuotes, postQuotes, type Quotes, type QuotesInsert } from './api/index.ts';

declare const process: { argv: string[] };
const [baseURL = '', apikey = '', token = '', account_id = ''] = process.argv.slice(2);
// It names no type of its bodies, and PostgREST too refuses the text/plain that fetch then sends.
setConfig({ baseURL, headers: { apikey, authorization: \`Bearer \${token}\`, 'content-type': 'application/json' } });
const row: QuotesInsert = {
  account_id,
  quote_number: 'QT-2026-00001',
  product_id: account_id,
  sport: 'golf',
  customization: { team: 'Lions' },
};
const returning = { Prefer: 'return=representation' };
const firstOf = ({ data }: { data: unknown }) => (data as Quotes[])[0];
const inserted = await postQuotes(row, {}, returning);
// It fails to parse a response without a body, as PostgREST's is too; the rows are written.
const rugby = { ...row, sport: 'rugby' };
const silent = await postQuotes([rugby, rugby]).catch(({ name }: Error) => name);
const written = await getQuotes({ sport: 'eq.rugby' });
const id: string = firstOf(inserted)?.id ?? '';
const query = { id: \`eq.\${id}\` };
const read = await getQuotes({ ...query, 'not.or': '(status.eq.cancelled,sport.is.null)' });
const changed = await patchQuotes({ sport: 'soccer' }, query, returning);
// @ts-expect-error no quote has this status
await patchQuotes({ status: 'lost' }, query);
const refused = await patchQuotes({ status: 'ordered' }, query);
const number = await nextQuoteNumber({});
const sports: string[] = [inserted, read, changed].map(answer => firstOf(answer)?.sport ?? '');
console.log(
  JSON.stringify({
    sports,
    statuses: [inserted, { status: silent === 'SyntaxError' && 201 }, read, changed, refused].map(({ status }) => status),
    silent: (written.data as Quotes[]).length === 2 ? null : written.data,
    // It gives an error as data.
    code: (refused.data as unknown as { code: string }).code,
    number: number.data,
  }),
);
`,
  },
};

describe.each(Object.entries(generators))('a client that is generated by %s', (_, { generate, program }) => {
  let application: Application;
  beforeAll(async () => {
    application = await makeApplication({ 'program.ts': program });
    await generate(application);
  });
  afterAll(() => application.remove());

  it('has the types that a program needs which reads, inserts and changes rows', async () => {
    expect(await application.compile('program.ts')).toBe('');
  });

  it('reads, inserts and changes rows, and gives the error of what is refused', async () => {
    const caller = [`${service.url}/rest/v1`, service.publishableKey, token, account];
    const { stdout, stderr } = await application.run('program.ts', ...caller);
    expect(JSON.parse(stdout || JSON.stringify(stderr))).toEqual({
      sports: ['golf', 'golf', 'soccer'],
      statuses: [201, 201, 200, 200, 409],
      silent: null,
      code: 'PT409',
      number: expect.stringMatching(/^QT-\d{4}-\d{5}$/),
    });
  });
});
