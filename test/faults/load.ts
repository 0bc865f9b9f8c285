/**
 * Several customers who read and write until told to stop. Every request is on record with its answer, and every
 * write with its Idempotency-Key, so that what was promised can be compared with what is in the database.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from '../setup/service.ts';
import { aQuote, type Caller, callerOf } from '../setup/wire.ts';

export interface Attempt {
  is: 'read' | 'write';
  /** 0 when the connection to the service ended without an answer. */
  status: number;
  retryAfter: string | null;
  body: { code?: string; message?: string } | undefined;
  /** Milliseconds since 1970, and how many it took. */
  began: number;
  took: number;
}

export interface Write {
  customer: Caller;
  key: string;
  /** Tells its row from all others. */
  company: string;
  row: object;
  acknowledged: boolean;
}

export interface Load {
  attempts: Attempt[];
  /** Requests without an answer so far: when each began. */
  underWay: Set<Pick<Attempt, 'began'>>;
  writes: Write[];
  /** Answers when the last request has been answered. */
  stop(): Promise<void>;
}

export interface Crowd {
  customers: number;
  /** Of each customer at the same time. */
  readers: number;
  writers: number;
  /** What a reader asks for. */
  path?: string;
  /** Milliseconds between an answer and the next request, which is as new as that one. */
  pause?: number;
}

const severalCustomers: Crowd = { customers: 3, readers: 2, writers: 2 };
/** Milliseconds. */
const pauseAfterFailure = 100;

/** What a load needs of a service. */
export type Target = Pick<Service, 'fetch' | 'publishableKey' | 'token'>;

export async function startLoad(
  service: Target,
  { customers, readers, writers, path = '/quotes?limit=20', pause = 5 } = severalCustomers,
): Promise<Load> {
  const load = {
    attempts: [] as Attempt[],
    underWay: new Set<Pick<Attempt, 'began'>>(),
    writes: [] as Write[],
  };
  let stopped = false;
  async function repeat(request: () => Promise<boolean>): Promise<void> {
    while (!stopped) {
      await sleep((await request()) ? pause : pauseAfterFailure);
    }
  }
  const running: Promise<void>[] = [];
  for (let n = 0; n < customers; n++) {
    const account = randomUUID();
    const customer = callerOf(service, service.publishableKey, await service.token({ account }));
    const read = async () => (await attempt(load, 'read', () => customer.get(path))) === 200;
    const write = async () => {
      const company = randomUUID();
      const row = aQuote(account, { company });
      const entry: Write = { customer, key: randomUUID(), company, row, acknowledged: false };
      load.writes.push(entry);
      entry.acknowledged = (await attempt(load, 'write', () => send(entry))) === 201;
      return entry.acknowledged;
    };
    running.push(...Array.from({ length: readers }, () => repeat(read)));
    running.push(...Array.from({ length: writers }, () => repeat(write)));
  }
  return {
    ...load,
    async stop() {
      stopped = true;
      await Promise.all(running);
    },
  };
}

/** Sends a write, for the first time or again. */
export const send = ({ customer, key, row }: Write) =>
  customer.send('POST', '/quotes', row, { 'idempotency-key': key });

async function attempt(
  { attempts, underWay }: Pick<Load, 'attempts' | 'underWay'>,
  is: Attempt['is'],
  request: () => ReturnType<Caller['get']>,
): Promise<number> {
  const began = Date.now();
  const waiting = { began };
  underWay.add(waiting);
  const reply = await request().catch(() => undefined);
  underWay.delete(waiting);
  const status = reply?.status ?? 0;
  attempts.push({
    is,
    status,
    retryAfter: reply?.headers.get('retry-after') ?? null,
    body: reply?.status === 200 ? undefined : reply?.body,
    began,
    took: Date.now() - began,
  });
  return status;
}
