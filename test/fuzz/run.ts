/** Sends random requests, some at once, and judges every response. A failing request is shown as a curl command. */
import fc from 'fast-check';
import type { Service } from '../setup/service.ts';
import { findDifference } from './comparison.ts';
import { anyRequest, asCurl, type FuzzRequest } from './request.ts';
import { Wire } from './send.ts';
import { judge } from './verdict.ts';
import { callersOf, type FuzzCaller } from './world.ts';

/** How many requests, and which: the same seed sends the same. */
export interface Amount {
  seed: number;
  requests: number;
}

const inFlight = 12;

type Sent = [caller: FuzzCaller, request: FuzzRequest];

/** Requests of everybody, where the writes of staff are rolled back, or of staff alone, whose writes stay. */
export async function fuzz(service: Service, who: 'everybody' | 'staff', amount: Amount): Promise<void> {
  const callers = await callersOf(service);
  const known = callers.filter(({ kind }) => who === 'everybody' || kind === 'staff');
  const requests = known.map(caller =>
    requestOf(caller, anyRequest(caller, { rollsBack: who === 'everybody' && caller.kind === 'staff' })),
  );
  const wire = new Wire(service.url);
  await sendAll(fc.oneof(...requests), amount, async (caller, request) =>
    judge(request, await wire.send(request), caller),
  );
  wire.close();
}

/** Sends the same requests to both services; `blind` has only the rows that this caller may see. */
export async function compare(service: Service, blind: Service, name: string, amount: Amount): Promise<void> {
  const find = async (one: Service) => (await callersOf(one)).filter(caller => caller.name === name);
  const [seeing] = await find(service);
  const [blinded] = await find(blind);
  if (seeing === undefined || blinded === undefined) {
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
