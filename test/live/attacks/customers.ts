/** Attacks by signed-in customers: much that is sent to them, sockets that do not read, and as many messages as they may send. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { all, allQuotes } from '../wire.ts';
import type { AttackSocket } from './attack-socket.ts';
import { withSockets } from './strangers.ts';
import { type Attack, addressOf, type Customer, repeat, type Target } from './target.ts';

/** Opens a socket of the customer for each list of bindings, and joins a channel with it. */
async function listen(target: Target, { token }: Customer, lists: object[][]): Promise<void> {
  const sockets = await target.openAll(lists.length);
  for (const [index, socket] of sockets.entries()) {
    await socket.join('x', lists[index] ?? [], token);
  }
}

/** Changes all quotes of the customer by a request. */
const change = (target: Target, customer: Customer, n: number): Promise<void> =>
  target.patch(customer, `account_id=eq.${customer.account}`, { sport: `golf ${n}` });

/** Values of about a megabyte each: alike, small ones, and one that does not compress. */
const large = [
  `jsonb_build_object('a', repeat('x', 1000000))`,
  `jsonb_build_object('a', (select jsonb_agg(i % 10) from generate_series(1, 240000) i))`,
  `jsonb_build_object('a', (select string_agg(md5(i::text || n), '') from generate_series(1, 31000) i))`,
];

const largeRecords: Attack = async target => {
  const customer = await target.customer();
  for (const customization of large) {
    await target.storeQuotes(customer.account, target.size(4, 18), { customization });
  }
  return async () => {
    const selections = [
      ['id', 'customization'],
      ['customization', 'sport'],
      ['customization', 'colors'],
    ];
    await listen(target, customer, [[allQuotes], ...selections.map(select => [{ ...allQuotes, select }])]);
    for (let n = 0; n < target.size(1, 3); n++) {
      await change(target, customer, n);
    }
    await sleep(target.size(2, 5) * 1000);
  };
};

const manyRowsAtOnce: Attack = async target => {
  const customer = await target.customer();
  await target.storeQuotes(customer.account, target.size(4000, 20_000));
  return async () => {
    await listen(target, customer, [[allQuotes]]);
    for (let n = 0; n < 3; n++) {
      await change(target, customer, n);
    }
    await sleep(target.size(2, 5) * 1000);
  };
};

const manyWrites: Attack = async target => {
  const customer = await target.customer();
  await target.storeQuotes(customer.account, 100);
  return async () => {
    await listen(target, customer, [[allQuotes], [all]]);
    const write = () => repeat(target.size(4, 12), 0, n => change(target, customer, n));
    await Promise.all(Array.from({ length: 10 }, write));
  };
};

/** The service's owner imports rows of a customer, while its staff have their pages open. */
const imports: Attack = async target => {
  const staff = await target.customer({ staff: true });
  return async () => {
    await listen(target, staff, Array(3).fill([allQuotes]));
    for (let n = 0; n < target.size(1, 3); n++) {
      await target.storeQuotes(randomUUID(), target.size(4000, 20_000));
      await sleep(2000);
    }
  };
};

/** Each write is sent on all channels that a customer may have, with different filters. */
const manyChannels: Attack = async target => {
  const customer = await target.customer();
  await target.storeQuotes(customer.account, 10);
  return async () => {
    const sockets = await target.openAll(target.size(20, 150));
    const filters = (n: number) =>
      Array.from({ length: 5 }, (_, m) => ({ ...allQuotes, filter: `roster_count=gt.${5 * (n % 20) + m}` }));
    await Promise.all(
      sockets.flatMap(socket =>
        Array.from({ length: 20 }, (_, n) =>
          socket.join(`x${n}`, [allQuotes, ...filters(n)], customer.token),
        ),
      ),
    );
    await repeat(target.size(4, 10), 200, n => change(target, customer, n));
  };
};

/** So many channels of a customer as a channel's bindings and an object's memory allow, with filters that fill their texts. */
const largeBindings: Attack = async target => {
  const customer = await target.customer();
  const bindings = () =>
    Array.from({ length: 20 }, () => ({
      ...allQuotes,
      filter: `id=in.(${Array.from({ length: 18 }, () => randomUUID()).join()})`,
    }));
  return async () => {
    const sockets = await target.openAll(25);
    const fill = async (socket: AttackSocket) => {
      for (let channel = 0; channel < target.size(20, 100); channel++) {
        await socket.join(`x${channel}`, bindings(), customer.token);
      }
    };
    await Promise.race([Promise.all(sockets.map(fill)), sleep(20_000)]);
  };
};

async function customerWithLargeQuote(target: Target): Promise<Customer> {
  const customer = await target.customer();
  await target.storeQuotes(customer.account, 1, {
    customization: `jsonb_build_object('a', repeat('x', 240000))`,
  });
  return customer;
}

/** Opens a socket whose channels are all sent the quotes, and reads nothing from then on. */
async function openPaused(target: Target, { token }: Customer, channels: number) {
  const socket = await target.open({ address: addressOf(0) });
  for (let n = 0; n < channels; n++) {
    await socket?.join(`x${n}`, [allQuotes], token);
  }
  socket?.pause();
  return socket;
}

