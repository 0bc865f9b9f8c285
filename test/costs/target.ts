/** A service with a few callers for a test to attack, and the measurement of what the attack uses. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { collections } from '../../schema/collections.ts';
import type { RawRequest } from '../fuzz/send.ts';
import { aQuote } from '../setup/rows.ts';
import { type Service, startService } from '../setup/service.ts';
import { use } from '../setup/use.ts';
import { signIn } from '../setup/wire.ts';
import { budget } from './budget.ts';
import { type Look, type Sightings, slowestAtRest, startCanary } from './canary.ts';
import { Meter, type Usage } from './meter.ts';
import { idsOf, memoryOf } from './processes.ts';
import { type CostlyReply, Sender } from './sender.ts';

export interface Outcome {
  replies: CostlyReply[];
  usage: Usage;
  /** A sentence with figures for each budget that was exceeded. */
  excess: string[];
}

export interface WatchOptions {
  /** Whether it is one request alone, whose CPU in workerd is bounded too. */
  isAlone?: boolean;
  /** Resolves to what others do meanwhile, besides reading. */
  startOthers?(): Promise<Look[]>;
}

export interface Target {
  service: Service;
  /** The headers of each caller. */
  callers: Record<'anonymous' | 'customer' | 'staff', Record<string, string>>;
  /** The customer's account. */
  account: string;
  /** Sends requests that are no attack. */
  sender: Sender;
  /** Sends the requests, `atOnce` at a time (by default one), and waits until the service is idle. */
  attack(requests: RawRequest[], atOnce?: number): Promise<Outcome>;
  /** Does the same for an attack of any other kind. */
  watch(work: () => Promise<CostlyReply[]>, options?: WatchOptions): Promise<Outcome>;
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
  const others = idsOf('workerd');
  const service = await startService();
  // Memory that its workerd has had before would hide what it takes now.
  await service.restart();
  const account = randomUUID();
  const [customer, other] = await Promise.all([newCustomer(service, account), newCustomer(service)]);
  const callers = {
    anonymous: { ...service.headers() },
    customer,
    staff: { apikey: service.secretKey, authorization: `Bearer ${service.secretKey}` },
  };
  /** Requests that make the backends and the worker cache each collection, which is no cost of an attack. */
  const warmUp = Object.values(callers).flatMap(headers =>
    collections.flatMap(({ name }) => Array(5).fill({ path: `/rest/v1/${name}?limit=1`, headers })),
  );
  const sender = new Sender(service.url);
  const canary = new Sender(service.url);
  const readers = [
    { path: '/health', headers: {} },
    { path: '/rest/v1/quotes?select=id,status', headers: other },
  ].map(
    (request): Look =>
      async () => {
        const first = await canary.send(request);
        // Another attempt counts with the first: what matters is how long a caller waits for its answer.
        const { status, text } = first.status === 200 ? first : await canary.send(request);
        if (status !== 200) {
          throw new Error(`${request.path}: ${first.status} ${first.text}, then ${status} ${text}`);
        }
      },
  );
  const findWorker = () => idsOf('workerd').find(pid => !others.includes(pid)) ?? 0;
  await sender.sendAll(warmUp, 10);
  const usual = memoryOf(findWorker())?.now ?? 0;

  /** Restarts a worker that has grown, so that what earlier attacks left is not counted for this one. */
  async function findRestedWorker(): Promise<number> {
    const isThere = await service.fetch('/health', { signal: AbortSignal.timeout(3000) }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (!isThere || (memoryOf(findWorker())?.now ?? 0) > usual + restlessMegabytes) {
      await service.restart();
      await sender.sendAll(warmUp, 10);
    }
    return findWorker();
  }

  const watch: Target['watch'] = async (work, { isAlone = false, startOthers } = {}) => {
    const worker = await findRestedWorker();
    const looks = [...readers, ...((await startOthers?.()) ?? [])];
    const atRest = await slowestAtRest(looks);
    const stopCanary = startCanary(worker, looks);
    const meter = await Meter.start(service.sql, worker);
    const replies = await work();
    const sightings = await stopCanary();
    const usage = await meter.stop();
    return { replies, usage, excess: [...findExcess(usage, isAlone), ...complaints(sightings, atRest)] };
  };
  return {
    service,
    callers,
    account,
    sender,
    watch,
    attack: (requests, atOnce = 1) =>
      watch(() => sender.sendAll(requests, atOnce), { isAlone: requests.length === 1 }),
    async stop() {
      sender.close();
      canary.close();
      await service.stop();
    },
  };
}

/** A customer with one quote. Returns its headers. */
async function newCustomer(service: Service, account: string = randomUUID()) {
  await (await signIn(service, { account })).send('POST', '/quotes', aQuote(account));
  return { ...service.headers(await service.token({ account })) };
}

function findExcess(usage: Usage, isAlone: boolean): string[] {
  const told = (used: number) => Math.round(used * 10) / 10;
  const bounds: [keyof Usage, string][] = [
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

/**
 * Expects every budget to be kept, and each response to be a success or a clear error. A statement that Postgres can
 * interrupt may also time out (`mayTakeTooLong`). A response to HEAD has no body to check.
 */
export function expectCheap({ replies, excess }: Outcome, { mayTakeTooLong = false } = {}): void {
  const isClear = ({ request, status, text }: CostlyReply): boolean => {
    const says = (code: RegExp) =>
      request.method === 'HEAD' || (code.test(text) && text.includes('"message":"'));
    return (
      (status >= 200 && status < 400) ||
      (status >= 400 && status < 500 && says(/"code":"\w+"/)) ||
      (mayTakeTooLong && status === 504 && says(/"code":"57014"/))
    );
  };
  const unclear = replies
    .filter(reply => !isClear(reply))
    .map(({ request: { method, path }, status, text, milliseconds }) =>
      [method, path.slice(0, 160), status, `${Math.round(milliseconds)} ms`, text.slice(0, 200)].join(' '),
    );
  expect({ excess, unclear }).toEqual({ excess: [], unclear: [] });
}
