/** Attacks by clients that are told much and do not read it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { allQuotes } from '../wire.ts';
import type { AttackSocket } from './attack-socket.ts';
import { type Attack, addressOf, type Customer, repeat, type Target } from './target.ts';

/** A customer with a quote of 240 KB. */
async function customerWithQuote(target: Target): Promise<Customer> {
  const customer = await target.customer();
  await target.storeQuotes(customer.account, 1, {
    customization: `jsonb_build_object('a', repeat('x', 240000))`,
  });
  return customer;
}

/** A socket with so many channels that are all told of the quotes, which reads nothing from then on. */
async function openPaused(
  target: Target,
  { token }: Customer,
  channels: number,
): Promise<AttackSocket | undefined> {
  const socket = await target.open({ address: addressOf(0) });
  for (let n = 0; n < channels; n++) {
    await socket?.join(`x${n}`, [allQuotes], token);
  }
  socket?.pause();
  return socket;
}

const change = (target: Target, customer: Customer, n: number): Promise<void> =>
  target.patch(customer, `account_id=eq.${customer.account}`, { sport: `golf ${n}` });

const heartbeatsButNoReading: Attack = async target => {
  const customer = await customerWithQuote(target);
  return async () => {
    const socket = await openPaused(target, customer, 60);
    for (let n = 0; n < target.size(12, 30); n++) {
      await change(target, customer, n);
      socket?.heartbeat();
      await sleep(150);
      socket?.heartbeat();
      await sleep(150);
    }
  };
};

const closedButOpen: Attack = async target => {
  const customer = await customerWithQuote(target);
  return async () => {
    for (let n = 0; n < target.size(6, 15); n++) {
      await openPaused(target, customer, 60);
      await change(target, customer, 2 * n);
      await sleep(300);
      await change(target, customer, 2 * n + 1);
      await sleep(1000);
    }
  };
};

/** Each of its sockets is told less than is allowed. */
const manySlowSockets: Attack = async target => {
  const customer = await customerWithQuote(target);
  return async () => {
    for (let n = 0; n < target.size(15, 60); n++) {
      await openPaused(target, customer, 5);
    }
    for (let n = 0; n < 10; n++) {
      await change(target, customer, n);
      await sleep(300);
    }
  };
};

/** Customers of whom each keeps what it is allowed. */
const manySlowCustomers: Attack = async target => {
  const customers = await Promise.all(
    Array.from({ length: target.size(6, 20) }, () => customerWithQuote(target)),
  );
  return async () => {
    await Promise.all(customers.map(customer => openPaused(target, customer, 10)));
    for (let n = 0; n < 5; n++) {
      await Promise.all(customers.map(customer => change(target, customer, n)));
      await sleep(500);
    }
  };
};

/** Answers are bytes too: those to heartbeats and to leaves, which a client that does not read asks for. */
const unreadAnswers: Attack = async target => {
  const customer = await target.customer();
  return async () => {
    const sockets = await target.openAll(100, addressed);
    await Promise.all(sockets.map(socket => socket.join('x', [], customer.token)));
    for (const socket of sockets) {
      socket.pause();
    }
    const topic = `realtime:${'x'.repeat(240)}`;
    const bindings = Array.from({ length: 20 }, () => ({
      ...allQuotes,
      filter: 'id=eq.x',
      more: 'y'.repeat(600),
    }));
    await repeat(target.size(5, 15), 100, () => {
      for (const socket of sockets) {
        socket.send(topic, 'phx_leave', {});
        socket.sendJoin(
          'x',
          bindings.map(({ filter: _, ...binding }) => binding),
          customer.token,
        );
      }
    });
  };
};

const addressed = () => ({ address: addressOf(0) });

export const slowReaderAttacks: Record<string, Attack> = {
  'a customer with 60 channels that sends heartbeats and never reads': heartbeatsButNoReading,
  '15 sockets that are closed as too slow and stay open': closedButOpen,
  '60 sockets of a customer that never read': manySlowSockets,
  '20 customers that never read': manySlowCustomers,
  '100 sockets that never read the answers to their joins': unreadAnswers,
};
