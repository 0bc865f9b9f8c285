/**
 * Channels that are joined, left and given new tokens at random, while rows are written and backends are terminated.
 * @module-tag full
 */
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { aNotification } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { callerOf } from '../setup/wire.ts';
import { all, useLive, type Wire } from './wire.ts';

const service = useService();
const live = useLive(service);

/** A channel from the answer to its join on. */
class Listened {
  /** The last number that was sent when the client left. */
  until: number | undefined;
  /** Returns the payloads that it was sent of an event. */
  readonly #payloads: (event: string) => Wire['messages'][number]['payload'][];
  /** The last number that may have been committed when the answer arrived. */
  readonly #from: number;

  constructor(wire: Wire, topic: string, from: number) {
    const its = { topic: `realtime:${topic}`, joinRef: String(wire.ref) };
    this.#payloads = of =>
      wire.messages
        .filter(({ event, ...own }) => event === of && own.topic === its.topic && own.joinRef === its.joinRef)
        .map(({ payload }) => payload);
    this.#from = from;
  }

  get numbers(): number[] {
    return this.#payloads('postgres_changes').map(({ data }) => Number(data.record?.body));
  }

  /** Notes that its client leaves. What was committed a moment ago may be under way. */
  leave(): void {
    this.until = Math.max(this.#from, ...this.numbers);
  }

  /** Returns numbers that it was not sent, though it was sent no error. */
  lost(last: number): number[] {
    if (this.#payloads('system').some(({ status }) => status === 'error')) {
      return [];
    }
    const sent = new Set(this.numbers);
    const length = Math.max(0, (this.until ?? last) - this.#from);
    return Array.from({ length }, (_, n) => this.#from + 1 + n).filter(n => !sent.has(n));
  }
}

it('every channel is sent what is committed after the answer to its join, or an error', {
  timeout: 240_000,
}, async () => {
  const seed = randomInt(2 ** 31);
  console.log(`seed ${seed}`);
  const { account } = live;
  const { sql } = service;
  const staff = callerOf(service, service.secretKey);
  const tokens = await Promise.all(
    Array.from({ length: 6 }, (_, n) =>
      service.token({ account, also: n < 3 ? [] : [randomUUID()], claims: { session_id: `${n % 3}` } }),
    ),
  );
  let committed = 0;
  let isRunning = true;
  const write = async () => {
    for (; isRunning; await sleep(20 + (committed % 7))) {
      const row = aNotification(account, { body: `${committed + 1}` });
      if (committed % 2 === 0) {
        await sql`insert into builder.notifications ${sql(row)}`;
      } else if ((await staff.send('POST', '/notifications', row)).status !== 201) {
        continue;
      }
      committed += 1;
    }
  };
  // Little of each row, or the sockets would be closed for what their user is sent.
  const bindings = [{ ...all, select: ['id', 'body'] }];
  const step = fc.record({
    what: fc.constantFrom('join', 'join', 'join', 'leave', 'token', 'token', 'terminate'),
    topic: fc.constantFrom('a', 'b', 'c'),
    token: fc.constantFrom(...tokens),
    pause: fc.nat(300),
  });
  const listened: Listened[] = [];
  const act = async (wire: Wire, n: number): Promise<void> => {
    const open = new Map<string, Listened>();
    const end = (topic: string): void => {
      open.get(topic)?.leave();
      open.delete(topic);
    };
    const steps = fc.sample(step, { seed: seed + n, numRuns: 300 });
    for (const { what, topic, token, pause } of steps) {
      if (what === 'join') {
        end(topic);
        const { status } = await wire.join(topic, bindings, token);
        if (status === 'ok') {
          const channel = new Listened(wire, topic, committed + 1);
          listened.push(channel);
          open.set(topic, channel);
        }
      } else if (what === 'leave') {
        end(topic);
        await wire.reply(wire.send(`realtime:${topic}`, 'phx_leave', {}));
      } else if (what === 'token') {
        wire.send(`realtime:${topic}`, 'access_token', { access_token: token });
      } else if (n === 0) {
        await sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and usename = 'builder_api'`;
      }
      await sleep(pause);
    }
  };
  const writing = write();
  const wires = await Promise.all(Array.from({ length: 12 }, () => live.open()));
  await Promise.all(wires.map(act));
  isRunning = false;
  await writing;
  expect(wires.map(({ closed }) => closed)).toEqual(wires.map(() => undefined));
  const losses = () => listened.map(channel => channel.lost(committed)).filter(({ length }) => length > 0);
  await vi.waitUntil(() => losses().length === 0, { timeout: 20_000 }).catch(() => {});
  expect(losses().map(numbers => numbers.slice(0, 10))).toEqual([]);
});
