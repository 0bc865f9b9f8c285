/** The parent's side of relay-process.ts. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import type { Mail } from '../../functions/delivery/compose.ts';
import type { Fault } from './faulty-relay.ts';
import { messageId } from './mailer.ts';
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

/** A question without its number. */
type Asked = Question extends infer Each ? (Each extends Question ? Omit<Each, 'number'> : never) : never;

export async function startRelay(options: RelayOptions): Promise<TestRelay> {
  const child = fork(fileURLToPath(new URL('relay-process.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
  });
  const exit = once(child, 'exit');
  const ended = exit.then(([code]) => {
    throw new Error(`The relay ended with ${code}.`);
  });
  // It is awaited only while something is expected of the process.
  ended.catch(() => {});
  const waiting = new Map<number, (answer: unknown) => void>();
  child.on('message', ({ number, answer }: { number: number; answer: unknown }) =>
    waiting.get(number)?.(answer),
  );
  const ask = async <T>(question: Asked): Promise<T> => {
    const number = waiting.size;
    const answer = new Promise(resolve => waiting.set(number, resolve));
    child.send({ ...question, number });
    return (await Promise.race([answer, ended])) as T;
  };
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
    async stop() {
      child.kill('SIGKILL');
      await exit;
    },
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
