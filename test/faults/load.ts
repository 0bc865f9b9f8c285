/** Customers who read and write until they are stopped, and what was asked, answered and acknowledged. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { aQuote } from '../setup/rows.ts';
import type { Service } from '../setup/service.ts';
import { type Caller, signIn } from '../setup/wire.ts';

export interface Attempt {
  is: 'read' | 'write';
  /** Who sent it, one request after the other. */
  by: string;
  /** 0 when the connection to the service closed without a response. */
  status: number;
  retryAfter: string | null;
  body: { code?: string; message?: string } | undefined;
  /** The start in milliseconds since 1970, and the duration in milliseconds. */
  began: number;
  took: number;
}

export interface Write {
  customer: Caller;
  key: string;
  /** Identifies its row. */
  company: string;
  row: object;
  acknowledged: boolean;
}

export type Load = Awaited<ReturnType<typeof startLoad>>;

export interface Crowd {
  customers: number;
  /** For each customer, concurrently. */
  readers: number;
  writers: number;
  /** Milliseconds between a response and the next request. */
  pause?: number;
}

const usual: Crowd = { customers: 2, readers: 2, writers: 2 };
/** Milliseconds. */
export const pauseAfterFailure = 250;

/** The part of a service that a load needs. */
export type Target = Pick<Service, 'fetch' | 'publishableKey' | 'token'>;

export async function startLoad(service: Target, { customers, readers, writers, pause = 60 } = usual) {
  const load = {
    attempts: [] as Attempt[],
    /** The pending requests. */
    underWay: new Set<Pick<Attempt, 'is' | 'began'>>(),
    writes: [] as Write[],
  };
  let stopped = false;
  async function repeat(request: (by: string) => Promise<boolean>): Promise<void> {
    const by = randomUUID();
    while (!stopped) {
      await sleep((await request(by)) ? pause : pauseAfterFailure);
    }
  }
  const running: Promise<void>[] = [];
  for (let n = 0; n < customers; n++) {
    const account = randomUUID();
    const customer = await signIn(service, { account });
    const read = async (by: string) =>
      (await attempt(load, { is: 'read', by }, () => customer.get('/quotes?select=id&limit=5'))) === 200;
    const write = async (by: string) => {
      const company = randomUUID();
      const row = aQuote(account, { company });
      const entry: Write = { customer, key: randomUUID(), company, row, acknowledged: false };
      load.writes.push(entry);
      entry.acknowledged = (await attempt(load, { is: 'write', by }, () => send(entry))) === 201;
      return entry.acknowledged;
    };
    running.push(...Array.from({ length: readers }, () => repeat(read)));
    running.push(...Array.from({ length: writers }, () => repeat(write)));
  }
  return {
    ...load,
    /** Resolves when the last request has its response. */
    async stop(): Promise<void> {
      stopped = true;
      await Promise.all(running);
    },
  };
}

/** Sends a write, the first time or as a retry. */
export const send = ({ customer, key, row }: Write) =>
  customer.send('POST', '/quotes', row, { 'idempotency-key': key });

async function attempt(
  { attempts, underWay }: Pick<Load, 'attempts' | 'underWay'>,
  what: Pick<Attempt, 'is' | 'by'>,
  request: () => ReturnType<Caller['get']>,
): Promise<number> {
  const began = Date.now();
  const waiting = { is: what.is, began };
  underWay.add(waiting);
  const reply = await request().catch(() => undefined);
  underWay.delete(waiting);
  const status = reply?.status ?? 0;
  attempts.push({
    ...what,
    status,
    retryAfter: reply?.headers.get('retry-after') ?? null,
    body: reply?.status === 200 ? undefined : reply?.body,
    began,
    took: Date.now() - began,
  });
  return status;
}