const heartbeatsButNoReading: Attack = async target => {
  const customer = await customerWithLargeQuote(target);
  return async () => {
    const socket = await openPaused(target, customer, 60);
    for (let n = 0; n < target.size(12, 30); n++) {
      await change(target, customer, n);
      socket?.heartbeat();
      await sleep(300);
    }
  };
};

/** Customers each of whose sockets keeps unread what it is allowed. */
const slowReaders =
  (few: number, full: number, sockets: number, channels: number): Attack =>
  async target => {
    const customers = await Promise.all(
      Array.from({ length: target.size(few, full) }, () => customerWithLargeQuote(target)),
    );
    return async () => {
      for (let n = 0; n < sockets; n++) {
        await Promise.all(customers.map(customer => openPaused(target, customer, channels)));
      }
      for (let n = 0; n < 10; n++) {
        await Promise.all(customers.map(customer => change(target, customer, n)));
        await sleep(300);
      }
    };
  };

/** Replies are bytes too: those to joins and leaves, which a client that does not read asks for. */
const unreadReplies: Attack = async target => {
  const customer = await target.customer();
  return async () => {
    const sockets = await target.openAll(100, () => ({ address: addressOf(0) }));
    await Promise.all(sockets.map(socket => socket.join('x', [], customer.token)));
    for (const socket of sockets) {
      socket.pause();
    }
    const bindings = Array.from({ length: 20 }, () => ({ ...allQuotes, more: 'y'.repeat(600) }));
    await repeat(target.size(5, 15), 100, () => {
      for (const socket of sockets) {
        socket.send(`realtime:${'x'.repeat(240)}`, 'phx_leave', {});
        socket.sendJoin('x', bindings, customer.token);
      }
    });
  };
};

type Talk = (socket: AttackSocket, n: number, tokens: string[]) => void;

/** So many sockets, each of which joins a channel first, and then sends this as often as it may. */
const talk =
  (sockets: number, every: number, say: Talk): Attack =>
  async target => {
    const [{ token = '', account = '' } = {}, ...others] = await target.customers(50);
    const sessions = Array.from({ length: 50 }, (_, n) => ({ account, claims: { session_id: `${n}` } }));
    const tokens = [
      token,
      ...others.map(other => other.token),
      ...(await Promise.all(sessions.map(session => target.token(session)))),
    ];
    const joined = new WeakSet<AttackSocket>();
    return () =>
      withSockets(target, [sockets, target.size(5, 12), every], (socket, n) => {
        if (joined.has(socket)) {
          say(socket, n, tokens);
        } else {
          joined.add(socket);
          void socket.join('x', [allQuotes], token);
        }
      });
  };

const everyMessage: Talk = (socket, n, tokens) => {
  const topic = 'realtime:x';
  const access_token = tokens[n % tokens.length];
  const says: (() => void)[] = [
    () => socket.heartbeat(),
    () => socket.send(topic, 'access_token', { access_token }),
    () => socket.send(topic, 'broadcast', { type: 'broadcast', event: 'x', payload: 'x'.repeat(1000) }),
    () => socket.send(topic, 'no such event', { deep: [[[[[[]]]]]] }),
    () => socket.sendRaw(JSON.stringify([null, '9'.repeat(20_000), topic, 'heartbeat', {}])),
    () => socket.send(`realtime:${'y'.repeat(240)}${n}`, 'access_token', { access_token }),
    () => socket.sendRaw('no JSON'),
  ];
  says[n % says.length]?.();
};

/** Milliseconds between two messages of a socket that sends nearly as many as it may. */
const asFastAsAllowed = 105;

export const customerAttacks: Record<string, Attack> = {
  'changes of 54 rows of a megabyte, with four lists of columns': largeRecords,
  'a customer with 60 channels that sends heartbeats and never reads': heartbeatsButNoReading,
  '30 sockets that send more messages of every kind than they may': talk(30, 10, everyMessage),
  'three changes of 20,000 rows': manyRowsAtOnce,
  '60 sockets of a customer that never read': slowReaders(1, 1, 60, 5),
  '100 sockets that leave and join': talk(100, 2 * asFastAsAllowed, (socket, _, [token]) => {
    socket.send('realtime:x', 'phx_leave', {});
    socket.sendJoin('x', [allQuotes], token);
  }),
  'changes of a hundred rows as fast as ten connections can': manyWrites,
  '20 customers that never read': slowReaders(6, 20, 1, 10),
  '30 sockets that send tokens of others': talk(30, asFastAsAllowed, (socket, n, tokens) =>
    socket.send('realtime:x', 'access_token', { access_token: tokens[n % tokens.length] }),
  ),
  '60,000 rows of others, and staff who listen': imports,
  '100 sockets that never read the replies to their joins': unreadReplies,
  'a customer that is sent each change on 3,000 channels': manyChannels,
  '2,500 channels of a customer with 20 large bindings each': largeBindings,
};
