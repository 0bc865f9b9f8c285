/** Strangers, who have only the publishable key, and signed-in customers attack; and an office, which is no attacker, reconnects. */
import { setTimeout as sleep } from 'node:timers/promises';
import { RealtimeClient } from '@supabase/supabase-js';
import { expect, it } from 'vitest';
import WebSocket from 'ws';
import { createAccessToken } from '../../../functions/local/access-token.ts';
import { useTarget } from '../../costs/target.ts';
import { startLink } from '../../faults/link.ts';
import { sample } from '../../setup/full-size.ts';
import { all, allQuotes } from '../wire.ts';
import { type Attack, addressOf, expectUnharmed } from './attackers.ts';

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

const attacks: [name: string, attack: Attack][] = [
  ['six customers that send heartbeats and never read', neverRead],
  ['1,700 joins a second with tokens of another service', foreignTokens],
  ['changes of thousands of rows, some of a megabyte, with four lists of columns', largeChanges],
];
it.each(sample(1, attacks))('nobody else notices %s', { timeout: 300_000 }, async (name, attack) => {
  expect(await expectUnharmed(name, target, attack)).not.toEqual({});
});

/** How often a page of the office was refused a socket. */
let refusals = 0;
class OfficeSocket extends WebSocket {
  constructor(url: string | URL) {
    super(url, { headers: { 'cf-connecting-ip': addressOf(0) } });
    this.on('unexpected-response', () => {
      refusals += 1;
      this.terminate();
    });
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
      subscribed.clear();
      refusals = 0;
      link.cut();
      await until(areBack);
      attackers.met['refused'] = refusals;
      attackers.met['not back'] = customers.length - subscribed.size;
      await service.sql`
      insert into builder.notifications (account_id, body, dismissed)
      select unnest(${customers.map(({ account }) => account)}::uuid[]), 'after', false`;
      await until(() => informed.size === customers.length);
      attackers.met['not informed'] = customers.length - informed.size;
    };
  };

it('no page of an office of 300 is refused when all reconnect, each is sent what is written then, and nobody else notices', {
  timeout: 300_000,
  tags: ['full'],
}, async () => {
  const met = await expectUnharmed('an office of 300 pages that reconnects', target, office(300));
  expect(met).toMatchObject({ refused: 0, 'not back': 0, 'not informed': 0 });
});
