/**
 * Strangers, who have only the publishable key, and signed-in customers attack; and an office, which is no attacker, reconnects.
 * @module-tag full
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { RealtimeClient } from 'realtime-js-newest';
import { expect, it } from 'vitest';
import WebSocket from 'ws';
import { createAccessToken } from '../../../functions/local/access-token.ts';
import { timeWithCpu } from '../../costs/processes.ts';
import { useTarget } from '../../costs/target.ts';
import { startLink } from '../../faults/link.ts';
import { all, allQuotes, type Wire } from '../wire.ts';
import { type Attack, addressOf, expectUnharmed, repeat } from './attackers.ts';

const target = useTarget();

/** Joins, 85 times a second on each of 20 sockets, with short tokens, and some that are as long as a token may be. */
const foreignTokens: Attack = async attackers => {
  const secret = 'not the secret of this service, though as long';
  const tokens = await Promise.all(
    Array.from({ length: 2000 }, (_, n) =>
      createAccessToken(secret, { account: `${n}`, claims: { filler: 'x'.repeat((n % 2) * 5500) } }),
    ),
  );
  return () =>
    attackers.talk([20, 5, 1000 / 85], (socket, n) => socket.sendJoin('x', [all], tokens[n % tokens.length]));
};

const idleSockets: Attack = async attackers => async () => {
  await attackers.openAll(1000, n => addressOf(n % 5));
  await sleep(4000);
};

/** Messages that take long to parse, or make long errors, or never end. */
const oddMessages: Attack = async attackers => {
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
    attackers.talk([50, 5, 100], (socket, n) => {
      if (n % 50 < 10) {
        socket.socket.send(Buffer.alloc(60_000, ' '), { fin: false });
      } else {
        socket.socket.ping();
        socket.socket.send(texts[n % texts.length] ?? '');
      }
    });
};

/** Values of about a megabyte each: alike, small ones, and one that does not compress. */
const large = [
  `jsonb_build_object('a', repeat('x', 1000000))`,
  `jsonb_build_object('a', (select jsonb_agg(i % 10) from generate_series(1, 240000) i))`,
  `jsonb_build_object('a', (select string_agg(md5(i::text || n), '') from generate_series(1, 31000) i))`,
];
const selections = [[], ['id', 'customization'], ['customization', 'sport'], ['customization', 'colors']];

/** Changes large quotes, and thousands of small ones, of a customer with a socket for each list of columns. */
const largeChanges: Attack = async attackers => {
  const customer = await attackers.customer();
  for (const customization of large) {
    await attackers.storeQuotes(customer.account, 4, customization);
  }
  await attackers.storeQuotes(customer.account, 4000);
  return async () => {
    const sockets = await attackers.openAll(selections.length, addressOf);
    for (const [index, socket] of sockets.entries()) {
      await attackers.join(socket, 'x', [{ ...allQuotes, select: selections[index] }], customer.token);
    }
    for (let n = 0; n < 3; n++) {
      await attackers.change(customer, n);
    }
    await sleep(2000);
  };
};

/** Two customers with ten sockets each and 20 channels on each of them: one has different filters, the other long ones. */
const manyChannels: Attack = async attackers => {
  const customers = await attackers.customers(2);
  for (const { account } of customers) {
    await attackers.storeQuotes(account, 10);
  }
  const list = (length: number, make: (n: number) => string) => Array.from({ length }, (_, n) => make(n));
  const different = (channel: number) => list(5, n => `roster_count=gt.${5 * channel + n}`);
  const long = () => list(19, () => `id=in.(${list(18, () => randomUUID())})`);
  return async () => {
    const opened = await attackers.openAll(20, addressOf);
    const fill = async (socket: Wire, index: number) => {
      for (let n = 0; n < 20; n++) {
        const filters = index % 2 === 0 ? different(n) : long();
        const bindings = [allQuotes, ...filters.map(filter => ({ ...allQuotes, filter }))];
        await attackers.join(socket, `x${n}`, bindings, customers[index % 2]?.token ?? '');
      }
    };
    await Promise.race([Promise.all(opened.map(fill)), sleep(20_000)]);
    await repeat(4, 200, n => Promise.all(customers.map(customer => attackers.change(customer, n))));
  };
};

