/** Many users at once, each with one page, which is no attack. `met` has milliseconds too. */
import { setTimeout as sleep } from 'node:timers/promises';
import { RealtimeClient } from 'realtime-js-newest';
import WebSocket from 'ws';
import { type Link, startLink } from '../../faults/link.ts';
import { all } from '../wire.ts';
import type { AttackSocket } from './attack-socket.ts';
import { type Attack, addressOf, type Customer, repeat, type Target } from './target.ts';

const joinsAtOnce: Attack = async target => {
  const customers = await target.customers(target.size(300, 1000));
  return async () => {
    const since = performance.now();
    const join = async ({ token }: Customer, n: number) => {
      const socket = await target.open({ address: addressOf(n) });
      const outcome = (await socket?.join('x', [all], token)) ?? 'not opened';
      target.met['slowest'] = Math.round(performance.now() - since);
      target.count(outcome === 'ok' ? 'accepted' : `refused: ${outcome}`);
    };
    await Promise.all(customers.map(join));
  };
};

/** Milliseconds in which all pages of an office must have reconnected, however busy the machine is. */
const patience = 60_000;

/** Pages of one address, whose connections all break at once. They reconnect, and are sent what is written then. */
const office =
  (few: number, full: number): Attack =>
  async target => {
    const link = await startLink(Number(new URL(target.place.url).port));
    const customers = await target.customers(target.size(few, full));
    const subscribed = new Set<string>();
    const informed = new Set<string>();
    const open = (customer: Customer) => openPage(target, link, customer, subscribed, informed);
    await Promise.all(customers.map(open));
    await until(() => subscribed.size === customers.length);
    return async () => {
      const since = performance.now();
      subscribed.clear();
      link.cut();
      await until(() => subscribed.size === customers.length);
      target.met['slowest'] = Math.round(performance.now() - since);
      target.met['not back'] = customers.length - subscribed.size;
      await target.sql`
        insert into builder.notifications (account_id, body, dismissed)
        select unnest(${customers.map(({ account }) => account)}::uuid[]), 'after', false`;
      await until(() => informed.size === customers.length);
      target.met['not informed'] = customers.length - informed.size;
    };
  };

async function until(isSo: () => boolean): Promise<void> {
  for (const end = performance.now() + patience; !isSo() && performance.now() < end; ) {
    await sleep(20);
  }
}

/** All of them have the same address. */
class OfficeSocket extends WebSocket {
  constructor(url: string | URL) {
    super(url, { headers: { 'cf-connecting-ip': addressOf(0) } });
  }
}

function openPage(
  { place }: Target,
  link: Link,
  { account, token }: Customer,
  subscribed: Set<string>,
  informed: Set<string>,
): Promise<void> {
  const client = new RealtimeClient(`ws://127.0.0.1:${link.port}/realtime/v1`, {
    params: { apikey: place.publishableKey },
    transport: OfficeSocket as never,
    accessToken: async () => token,
  });
  client
    .channel('x')
    .on('postgres_changes', { event: '*', schema: 'public', table: 'notifications' }, () =>
      informed.add(account),
    )
    .subscribe((state: string) => (state === 'SUBSCRIBED' ? subscribed.add(account) : undefined));
  return client.setAuth(token);
}

const heldSockets: Attack = async target => {
  const customers = await target.customers(target.size(500, 4900));
  return async () => {
    const sockets: AttackSocket[] = [];
    while (sockets.length < customers.length) {
      const some = customers.slice(sockets.length, sockets.length + 50);
      const opened = await target.openAll(some.length, n => ({ address: addressOf(sockets.length + n) }));
      await Promise.all(opened.map((socket, n) => socket.join('x', [all], some[n]?.token)));
      sockets.push(...opened);
      if (opened.length < some.length) {
        break;
      }
    }
    target.met['held'] = sockets.length;
    await repeat(target.size(2, 10), 1000, n => {
      // Each sends a heartbeat within 25 seconds.
      for (const socket of sockets.filter((_, index) => index % 25 === n)) {
        socket.heartbeat();
      }
    });
  };
};

export const crowds: Record<string, Attack> = {
  '1,000 joins at once': joinsAtOnce,
  'an office of 300 pages that reconnects at once': office(60, 300),
  'an office of 1,000 pages that reconnects at once': office(300, 1000),
  '4,900 sockets with a channel each': heldSockets,
};
