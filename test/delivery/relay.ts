/** The parent's side of relay-process.ts. */
import { afterAll, beforeAll } from 'vitest';
import type { Mail } from '../../functions/delivery/compose.ts';
import type { Fault } from './faulty-relay.ts';
import { messageId } from './mailer.ts';
import { startProcess } from './other-process.ts';
import type { Question, Received, RelayOptions } from './relay-process.ts';

export interface FaultyPort {
  port: number;
  /** What clients have sent here in clear, line by line, for each connection. */
  seen(): Promise<string[][]>;
}

export interface TestRelay {
  port: number;
  /** Opens another port of it, where this goes wrong. */
  failing(fault?: Fault): Promise<FaultyPort>;
  /** These mails, as often as they came and in that order. */
  received(mails: Mail[]): Promise<Received[]>;
  /** All mails. */
  all(): Promise<Received[]>;
  stop(): Promise<void>;
}

export async function startRelay(options: RelayOptions): Promise<TestRelay> {
  const { ask, stop } = startProcess<Question>('relay-process.ts');
  const all = () => ask<Received[]>({ ask: 'received' });
  return {
    port: await ask<number>({ ask: 'start', options }),
    async failing(fault) {
      const port = await ask<number>({ ask: 'fail', ...(fault && { fault }) });
      return { port, seen: () => ask({ ask: 'seen', port }) };
    },
    async received(mails) {
      const ids = mails.map(mail => `Message-ID: ${messageId(mail)}\r\n`);
      return (await all()).filter(({ raw }) => ids.some(id => raw.includes(id)));
    },
    all,
    stop,
  };
}

/** The relay of a `describe`: it is started before its tests, and until then has no properties. */
export function useRelay(options: () => RelayOptions | Promise<RelayOptions>): TestRelay {
  const relay = {} as TestRelay;
  beforeAll(async () => {
    Object.assign(relay, await startRelay(await options()));
  });
  afterAll(() => relay.stop());
  return relay;
}
