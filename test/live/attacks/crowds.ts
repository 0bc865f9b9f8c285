/** What no attack is, though it is as much at once: many users, each with one page. `met` has milliseconds too. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@supabase/supabase-js';
import WebSocket from 'ws';
import { type Link, startLink } from '../../faults/link.ts';
import { all } from '../wire.ts';
import type { AttackSocket } from './attack-socket.ts';
import { type Attack, addressOf, type Customer, repeat, type Target } from './target.ts';

export const joinsAtOnce: Attack = async target => {
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

/** Users with a page each, whose connections all break, and who are written to while they are gone. */
export const clientsCutAtOnce: Attack = async target => {
  const link = await startLink(Number(new URL(target.place.url).port));
  const customers = await target.customers(target.size(60, 300));
  const told = new Set<string>();
  await Promise.all(customers.map(customer => listen(target, link, customer, told)));
  return async () => {
    const since = performance.now();
    link.cut();
    const accounts = customers.map(({ account }) => account);
    await target.sql`
      insert into builder.notifications (account_id, body, dismissed)
      select unnest(${accounts}::uuid[]), 'missed', false`;
    while (told.size < customers.length && performance.now() - since < 60_000) {
      await sleep(20);
    }
    target.met['slowest'] = Math.round(performance.now() - since);
    target.met['told what they missed'] = told.size;
    target.met['not told'] = customers.length - told.size;
  };
};

/** Resolves when the page is subscribed. */
function listen(
  { place }: Target,
  link: Link,
  { account, token }: Customer,
  told: Set<string>,
): Promise<void> {
  const url = Object.assign(new URL(place.url), { port: String(link.port) }).origin;
  const client = createClient(url, place.publishableKey, {
    accessToken: async () => token,
    realtime: { transport: WebSocket as never },
  });
  return new Promise(resolve => {
    client
      .channel('x')
      .on('postgres_changes', { event: '*', schema: 'public', table: 'notifications' }, () =>
        told.add(account),
      )
      .subscribe(state => (state === 'SUBSCRIBED' ? resolve() : undefined));
  });
}

export const heldSockets: Attack = async target => {
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
  '300 clients that are cut at once': clientsCutAtOnce,
  '4,900 sockets with a channel each': heldSockets,
};
