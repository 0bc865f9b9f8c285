/** Attackers, who are signed in and have sockets of many addresses, and what others notice of them. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Look } from '../../costs/canary.ts';
import { expectCheap, type Target } from '../../costs/target.ts';
import { mapAtOnce } from '../../setup/map-at-once.ts';
import { aNotification } from '../../setup/rows.ts';
import type { Service } from '../../setup/service.ts';
import { callerOf } from '../../setup/wire.ts';
import { all, Wire } from '../wire.ts';

/** Resolves when all is prepared, to the attack itself. */
export type Attack = (attackers: Attackers) => Promise<() => Promise<unknown>>;

interface Customer {
  account: string;
  token: string;
}

export class Attackers {
  readonly service: Service;
  /** Counts of what attackers met: sockets that were refused or closed, and answers. */
  readonly met: Record<string, number> = {};
  /** What ends its sockets and pages. */
  readonly ends = new Set<() => unknown>();

  constructor(service: Service) {
    this.service = service;
  }

  count(what: string): void {
    this.met[what] = (this.met[what] ?? 0) + 1;
  }

  async customer(): Promise<Customer> {
    const account = randomUUID();
    return { account, token: await this.service.token({ account }) };
  }

  customers(count: number): Promise<Customer[]> {
    return Promise.all(Array.from({ length: count }, () => this.customer()));
  }

  /** Opens a socket; undefined when the service refuses it. */
  async open(address: string): Promise<Wire | undefined> {
    try {
      const headers = { 'cf-connecting-ip': address };
      const wire = await Wire.open(this.service, { headers, isForgetful: true });
      wire.socket.on('close', (code, reason) => this.count(`closed ${code} ${reason}`));
      this.ends.add(() => wire.cut());
      return wire;
    } catch (error) {
      this.count(`not opened: ${(error as Error).message}`);
      return undefined;
    }
  }

  /** Opens so many sockets, some at once. Those that the service refuses are missing. */
  async openAll(count: number, addressOf: (n: number) => string): Promise<Wire[]> {
    const numbers = Array.from({ length: count }, (_, n) => n);
    const wires = await mapAtOnce(numbers, 50, n => this.open(addressOf(n)));
    return wires.filter(wire => wire !== undefined);
  }

  /** Resolves when a join is answered, or the socket has been closed. */
  async join(wire: Wire, topic: string, bindings: object[], token: string): Promise<void> {
    const reply = wire.join(topic, bindings, token).catch(() => undefined);
    const answer = wire.closed ? undefined : await Promise.race([reply, once(wire.socket, 'close')]);
    this.count(`join ${answer?.status ?? 'closed'}`);
  }

  /** Does this with each of so many sockets in each round. Those that were closed are opened again. */
  async talk(
    [count, seconds, every]: [count: number, seconds: number, every: number],
    say: (wire: Wire, n: number) => void,
  ): Promise<void> {
    const wires = new Map<number, Wire | 'opening'>();
    const reopen = async (n: number) => {
      wires.set(n, 'opening');
      const wire = await this.open(addressOf(n));
      await sleep(wire ? 0 : 500);
      wires.delete(n);
      if (wire) {
        wires.set(n, wire);
      }
    };
    await repeat(seconds, every, round => {
      for (let n = 0; n < count; n++) {
        const wire = wires.get(n);
        if (wire === undefined || (wire !== 'opening' && wire.socket.readyState !== wire.socket.OPEN)) {
          void reopen(n);
        } else if (wire !== 'opening' && wire.socket.bufferedAmount < 2 ** 20) {
          say(wire, round * count + n);
        }
      }
    });
  }

  /** Changes all quotes of a customer by a request. */
  async change({ account, token }: Customer, n: number): Promise<void> {
    const { send } = callerOf(this.service, this.service.publishableKey, token);
    const { status } = await send('PATCH', `/quotes?account_id=eq.${account}`, { sport: `golf ${n}` });
    this.count(`PATCH ${status}`);
  }

  /** Stores quotes of an account. */
  async storeQuotes(account: string, count: number, customization = `'{"team":"Lions"}'`): Promise<void> {
    await this.service.sql.unsafe(
      `insert into builder.quotes (account_id, quote_number, product_id, sport, customization)
       select $1, 'QT-2026-00001', gen_random_uuid(), 'golf', ${customization}
       from generate_series(1, $2::integer) n`,
      [account, count],
    );
  }

  end(): void {
    for (const end of this.ends) {
      end();
    }
    this.ends.clear();
  }
}

/** Addresses of attackers, of which nobody else has one. */
export const addressOf = (n: number): string => `203.0.113.${(n % 250) + 1}`;

/** Repeats the work until so many seconds are over. Rounds begin `every` milliseconds, or when the one before has ended. */
async function repeat(seconds: number, every: number, work: (n: number) => unknown): Promise<void> {
  const begun = performance.now();
  for (let n = 0; performance.now() - begun < seconds * 1000; n++) {
    await work(n);
    await sleep(Math.max(0, begun + (n + 1) * every - performance.now()));
  }
}

/** Other programs may take all CPUs during an attack: what others notice then is looked at again. */
const attempts = 3;

/** Expects that others notice nothing of an attack. Resolves to counts of what the attackers met. */
export async function expectUnharmed(
  name: string,
  target: Target,
  attack: Attack,
  left = attempts,
): Promise<Record<string, number>> {
  const attackers = new Attackers(target.service);
  let begin: (() => Promise<unknown>) | undefined;
  let page: Wire | undefined;
  const startOthers = async (): Promise<Look[]> => {
    begin = await attack(attackers);
    const account = randomUUID();
    const token = await target.service.token({ account });
    page = await Wire.listen(target.service, token, { headers: elsewhere });
    return [
      () => expectInformed(target.service, page as Wire, account),
      () => joinAnew(target.service, token),
    ];
  };
  const work = async () => {
    await begin?.();
    await sleep(1000);
    attackers.end();
    await sleep(2000);
    return [];
  };
  try {
    const outcome = await target.watch(work, { startOthers });
    console.log(name, JSON.stringify({ ...outcome.usage, excess: outcome.excess, met: attackers.met }));
    if (left === 1 || outcome.excess.length === 0) {
      expectCheap(outcome);
      return attackers.met;
    }
  } finally {
    attackers.end();
    page?.close();
  }
  return expectUnharmed(name, target, attack, left - 1);
}

/** Where the others are. */
const elsewhere = { 'cf-connecting-ip': '198.51.100.7' };

/** Writes past the service; resolves when the page was sent that. */
async function expectInformed({ sql }: Service, page: Wire, account: string): Promise<void> {
  const body = randomUUID();
  await sql`insert into builder.notifications ${sql(aNotification(account, { body }))}`;
  page.send('phoenix', 'heartbeat', {});
  await page.until(({ payload }) => payload?.data?.record?.body === body);
  if (page.errors.length > 0) {
    throw new Error(page.errors[0]);
  }
}

async function joinAnew(service: Service, token: string): Promise<void> {
  const wire = await Wire.open(service, { headers: elsewhere });
  const answer = await Promise.race([wire.join('new page', [all], token), once(wire.socket, 'close')]);
  wire.close();
  if (answer.status !== 'ok') {
    throw new Error(`A join was refused: ${answer.response?.reason ?? 'closed'}`);
  }
}
