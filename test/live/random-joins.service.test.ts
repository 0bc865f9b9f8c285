/** Channels that are joined, left and given new tokens at random, while rows are written and backends are terminated. */
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { rounds } from '../setup/full-size.ts';
import { aNotification } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { callerOf } from '../setup/wire.ts';
import { all, useWires, type Wire } from './wire.ts';

const service = useService();
const { open } = useWires(service);

/** A channel from the answer to its join on. */
interface Listened {
  wire: Wire;
  topic: string;
  joinRef: string;
  /** The last number that may have been committed when the answer arrived, and that was sent when the client left. */
  from: number;
  until?: number;
}

/** Numbers that a channel was not sent, though it was sent no error. */
function lost({ wire, topic, joinRef, from, until = 0 }: Listened): number[] {
  const own = wire.messages.filter(message => message.topic === topic && message.joinRef === joinRef);
  const hasError = own.some(({ event, payload }) => event === 'system' && payload.status === 'error');
  const sent = new Set(
    own
      .filter(({ event }) => event === 'postgres_changes')
      .map(({ payload }) => Number(payload.data.record?.body)),
  );
  return hasError || wire.closed
    ? []
    : Array.from({ length: Math.max(0, until - from) }, (_, n) => from + 1 + n).filter(n => !sent.has(n));
}

it('every channel is sent what is committed after the answer to its join, or an error', {
  timeout: 240_000,
}, async () => {
  const seed = randomInt(2 ** 31);
  console.log(`seed ${seed}`);
  const account = randomUUID();
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
    // Few enough for what a user may be sent, or its sockets would be closed.
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
  const listened: Listened[] = [];
  const act = async (wire: Wire, n: number): Promise<void> => {
    const step = fc.record({
      what: fc.constantFrom('join', 'join', 'join', 'leave', 'token', 'token', 'terminate'),
      topic: fc.constantFrom('a', 'b', 'c'),
      token: fc.constantFrom(...tokens),
      pause: fc.nat(300),
    });
    const open = new Map<string, Listened>();
    const end = (topic: string): void => {
      const channel = open.get(topic);
      if (channel) {
        // What was committed a moment ago may be under way.
        channel.until = Math.max(channel.from, ...numbersOf(channel));
        open.delete(topic);
      }
    };
    for (const { what, topic, token, pause } of fc.sample(step, {
      seed: seed + n,
      numRuns: rounds(40, 300),
    })) {
      if (what === 'join') {
        end(topic);
        const { status } = await wire.join(topic, [all], token);
        if (status === 'ok') {
          const channel = {
            wire,
            topic: `realtime:${topic}`,
            joinRef: String(wire.ref),
            from: committed + 1,
          };
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
  const wires = await Promise.all(Array.from({ length: 12 }, () => open()));
  await Promise.all(wires.map(act));
  isRunning = false;
  await writing;
  const last = committed;
  const isInformed = (channel: Listened) => lost({ until: last, ...channel }).length === 0;
  await vi.waitUntil(() => listened.every(isInformed), { timeout: 20_000 }).catch(() => {});
  for (const channel of listened) {
    channel.until ??= last;
  }
  const losses = listened.map(lost).filter(numbers => numbers.length > 0);
  console.log(`${listened.length} channels, ${committed} rows, ${listened.filter(hasError).length} errors`);
  expect(losses.map(numbers => numbers.slice(0, 10))).toEqual([]);
});

const hasError = ({ wire, topic, joinRef }: Listened): boolean =>
  wire.messages.some(
    ({ event, payload, ...message }) =>
      event === 'system' &&
      payload.status === 'error' &&
      message.topic === topic &&
      message.joinRef === joinRef,
  );

const numbersOf = ({ wire, topic, joinRef }: Listened): number[] =>
  wire.messages
    .filter(
      message =>
        message.event === 'postgres_changes' && message.topic === topic && message.joinRef === joinRef,
    )
    .map(({ payload }) => Number(payload.data.record?.body));
