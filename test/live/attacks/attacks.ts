/** Attacks by their names: of strangers, who have only the publishable key, and of signed-in customers. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAccessToken } from '../../../functions/local/access-token.ts';
import { all, allQuotes, type Wire } from '../wire.ts';
import { type Attack, addressOf, repeat, size, type Target } from './target.ts';

/** Joins, 85 times a second on each of 20 sockets, with short tokens, and some that are as long as a token may be. */
const foreignTokens: Attack = async target => {
  const secret = 'not the secret of this service, though as long';
  const tokens = await Promise.all(
    Array.from({ length: 2000 }, (_, n) =>
      createAccessToken(secret, { account: `${n}`, claims: { filler: 'x'.repeat((n % 2) * 5500) } }),
    ),
  );
  return () =>
    target.talk([20, size(5, 15), 1000 / 85], (socket, n) =>
      socket.sendJoin('x', [all], tokens[n % tokens.length]),
    );
};

const idleSockets: Attack = async target => async () => {
  // More than there are places for.
  await target.openAll(size(1000, 5200), n => addressOf(n % 5));
  await sleep(size(4, 12) * 1000);
};

/** Messages that take long to parse, or make long errors, or never end. */
const oddMessages: Attack = async target => {
  const join = (payload: object) => JSON.stringify(['1', '1', 'realtime:x', 'phx_join', payload]);
  const texts = [
    '['.repeat(60_000),
    `["1","1","realtime:x","phx_join",${'{"config":'.repeat(5000)}`,
    JSON.stringify(['1', '1', `realtime:${'x'.repeat(60_000)}`, 'phx_join', {}]),
    JSON.stringify(['9'.repeat(60_000), '1', 'realtime:x', 'phx_join', {}]),
    join(Array(12_000).fill('1.5e3')),
    join({ access_token: 'e30.'.repeat(15_000) }),
    join({ config: { postgres_changes: Array(20_900).fill({}) }, access_token: 'a.b.c' }),
  ];
  return () =>
    target.talk([50, size(5, 12), 100], (socket, n) => {
      if (n % 50 < 10) {
        socket.socket.send(Buffer.alloc(60_000, ' '), { fin: false });
      } else {
        socket.socket.ping();
        socket.socket.send(texts[n % texts.length] ?? '');
      }
    });
};

export const strangerAttacks: Record<string, Attack> = {
  '1,700 joins a second with tokens of another service': foreignTokens,
  '5,000 sockets of five addresses that join nothing': idleSockets,
  '50 sockets with messages that no client sends': oddMessages,
};

/** Values of about a megabyte each: alike, small ones, and one that does not compress. */
const large = [
  `jsonb_build_object('a', repeat('x', 1000000))`,
  `jsonb_build_object('a', (select jsonb_agg(i % 10) from generate_series(1, 240000) i))`,
  `jsonb_build_object('a', (select string_agg(md5(i::text || n), '') from generate_series(1, 31000) i))`,
];

/** Changes all quotes of a customer with a socket for each list of bindings, so many times. */
const changes =
  (lists: object[][], times: number, store: (target: Target, account: string) => Promise<void>): Attack =>
  async target => {
    const customer = await target.customer();
    await store(target, customer.account);
    return async () => {
      const sockets = await target.openAll(lists.length, addressOf);
      for (const [index, socket] of sockets.entries()) {
        await target.join(socket, 'x', lists[index] ?? [], customer.token);
      }
      for (let n = 0; n < times; n++) {
        await target.change(customer, n);
      }
      await sleep(size(2, 5) * 1000);
    };
  };

const selections = [[], ['id', 'customization'], ['customization', 'sport'], ['customization', 'colors']];
const largeRecords = changes(
  selections.map(select => [{ ...allQuotes, select }]),
  2,
  async (target, account) => {
    for (const customization of large) {
      await target.storeQuotes(account, size(4, 18), customization);
    }
  },
);
const manyRows = changes([[allQuotes]], 3, (target, account) =>
  target.storeQuotes(account, size(4000, 20_000)),
);

