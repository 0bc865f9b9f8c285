/** A service with a few callers for a test to attack, and the measurement of what the attack uses. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { collections } from '../../schema/collections.ts';
import { type RawRequest, type RawResponse, Wire } from '../fuzz/send.ts';
import { mapAtOnce } from '../setup/map-at-once.ts';
import { aQuote } from '../setup/rows.ts';
import { type Service, startService } from '../setup/service.ts';
import { use } from '../setup/use.ts';
import { signIn } from '../setup/wire.ts';
import { budget } from './budget.ts';
import { type Look, type Sightings, slowestAtRest, startCanary } from './canary.ts';
import { startMeter, type Usage } from './meter.ts';
import { idsOf, memoryOf } from './processes.ts';

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

export interface CostlyReply extends Omit<RawResponse, 'headers'> {
  request: RawRequest;
  milliseconds: number;
}

export type Target = Awaited<ReturnType<typeof startTarget>>;

/** Megabytes above normal at which the worker is restarted before the next attack. */
const restlessMegabytes = 40;

/** What a response takes during an attack, on top of the budget, in multiples of what it takes before. */
const atRestMultiple = 10;

export const json = { 'content-type': 'application/json' };

/** The target of a test file: it is started before its tests, and until then has no properties. */
export const useTarget = (): Target => use(startTarget, 'stop');

async function startTarget() {
  const others = idsOf('workerd');
  // A service with options is not shared with other test files: memory that its workerd had before would hide what it takes
  // now, and an attacked service would be strange to them.
  const service = await startService({ bindings: {} });
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
  const sender = createSender(service.url);
  const canary = createSender(service.url);
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
    const health = service.fetch('/health', { signal: AbortSignal.timeout(3000) });
    const isThere = (await health.catch(() => undefined))?.ok;
    if (!isThere || (memoryOf(findWorker())?.now ?? 0) > usual + restlessMegabytes) {
      await service.restart();
      await sender.sendAll(warmUp, 10);
    }
    return findWorker();
  }

  async function watch(
    work: () => Promise<CostlyReply[]>,
    { isAlone = false, startOthers }: WatchOptions = {},
  ): Promise<Outcome> {
    const worker = await findRestedWorker();
    const looks = [...readers, ...((await startOthers?.()) ?? [])];
    const atRest = await slowestAtRest(looks);
    const stopCanary = startCanary(worker, looks);
    const stopMeter = await startMeter(service.sql, worker);
    const replies = await work();
    const sightings = await stopCanary();
    const usage = await stopMeter();
    return { replies, usage, excess: [...findOverruns(usage, isAlone), ...complaints(sightings, atRest)] };
  }
  return {
    service,
    /** The headers of each caller. */
    callers,
    /** The customer's account. */
    account,
    /** Sends requests that are no attack. */
    sender,
    /** Does what `attack` does for an attack of any other kind. */
    watch,
    /** Sends the requests, `atOnce` at a time, and waits until the service is idle. */
    attack: (requests: RawRequest[], atOnce = 1) =>
      watch(() => sender.sendAll(requests, atOnce), { isAlone: requests.length === 1 }),
    async stop(): Promise<void> {
      sender.close();
      canary.close();
      await service.stop();
    },
  };
}

/** Sends requests, and keeps of a response only its outcome, the time that it took and the beginning of its body. */
function createSender(url: string) {
  const wire = new Wire(url, { connections: 64, timeout: 90_000, kept: 4000 });
  /** Never rejects: where there is no response the status is 0, and the text is the reason. */
  async function send(request: RawRequest): Promise<CostlyReply> {
    const started = performance.now();
    const { status, text } = await wire.send(request).catch(error => ({ status: 0, text: String(error) }));
    return { request, status, text, milliseconds: performance.now() - started };
  }
  return {
    send,
    sendAll: (requests: RawRequest[], atOnce: number) => mapAtOnce(requests, atOnce, send),
    close: () => wire.close(),
  };
}

/** A customer with one quote. Returns its headers. */
async function newCustomer(service: Service, account: string = randomUUID()) {
  await (await signIn(service, { account })).send('POST', '/quotes', aQuote(account));
  return { ...service.headers(await service.token({ account })) };
}

function findOverruns(usage: Usage, isAlone: boolean): string[] {
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

/** Expects every budget to be kept, and each response to be a success, a clear error or, where allowed, a timeout. */
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
  // A report that leaves out differences has at least the message.
  expect([...excess, ...unclear].join('\n')).toBe('');
}
