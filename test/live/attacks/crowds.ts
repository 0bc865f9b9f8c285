/** Many users at once, each with one page, which is no attack. `met` has milliseconds too. */
import { setTimeout as sleep } from 'node:timers/promises';
import { RealtimeClient } from 'realtime-js-newest';
import WebSocket from 'ws';
import { startLink } from '../../faults/link.ts';
import { all } from '../wire.ts';
import { type Attack, addressOf, size } from './target.ts';

/** All of them have the same address. */
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
  (few: number, full: number): Attack =>
  async target => {
    const link = await startLink(Number(new URL(target.service.url).port));
    target.ends.add(() => link.stop());
    const customers = await target.customers(size(few, full));
    const subscribed = new Set<string>();
    const informed = new Set<string>();
    for (const { account, token } of customers) {
      const client = new RealtimeClient(`ws://127.0.0.1:${link.port}/realtime/v1`, {
        params: { apikey: target.service.publishableKey },
        transport: OfficeSocket as never,
        accessToken: async () => token,
      });
      client
        .channel('x')
        .on('postgres_changes', all as never, () => informed.add(account))
        .subscribe((state: string) => (state === 'SUBSCRIBED' ? subscribed.add(account) : undefined));
      void client.setAuth(token);
      target.ends.add(() => client.disconnect());
    }
    await until(() => subscribed.size === customers.length);
    return async () => {
      const since = performance.now();
      subscribed.clear();
      link.cut();
      await until(() => subscribed.size === customers.length);
      target.met['slowest'] = Math.round(performance.now() - since);
      target.met['not back'] = customers.length - subscribed.size;
      const { sql } = target.service;
      await sql`
        insert into builder.notifications (account_id, body, dismissed)
        select unnest(${customers.map(({ account }) => account)}::uuid[]), 'after', false`;
      await until(() => informed.size === customers.length);
      target.met['not informed'] = customers.length - informed.size;
    };
  };

export const crowds: Record<string, Attack> = {
  'an office of 300 pages that reconnects at once': office(60, 300),
  'an office of 1,000 pages that reconnects at once': office(300, 1000),
};
