/**
 * Sends random requests as every kind of caller and judges every response, in three parts: customers and strangers who
 * write what they can, while staff's writes are undone; the same requests to two databases that differ in the rows
 * hidden from the caller; and staff who write.
 */
import type { Service } from '../setup/service.ts';
import { Chance } from './chance.ts';
import { comparable, difference, tellsApart } from './comparison.ts';
import { makeBadCredentials } from './headers.ts';
import { anyRequest, asCurl, type FuzzRequest } from './request.ts';
import { type FuzzResponse, Wire } from './send.ts';
import { judge } from './verdict.ts';
import { callersOf, type FuzzCaller } from './world.ts';

export interface Finding {
  turn: number;
  wrong: string;
  curl: string;
  response?: string;
}

export interface Report {
  requests: number;
  /** The number of responses by status. */
  statuses: Record<string, number>;
  slowest: number;
  findings: Finding[];
}

const inFlight = 12;
/** The run stops after so many findings. */
const findingLimit = 20;

export class Fuzzer {
  readonly report: Report = { requests: 0, statuses: {}, slowest: 0, findings: [] };
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** Requests of everybody, where the writes of staff are rolled back, or of staff alone, whose writes stay. */
  async open(service: Service, from: number, requests: number, who: 'everybody' | 'staff') {
    const callers = await callersOf(service);
    const known = who === 'staff' ? callers.filter(({ kind }) => kind === 'staff') : callers;
    const bad = await makeBadCredentials(service);
    const nobody = { name: 'nobody', kind: 'nobody', secrets: callers[0]?.secrets ?? [] } as const;
    const wire = new Wire(service.url);
    await this.#turns(from, requests, async (turn, chance) => {
      const isKnown = who === 'staff' || chance.percent(92);
      const caller: FuzzCaller = isKnown
        ? chance.pick(known)
        : { ...nobody, owns: [], headers: chance.pick(bad) };
      const rollsBack = who === 'everybody' && caller.kind === 'staff';
      const request = anyRequest(caller, chance, { rollsBack });
      const response = await this.#send(wire, request, caller, turn);
      const wrong = response && judge(request, response, caller);
      if (wrong) {
        this.#found(turn, wrong, request, caller, response);
      }
    });
    wire.close();
  }

  /** Sends the same requests to both services; `blind` has only the rows that this caller may see. */
  async twins(service: Service, blind: Service, from: number, requests: number, name: string) {
    const find = async (one: Service) => (await callersOf(one)).filter(caller => caller.name === name);
    const [seeing] = await find(service);
    const [blinded] = await find(blind);
    if (seeing === undefined || blinded === undefined) {
      throw new Error(`There is no caller ${name}`);
    }
    const wires = [new Wire(service.url), new Wire(blind.url)] as const;
    await this.#turns(from, requests, async (turn, chance) => {
      const request = anyRequest(seeing, chance, { rollsBack: true, onlyCollections: true });
      const other = { ...request, headers: { ...request.headers, ...blinded.headers } };
      const [response, expected] = await Promise.all([
        this.#send(wires[0], request, seeing, turn),
        this.#send(wires[1], other, blinded, turn),
      ]);
      if (response && expected && tellsApart(request, response, expected)) {
        const wrong = `reveals hidden rows: ${difference(response, expected)}`;
        this.#found(turn, wrong, request, seeing, response);
      }
    });
    for (const wire of wires) {
      wire.close();
    }
  }

  async #turns(from: number, requests: number, take: (turn: number, chance: Chance) => Promise<void>) {
    let next = from;
    const work = async () => {
      while (next < from + requests && this.report.findings.length < findingLimit) {
        const turn = next;
        next += 1;
        await take(turn, new Chance(this.#seed, turn));
      }
    };
    await Promise.all(Array.from({ length: inFlight }, work));
  }

  async #send(
    wire: Wire,
    request: FuzzRequest,
    caller: FuzzCaller,
    turn: number,
  ): Promise<FuzzResponse | undefined> {
    this.report.requests += 1;
    try {
      const response = await wire.send(request);
      this.report.statuses[response.status] = (this.report.statuses[response.status] ?? 0) + 1;
      this.report.slowest = Math.max(this.report.slowest, response.milliseconds);
      return response;
    } catch (error) {
      this.#found(turn, `no response: ${error}`, request, caller);
      return undefined;
    }
  }

  #found(turn: number, wrong: string, request: FuzzRequest, caller: FuzzCaller, response?: FuzzResponse) {
    this.report.findings.push({
      turn,
      wrong,
      curl: asCurl(request, caller),
      ...(response && { response: comparable(response).slice(0, 2000) }),
    });
  }
}
