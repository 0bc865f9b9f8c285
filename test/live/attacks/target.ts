/** The service as attackers see it: users who are signed in, and sockets of many addresses. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import type { TokenHolder } from '../../../functions/local/access-token.ts';
import type { Service } from '../../setup/service.ts';
import { callerOf } from '../../setup/wire.ts';

/** Attacks take half an hour at their full size: `ATTACKS=1 npm test -- test/live/attacks --no-file-parallelism`. */
export const isFullSize = process.env['ATTACKS'] === '1';

export const size = (few: number, full: number): number => (isFullSize ? full : few);

/** Resolves when all is prepared, to the attack itself. */
export type Attack = (target: Target) => Promise<() => Promise<unknown>>;

export interface Customer {
  account: string;
  token: string;
}

export class Target {
  readonly service: Service;
  /** Counts of what attackers met: refusals, errors, ends of sockets. */
  readonly met: Record<string, number> = {};
  /** What ends its sockets and pages. */
  readonly ends = new Set<() => unknown>();

  constructor(service: Service) {
    this.service = service;
  }

  count(what: string): void {
    this.met[what] = (this.met[what] ?? 0) + 1;
  }

  async customer(more: Omit<TokenHolder, 'account'> = {}): Promise<Customer> {
    const account = randomUUID();
    return { account, token: await this.service.token({ account, ...more }) };
  }

  customers(count: number): Promise<Customer[]> {
    return Promise.all(Array.from({ length: count }, () => this.customer()));
  }

  /** Opens so many sockets, some at once. Those that the service refuses are missing. */
  async openAll(count: number, addressOf: (n: number) => string): Promise<AttackSocket[]> {
    const sockets: (AttackSocket | undefined)[] = [];
    while (sockets.length < count) {
      const some = Array.from({ length: Math.min(50, count - sockets.length) }, (_, n) =>
        AttackSocket.open(this, addressOf(sockets.length + n)),
      );
      sockets.push(...(await Promise.all(some)));
    }
    return sockets.filter(socket => socket !== undefined);
  }

  /** Does this with each of so many sockets in each round. Those that were closed are opened again. */
  async talk(
    [count, seconds, every]: [count: number, seconds: number, every: number],
    say: (socket: AttackSocket, n: number) => void,
  ): Promise<void> {
    const sockets = new Map<number, AttackSocket | 'opening'>();
    const reopen = async (n: number) => {
      sockets.set(n, 'opening');
      const socket = await AttackSocket.open(this, addressOf(n));
      await sleep(socket ? 0 : 500);
      sockets.delete(n);
      if (socket) {
        sockets.set(n, socket);
      }
    };
    await repeat(seconds, every, round => {
      for (let n = 0; n < count; n++) {
        const socket = sockets.get(n);
        if (socket === undefined || (socket !== 'opening' && !socket.isOpen)) {
          void reopen(n);
        } else if (socket !== 'opening') {
          say(socket, round * count + n);
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

/** A socket of an attacker, which keeps only counts of what it is sent. */
export class AttackSocket {
  readonly socket: WebSocket;
  readonly #replies = new Map<string, (status: string) => void>();
  #ref = 0;

  private constructor(socket: WebSocket, target: Target) {
    this.socket = socket;
    socket.on('message', data => {
      const [head = '', ref = ''] = /^\[[^,]*,"?([^",]*)"?,"[^"]*","[^"]*"/.exec(`${data}`) ?? [];
      const status = /"status":"([^"]*)"/.exec(`${data}`)?.[1] ?? '';
      target.count(`${head.split(',').at(-1)} ${status}`);
      this.#replies.get(ref)?.(status);
    });
    socket.on('close', (code, reason) => {
      target.count(`closed ${code} ${reason}`.trim());
      for (const resolve of this.#replies.values()) {
        resolve('closed');
      }
    });
  }

  /** Resolves to undefined when the service refuses it. */
  static open(target: Target, address: string): Promise<AttackSocket | undefined> {
    const { url, publishableKey } = target.service;
    const socket = new WebSocket(
      `${url.replace(/^http/, 'ws')}/realtime/v1/websocket?vsn=2.0.0&apikey=${publishableKey}`,
      { perMessageDeflate: false, headers: { 'cf-connecting-ip': address } },
    );
    target.ends.add(() => socket.terminate());
    return new Promise(resolve => {
      socket.on('error', ({ message }) => {
        target.count(`not opened: ${message}`);
        resolve(undefined);
      });
      socket.once('open', () => resolve(new AttackSocket(socket, target)));
    });
  }

  get isOpen(): boolean {
    return this.socket.readyState === WebSocket.OPEN;
  }

  /** Sends a message and returns its reference. */
  send(topic: string, event: string, payload: unknown): string {
    const ref = `${++this.#ref}`;
    this.sendRaw(JSON.stringify([event === 'phx_join' ? ref : null, ref, topic, event, payload]));
    return ref;
  }

  /** Nothing is sent while more than a megabyte waits to leave this process. */
  sendRaw(data: string | Buffer, options: { fin?: boolean } = {}): void {
    if (this.isOpen && this.socket.bufferedAmount < 2 ** 20) {
      this.socket.send(data, options);
    }
  }

  heartbeat(): void {
    this.send('phoenix', 'heartbeat', {});
  }

  sendJoin(topic: string, bindings: unknown[], access_token?: string): string {
    const payload = { config: { postgres_changes: bindings }, ...(access_token && { access_token }) };
    return this.send(`realtime:${topic}`, 'phx_join', payload);
  }

  /** Resolves to the status of the reply. */
  async join(topic: string, bindings: unknown[], token: string): Promise<string> {
    const ref = this.sendJoin(topic, bindings, token);
    const reply = new Promise<string>(resolve => this.#replies.set(ref, resolve));
    return this.isOpen ? Promise.race([reply, sleep(30_000, 'unanswered', { ref: false })]) : 'closed';
  }
}

/** Addresses of attackers, of which nobody else has one. */
export const addressOf = (n: number): string => `203.0.113.${(n % 250) + 1}`;

/** Repeats the work until so many seconds are over. Rounds begin `every` milliseconds, or when the one before has ended. */
export async function repeat(seconds: number, every: number, work: (n: number) => unknown): Promise<void> {
  const begun = performance.now();
  for (let n = 0; performance.now() - begun < seconds * 1000; n++) {
    await work(n);
    await sleep(Math.max(0, begun + (n + 1) * every - performance.now()));
  }
}
