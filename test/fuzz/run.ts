/** Sends random requests, some at once, and judges every response. A failing request is shown as a curl command. */
import fc from 'fast-check';
import type { Service } from '../setup/service.ts';
import { anyRequest, asCurl, type FuzzRequest } from './request.ts';
import { type RawResponse, Wire } from './send.ts';
import { judge } from './verdict.ts';
import { callersOf, type FuzzCaller } from './world.ts';

/** How many requests, and which: the same seed sends the same. */
export interface Amount {
  seed: number;
  requests: number;
}

const inFlight = 12;

type Sent = [caller: FuzzCaller, request: FuzzRequest];

/** Sends requests of everybody. The writes of staff are rolled back, since they may give any row to any account. */
export async function fuzz(service: Service, amount: Amount): Promise<void> {
  const callers = await callersOf(service);
  const requests = callers.map(caller =>
    requestOf(caller, anyRequest(caller, { rollsBack: caller.kind === 'staff' })),
  );
  const wire = new Wire(service.url);
  await sendAll(fc.oneof(...requests), amount, async (caller, request) =>
    judge(request, await wire.send(request), caller),
  );
  wire.close();
}

/** Sends the same requests to both services; `blind` has only the rows that this caller may see. */
export async function compare(service: Service, blind: Service, name: string, amount: Amount): Promise<void> {
  const [seeing, blinded] = await Promise.all(
    [service, blind].map(async one => (await callersOf(one)).find(caller => caller.name === name)),
  );
  if (!seeing || !blinded) {
    throw new Error(`There is no caller ${name}`);
  }
  const [wire, blindWire] = [new Wire(service.url), new Wire(blind.url)];
  const requests = requestOf(seeing, anyRequest(seeing, { rollsBack: true, onlyCollections: true }));
  await sendAll(requests, amount, async (_, request) => {
    const [response, expected] = await Promise.all([
      wire.send(request),
      blindWire.send({ ...request, headers: { ...request.headers, ...blinded.headers } }),
    ]);
    const difference = findDifference(request, response, expected);
    return difference && `reveals hidden rows: ${difference}`;
  });
  wire.close();
  blindWire.close();
}

const requestOf = (caller: FuzzCaller, request: fc.Arbitrary<FuzzRequest>): fc.Arbitrary<Sent> =>
  request.map((one): Sent => [caller, one]);

/** Fails with what `findWrong` says of a response, or when there is none. */
async function sendAll(
  sent: fc.Arbitrary<Sent>,
  { seed, requests }: Amount,
  findWrong: (caller: FuzzCaller, request: FuzzRequest) => Promise<string | undefined>,
): Promise<void> {
  const property = fc.asyncProperty(sent, async ([caller, request]) => {
    const wrong = await findWrong(caller, request).catch(error => `has no response: ${error}`);
    if (wrong !== undefined) {
      throw new Error(`${wrong}\n${asCurl(request, caller)}`);
    }
  });
  const numRuns = Math.ceil(requests / inFlight);
  await Promise.all(
    Array.from({ length: inFlight }, (_, sender) => fc.assert(property, { seed: seed + sender, numRuns })),
  );
}

/**
 * Returns the texts around the first difference, if any. Requests that name another account's key are not compared: that the
 * key is taken can't be hidden.
 */
function findDifference(request: FuzzRequest, response: RawResponse, expected: RawResponse) {
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

/** Of an unordered part only the number of rows is comparable: Postgres returns a page as it finds the rows. */
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
