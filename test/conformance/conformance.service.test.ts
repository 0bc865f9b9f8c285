/**
 * Compares responses with those of PostgREST 16.2 (record.ts), and of 12.0.2 for embedded rows: status, Content-Range, Content-Type, Location,
 * Preference-Applied, the body as JSON (CSV byte by byte), and the code of an error. A case's `loose` names the parts that
 * are not compared, `columns` where `*` may have more of them now.
 */
import type { Sql } from 'postgres';
import { beforeAll, describe, expect, it } from 'vitest';
import { useService } from '../setup/service.ts';
import { type Case, cases, embeddingCases, loadEmbeddingRows, loadRows } from './cases.ts';

const service = useService();
/** The recorder sent an unencoded `#` in a path, where every URL parser begins the fragment. */
const send = ({ method, path, headers, body }: Case): Promise<Response> =>
  service.fetch(`/rest/v1${path.replaceAll('#', '%23')}`, {
    method,
    headers: { ...headers, apikey: service.secretKey, authorization: `Bearer ${service.secretKey}` },
    ...(body !== undefined && { body }),
  });

const compared = ['content-range', 'content-type', 'location', 'preference-applied'];

function readBody(text: string, type: string | null | undefined): unknown {
  return text !== '' && type?.includes('json') ? JSON.parse(text) : text;
}

describe('the response is that of PostgREST 16.2', () => compareAll(cases, loadRows));
describe('embedded rows are those of PostgREST 12.0.2', () => compareAll(embeddingCases, loadEmbeddingRows));

/** Matches a row, and rows embedded in it, that may have more columns. */
const containing = (row: object): object =>
  expect.objectContaining(
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        isEmbedded(name, value) ? value.map(containing) : value,
      ]),
    ),
  );

const isEmbedded = (name: string, value: unknown): value is object[] =>
  name.startsWith('quote_') && Array.isArray(value);

function compareAll(recorded: Case[], load: (sql: Sql) => Promise<void>): void {
  beforeAll(() => load(service.sql));
  it.each(recorded)('$name', async recordedCase => {
    const { expect: wanted, loose = [], writes } = recordedCase;
    if (wanted === undefined) {
      throw new Error('It has no answer yet: see test/conformance/record.ts');
    }
    const response = await send(recordedCase);
    const body = await response.text();
    if (writes) {
      await load(service.sql);
    }
    const strict = (name: string) => !loose.includes(name);
    if (strict('status')) {
      expect(response.status, body).toBe(wanted.status);
    }
    for (const name of compared.filter(strict)) {
      expect(response.headers.get(name), name).toBe(wanted.headers[name] ?? null);
    }
    const type = wanted.headers['content-type'];
    if (wanted.status >= 400) {
      const { code } = readBody(body, 'json') as { code?: string };
      expect(code).toBe((readBody(wanted.body, 'json') as { code?: string }).code);
    } else if (strict('body')) {
      const rows = readBody(wanted.body, type);
      const expected = strict('columns') ? rows : (rows as object[]).map(containing);
      expect(readBody(body, type)).toEqual(expected);
    }
  });
}
