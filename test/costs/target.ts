/** A service with a few callers for a test to attack, and the measurement of what the attack uses. */
import { randomUUID } from 'node:crypto';

import { collections } from '../../schema/collections.ts';
import { aQuote } from '../setup/rows.ts';
import { type Service, startService } from '../setup/service.ts';
import { use } from '../setup/use.ts';
import { budget } from './budget.ts';
import { type Sightings, slowestAtRest, startCanary } from './canary.ts';
import { Meter, type Usage } from './meter.ts';
import { childrenNamed, memoryOf } from './processes.ts';
import { type CostlyReply, type CostlyRequest, Sender } from './sender.ts';

export interface Callers {
  anonymous: Record<string, string>;
  customer: Record<string, string>;
  staff: Record<string, string>;
}

export interface Outcome {
  replies: CostlyReply[];
  usage: Usage;
  /** A sentence with figures for each budget that was exceeded. */
  excess: string[];
}

export interface Target {
  service: Service;
  /** The headers of each caller. */
  callers: Callers;
  /** The customer's account. */
  account: string;
  /** Sends the requests, `atOnce` at a time (by default one), and waits until the service is idle. */
  attack(requests: CostlyRequest[], atOnce?: number): Promise<Outcome>;
  /** Does the same for an attack of any other kind. */
  watch(work: () => Promise<CostlyReply[]>, isAlone?: boolean): Promise<Outcome>;
  stop(): Promise<void>;
}

/** Megabytes above normal at which the worker is restarted before the next attack. */
const restlessMegabytes = 40;

/** What a response takes during an attack, on top of the budget, in multiples of what it takes before. */
const atRestMultiple = 10;

export const json = { 'content-type': 'application/json' };

/** The target of a test file: it is started before its tests, and until then has no properties. */
export const useTarget = (): Target => use(startTarget, 'stop');

async function startTarget(): Promise<Target> {
  const others = childrenNamed('workerd');
  const service = await startService();
  // Memory that its workerd has had before would hide what it takes now.
  await service.restart();
  const account = randomUUID();
  const [customer, other] = await Promise.all([newCustomer(service, account), newCustomer(service)]);
  const canaries = [
    { path: '/health', headers: {} },
    { path: '/rest/v1/quotes?select=id,status', headers: other },
  ];
  const callers = {
    anonymous: { ...service.headers() },
    customer,
    staff: { apikey: service.secretKey, authorization: `Bearer ${service.secretKey}` },
  };
  const sender = new Sender(service.url, 64);
  const findWorker = () => childrenNamed('workerd').find(pid => !others.includes(pid)) ?? 0;
  await sender.sendAll(warmUp(callers), 10);
  const usual = memoryOf(findWorker())?.now ?? 0;

  /** Restarts a worker that has grown, so that what earlier attacks left is not counted for this one. */
  async function findRestedWorker(): Promise<number> {
    const isThere = await service.fetch('/health', { signal: AbortSignal.timeout(3000) }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (!isThere || (memoryOf(findWorker())?.now ?? 0) > usual + restlessMegabytes) {
      await service.restart();
      await sender.sendAll(warmUp(callers), 10);
    }
    return findWorker();
  }

  async function watch(work: () => Promise<CostlyReply[]>, isAlone = false): Promise<Outcome> {
    const worker = await findRestedWorker();
    const atRest = await slowestAtRest(service.url, canaries);
    const stopCanary = startCanary(service.url, worker, canaries);
    const meter = await Meter.start(service.sql, worker);
    const replies = await work();
    const sightings = await stopCanary();
    const usage = await meter.stop();
    return { replies, usage, excess: [...findExcess(usage, isAlone), ...complaints(sightings, atRest)] };
  }
  return {
    service,
    callers,
    account,
    watch,
    attack: (requests, atOnce = 1) => watch(() => sender.sendAll(requests, atOnce), requests.length === 1),
    async stop() {
      sender.close();
      await service.stop();
    },
  };
}

/** A customer with one quote. */
async function newCustomer(service: Service, account: string = randomUUID()) {
  const headers = { ...service.headers(await service.token({ account })) };
  await service.fetch('/rest/v1/quotes', {
    method: 'POST',
    headers: { ...headers, ...json },
    body: JSON.stringify(aQuote(account)),
  });
  return headers;
}

/** Requests that make the backends and the worker cache each collection, which is no cost of an attack. */
const warmUp = (callers: Callers): CostlyRequest[] =>
  Object.values(callers).flatMap(headers =>
    collections.flatMap(({ name }) =>
      Array.from({ length: 5 }, () => ({ path: `/rest/v1/${name}?limit=1`, headers })),
    ),
  );

function findExcess(usage: Usage, isAlone: boolean): string[] {
  const told = (used: number) => Math.round(used * 10) / 10;
  const bounds: [Exclude<keyof Usage, 'culprits'>, string][] = [
    ['backendSeconds', 's of CPU in a backend for one request'],
    ['backendMegabytes', 'MB more in a backend'],
    ['workingBackends', 'backends at work at once'],
    ['workerMegabytes', 'MB more in workerd'],
    ['workerSeconds', 's of CPU in workerd for one request'],
  ];
  return bounds
    .filter(([name]) => usage[name] > budget[name] && (isAlone || name !== 'workerSeconds'))
    .map(([name, what]) => `${told(usage[name])} ${what}; ${budget[name]} are allowed`);
}

/** On a busy machine a response takes longer, also that of another caller. */
const complaints = ({ slowest, failures }: Sightings, atRest: number): string[] => [
  ...(slowest > budget.canaryMilliseconds + atRestMultiple * atRest
    ? [`another caller waited for ${Math.round(slowest)} ms; ${budget.canaryMilliseconds} are allowed`]
    : []),
  ...(failures.length > 0 ? [`${failures.length} other callers failed, the first: ${failures[0]}`] : []),
];
