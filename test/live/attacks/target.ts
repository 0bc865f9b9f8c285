/** The service as an attacker's process sees it: its address, its public key, and users who are signed in. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres, { type Sql } from 'postgres';
import { createAccessToken, type TokenHolder } from '../../../functions/local/access-token.ts';
import { AttackSocket, type SocketOptions } from './attack-socket.ts';

/** What the attacker's process is started with, as JSON. */
export interface Place {
  url: string;
  publishableKey: string;
  /** With it, tokens of users are signed, as the login service does. */
  jwtSecret: string;
  /** The superuser's connection, for rows that are there before, and for writes of others. */
  ownerUrl: string;
  isFullSize: boolean;
}

/** Resolves when all is prepared, to the attack itself. */
export type Attack = (target: Target) => Promise<() => Promise<void>>;

export interface Customer {
  account: string;
  token: string;
}

export class Target {
  readonly place: Place;
  readonly sql: Sql;
  /** Counts of what the attacker met: refusals, errors, ends of sockets. */
  readonly met: Record<string, number> = {};

  constructor(place: Place) {
    this.place = place;
    this.sql = postgres(place.ownerUrl, { max: 2, onnotice: () => {} });
  }

  count(what: string): void {
    this.met[what] = (this.met[what] ?? 0) + 1;
  }

  size(few: number, full: number): number {
    return this.place.isFullSize ? full : few;
  }

  token(holder: TokenHolder): Promise<string> {
    return createAccessToken(this.place.jwtSecret, holder);
  }

  async customer(more: Omit<TokenHolder, 'account'> = {}): Promise<Customer> {
    const account = randomUUID();
    return { account, token: await this.token({ account, ...more }) };
  }

  customers(count: number): Promise<Customer[]> {
    return Promise.all(Array.from({ length: count }, () => this.customer()));
  }

  /** Resolves to undefined when the service refuses it. */
  open(options: SocketOptions = {}): Promise<AttackSocket | undefined> {
    return AttackSocket.open(this, options);
  }

  /** Opens so many, some at once. */
  async openAll(
    count: number,
    optionsOf: (n: number) => SocketOptions = () => ({}),
  ): Promise<AttackSocket[]> {
    const sockets: (AttackSocket | undefined)[] = [];
    while (sockets.length < count) {
      const some = Array.from({ length: Math.min(50, count - sockets.length) }, (_, n) =>
        this.open(optionsOf(sockets.length + n)),
      );
      sockets.push(...(await Promise.all(some)));
    }
    return sockets.filter(socket => socket !== undefined);
  }

  /** Changes quotes by a request of the customer. */
  async patch({ token }: Customer, filter: string, change: object): Promise<void> {
    const response = await fetch(`${this.place.url}/rest/v1/quotes?${filter}`, {
      method: 'PATCH',
      headers: {
        apikey: this.place.publishableKey,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'cf-connecting-ip': addressOf(0),
      },
      body: JSON.stringify(change),
    });
    await response.arrayBuffer();
    this.count(`PATCH ${response.status}`);
  }

  /** Stores quotes of an account; `more` has values for further columns, as SQL, in which `n` counts from 1. */
  async storeQuotes(account: string, count: number, more: Record<string, string> = {}): Promise<void> {
    const columns = { customization: `'{"team":"Lions"}'`, ...more };
    await this.sql.unsafe(
      `insert into builder.quotes (account_id, quote_number, product_id, sport, ${Object.keys(columns).join()})
       select $1, 'QT-2026-00001', gen_random_uuid(), 'golf', ${Object.values(columns).join()}
       from generate_series(1, $2::integer) n`,
      [account, count],
    );
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