/** A customer with so many sockets, and on each 20 channels with these bindings. */
const withChannels =
  (sockets: [few: number, full: number], bindingsOf: (n: number) => object[]): Attack =>
  async target => {
    const customer = await target.customer();
    await target.storeQuotes(customer.account, 10);
    return async () => {
      const opened = await target.openAll(size(...sockets), addressOf);
      const fill = async (socket: Wire) => {
        for (let n = 0; n < 20; n++) {
          await target.join(socket, `x${n}`, bindingsOf(n), customer.token);
        }
      };
      await Promise.race([Promise.all(opened.map(fill)), sleep(20_000)]);
      await repeat(size(4, 10), 200, n => target.change(customer, n));
    };
  };

const differentFilters = (n: number) => [
  allQuotes,
  ...Array.from({ length: 5 }, (_, m) => ({ ...allQuotes, filter: `roster_count=gt.${5 * (n % 20) + m}` })),
];
const longFilters = () =>
  Array.from({ length: 20 }, () => ({
    ...allQuotes,
    filter: `id=in.(${Array.from({ length: 18 }, () => randomUUID()).join()})`,
  }));

/** Customers each of whom is sent as much as it is allowed on channels of a socket, which sends heartbeats and never reads. */
const neverRead: Attack = async target => {
  const customers = await target.customers(size(6, 20));
  for (const { account } of customers) {
    await target.storeQuotes(account, 1, `jsonb_build_object('a', repeat('x', 240000))`);
  }
  return async () => {
    const sockets = await target.openAll(customers.length, addressOf);
    for (const [index, socket] of sockets.entries()) {
      for (let n = 0; n < 10; n++) {
        await target.join(socket, `x${n}`, [allQuotes], customers[index]?.token ?? '');
      }
      socket.socket.pause();
    }
    for (let n = 0; n < size(10, 30); n++) {
      await Promise.all(customers.map(customer => target.change(customer, n)));
      for (const socket of sockets) {
        socket.send('phoenix', 'heartbeat', {});
      }
      await sleep(300);
    }
  };
};

/** Replies are bytes too: those to joins and leaves, which a client that does not read asks for. */
const unreadReplies: Attack = async target => {
  const { token } = await target.customer();
  return async () => {
    const sockets = await target.openAll(100, () => addressOf(0));
    await Promise.all(sockets.map(socket => target.join(socket, 'x', [], token)));
    for (const { socket } of sockets) {
      socket.pause();
    }
    const bindings = Array.from({ length: 20 }, () => ({ ...allQuotes, more: 'y'.repeat(600) }));
    await repeat(size(5, 15), 100, () => {
      for (const socket of sockets) {
        socket.send(`realtime:${'x'.repeat(240)}`, 'phx_leave', {});
        socket.sendJoin('x', bindings, token);
      }
    });
  };
};

/** Sockets that join a channel first, and then send more than they may: tokens of others too. */
const everyMessage: Attack = async target => {
  const tokens = (await target.customers(50)).map(({ token }) => token);
  const topic = 'realtime:x';
  const joined = new WeakSet<Wire>();
  return () =>
    target.talk([30, size(5, 12), 10], (socket, n) => {
      const access_token = tokens[n % tokens.length] ?? '';
      const says = [
        () => socket.send('phoenix', 'heartbeat', {}),
        () => socket.send(topic, 'access_token', { access_token }),
        () => socket.send(topic, 'broadcast', { type: 'broadcast', event: 'x', payload: 'x'.repeat(1000) }),
        () => socket.send(topic, 'no such event', { deep: [[[[[[]]]]]] }),
        () => socket.socket.send(JSON.stringify([null, '9'.repeat(20_000), topic, 'heartbeat', {}])),
        () => socket.send(`realtime:${'y'.repeat(240)}${n}`, 'access_token', { access_token }),
        () => socket.socket.send('no JSON'),
      ];
      if (joined.has(socket)) {
        says[n % says.length]?.();
      } else {
        joined.add(socket);
        void target.join(socket, 'x', [allQuotes], tokens[0] ?? '');
      }
    });
};

export const customerAttacks: Record<string, Attack> = {
  'changes of 54 rows of a megabyte, with four lists of columns': largeRecords,
  '30 sockets that send more messages of every kind than they may': everyMessage,
  'three changes of 20,000 rows': manyRows,
  '20 customers that send heartbeats and never read': neverRead,
  '100 sockets that never read the replies to their joins': unreadReplies,
  'a customer that is sent each change on 3,000 channels': withChannels([20, 150], differentFilters),
  '2,000 channels of a customer with 20 large bindings each': withChannels([20, 100], longFilters),
};
