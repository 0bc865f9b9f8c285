/** Compares the responses of two services that differ in the rows hidden from the caller. */
import type { FuzzRequest } from './request.ts';
import type { RawResponse } from './send.ts';

/**
 * Returns the texts around the first difference of the responses, if any. A caller who writes a row with the key of another's
 * learns that the key is taken, which a unique key can't hide.
 */
export function findDifference(
  request: FuzzRequest,
  response: RawResponse,
  expected: RawResponse,
): string | undefined {
  const [one, other] = [comparable(response, request), comparable(expected, request)];
  const bringsKey = /([a-e]\d)\1{3}-0000-4000-8000-00000000000\d/.test(request.body?.toString() ?? '');
  if (bringsKey || one === other) {
    return undefined;
  }
  const at = one.split('').findIndex((character, index) => character !== other[index]);
  const shown = (text: string) => text.slice(Math.max(0, at - 60)).slice(0, 120);
  return `${shown(one)} | without it ${shown(other)}`;
}

const volatileHeaders = /^(?:etag|date|x-request-id|server-timing|content-length|connection|keep-alive)$/;

/** A response without the parts that always differ: times, random ids, transaction ids, and an order nobody asked for. */
function comparable(response: RawResponse, request: FuzzRequest): string {
  const { status, headers, text } = response;
  const stable = Object.entries(headers).filter(([name]) => !volatileHeaders.test(name));
  return (
    `${status} ${JSON.stringify(stable)} ${/[?&]order=/.test(request.path) ? text : unordered(response, isPart(request))}`
      .replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, id =>
        /^(..)\1{3}-0000/.test(id) ? id : 'an id',
      )
      // An error names the first row that refuses a write, and Postgres finds rows in any order.
      .replace(/(quote that is|quote cannot move from) \w+/, '$1 …')
      .replace(/"20\d\d-\d\d-\d\d[T ][\d:]+\.\d+[\d:+-]*"/g, '"a time"')
  );
}

/** Whether a request asks for a part of the rows. */
const isPart = ({ path, headers }: FuzzRequest): boolean =>
  /[?&](?:limit|offset)=/.test(path) || Object.keys(headers).some(name => name.toLowerCase() === 'range');

/**
 * Postgres returns an unordered page as it finds the rows, which depends on how many there are: of a part only the number of
 * rows is comparable.
 */
function unordered({ headers, text }: RawResponse, part: boolean): string {
  const rows = headers['content-type']?.startsWith('text/csv') ? linesOf(text) : elementsOf(text);
  return rows === undefined ? text : part ? `${rows.length} rows` : rows.sort().join();
}

/** Returns the lines of CSV; an end of line in quotes ends none. */
const linesOf = (text: string): string[] => text.match(/(?:"(?:[^"]|"")*"|[^"\n])+/g) ?? [];

function elementsOf(text: string): string[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.map(row => JSON.stringify(row)) : undefined;
  } catch {
    return undefined;
  }
}