/** Customers each of whom is sent as much as it is allowed on channels of a socket, which sends heartbeats and never reads. */
const neverRead: Attack = async attackers => {
  const customers = await attackers.customers(6);
  for (const { account } of customers) {
    await attackers.storeQuotes(account, 1, `jsonb_build_object('a', repeat('x', 240000))`);
  }
  return async () => {
    const sockets = await attackers.openAll(customers.length, addressOf);
    for (const [index, socket] of sockets.entries()) {
      for (let n = 0; n < 10; n++) {
        await attackers.join(socket, `x${n}`, [allQuotes], customers[index]?.token ?? '');
      }
      socket.socket.pause();
    }
    for (let n = 0; n < 10; n++) {
      await Promise.all(customers.map(customer => attackers.change(customer, n)));
      for (const socket of sockets) {
        socket.send('phoenix', 'heartbeat', {});
      }
      await sleep(300);
    }
  };
};

it.each<[name: string, attack: Attack]>([
  ['1,700 joins a second with tokens of another service', foreignTokens],
  ['1,000 sockets of five addresses that join nothing', idleSockets],
  ['50 sockets with messages that no client sends', oddMessages],
  ['changes of thousands of rows, some of a megabyte, with four lists of columns', largeChanges],
  ['customers that are sent each change on hundreds of channels', manyChannels],
  ['six customers that send heartbeats and never read', neverRead],
])('nobody else notices %s', { timeout: 300_000 }, async (name, attack) => {
  expect(await expectUnharmed(name, target, attack)).not.toEqual({});
});

class OfficeSocket extends WebSocket {
  constructor(url: string | URL) {
    super(url, { headers: { 'cf-connecting-ip': addressOf(0) } });
  }
}

/** Waits as long as pages may take that reconnect, however busy the machine is. */
async function until(isSo: () => boolean): Promise<void> {
  for (const end = performance.now() + 60_000; !isSo() && performance.now() < end; ) {
    await sleep(20);
  }
}

/** Pages of one address, whose connections all break at once. They reconnect, and are sent what is written then. */
const office =
  (pages: number): Attack =>
  async attackers => {
    const { service } = attackers;
    const link = await startLink(Number(new URL(service.url).port));
    attackers.ends.add(() => link.stop());
    const customers = await attackers.customers(pages);
    const subscribed = new Set<string>();
    const informed = new Set<string>();
    for (const { account, token } of customers) {
      const client = new RealtimeClient(`ws://127.0.0.1:${link.port}/realtime/v1`, {
        params: { apikey: service.publishableKey },
        transport: OfficeSocket as never,
        accessToken: async () => token,
      });
      client
        .channel('x')
        .on('postgres_changes', all as never, () => informed.add(account))
        .subscribe((state: string) => (state === 'SUBSCRIBED' ? subscribed.add(account) : undefined));
      void client.setAuth(token);
      attackers.ends.add(() => client.disconnect());
    }
    const areBack = () => subscribed.size === customers.length;
    await until(areBack);
    return async () => {
      const since = timeWithCpu();
      subscribed.clear();
      link.cut();
      await until(areBack);
      attackers.met['milliseconds'] = Math.round(timeWithCpu() - since);
      attackers.met['not back'] = customers.length - subscribed.size;
      await service.sql`
      insert into builder.notifications (account_id, body, dismissed)
      select unnest(${customers.map(({ account }) => account)}::uuid[]), 'after', false`;
      await until(() => informed.size === customers.length);
      attackers.met['not informed'] = customers.length - informed.size;
    };
  };

it('all pages of an office of 300 are back within 5 s, are sent what is written then, and nobody else notices', {
  timeout: 300_000,
}, async () => {
  const met = await expectUnharmed('an office of 300 pages that reconnects', target, office(300));
  expect(met).toMatchObject({ 'not back': 0, 'not informed': 0 });
  expect(met['milliseconds']).toBeLessThan(5000);
});
