/** Pages that run the example of functions/live/README.md as it is printed, each behind a link of its own that may fail. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { vi } from 'vitest';
import { type Link, startLink } from '../faults/link.ts';
import { blocksOf } from '../setup/readmes.ts';
import type { Service } from '../setup/service.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import {
  type Realtime,
  type RealtimeVersion,
  reconnectingVersions,
  transportOf,
} from './realtime-clients.ts';

export interface Row {
  id: number;
  body: string;
}
export type Rows = Map<number, Row>;

/** Takes a client of supabase-js, or what the example uses of one; resolves to the rows, which it keeps up to date. */
type Example = (supabase: Realtime) => Promise<Rows>;

let example: Promise<Example> | undefined;

/** Returns the example as a function. */
export function loadExample(): Promise<Example> {
  example ??= (async () => {
    const directory = await makeTemporaryDirectory();
    const file = join(directory.path, 'example.ts');
    const blocks = blocksOf('ts', 'functions/live/README.md').map(({ text }) => text);
    await writeFile(file, `export async function run(supabase) {\n${blocks.join('')}return rows;\n}\n`);
    const { run } = await import(file);
    await directory.remove();
    return run;
  })();
  return example;
}

export interface PageOptions {
  service: Pick<Service, 'url' | 'publishableKey' | 'token'>;
  account: string;
  client: RealtimeVersion;
  /** Reads all notifications of the account. Rejects while they can't be read. */
  read(): Promise<Row[]>;
  /** Milliseconds that the client waits for the answer to a join; the client's own number by default. */
  joinTimeout?: number;
  /** Milliseconds between two heartbeats. */
  heartbeatInterval?: number;
}

export class ExamplePage {
  rows: Rows = new Map();
  /** States of the channel, and errors that the service sent, in order. */
  readonly events: string[] = [];
  /** Changes that arrived, and reads that have returned rows. */
  changes = 0;
  reads = 0;
  /** The link of this client alone. */
  readonly link: Link;
  readonly #options: PageOptions;
  #client: Realtime;
  #isStopped = false;

  private constructor(link: Link, options: PageOptions) {
    this.link = link;
    this.#options = options;
  }

  /** Resolves when the example has begun. */
  static async start(options: PageOptions): Promise<ExamplePage> {
    const page = new ExamplePage(await startLink(Number(new URL(options.service.url).port)), options);
    await page.#run();
    return page;
  }

  get bodies(): string[] {
    return [...this.rows.values()].map(({ body }) => body);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#client.disconnect();
    await this.link.stop();
  }

  async #run(): Promise<void> {
    const { service, account, client, joinTimeout, heartbeatInterval = 1000 } = this.#options;
    const [run, token, { RealtimeClient }] = await Promise.all([
      loadExample(),
      service.token({ account }),
      client.load(),
    ]);
    const realtime = new RealtimeClient(`ws://127.0.0.1:${this.link.port}/realtime/v1`, {
      params: { apikey: service.publishableKey },
      ...transportOf(client.version),
      accessToken: async () => token,
      heartbeatIntervalMs: heartbeatInterval,
      ...(joinTimeout !== undefined && { timeout: joinTimeout }),
    });
    this.#client = realtime;
    this.rows = await run({
      realtime: { setAuth: () => realtime.setAuth(token) },
      channel: (name: string) => this.#observe(realtime.channel(name)),
      from: () => ({ select: () => this.#read() }),
    });
  }

  /** Notes what the channel's callbacks are called with. */
  #observe(channel: Realtime): Realtime {
    const on = channel.on.bind(channel);
    const subscribe = channel.subscribe.bind(channel);
    return Object.assign(channel, {
      on: (type: string, filter: object, callback: (payload: Realtime) => void) =>
        on(type, filter, (payload: Realtime) => {
          this.changes += type === 'postgres_changes' ? 1 : 0;
          if (type === 'system' && payload.status === 'error') {
            this.events.push(payload.message);
          }
          callback(payload);
        }),
      subscribe: (callback: (state: string) => void) =>
        subscribe((state: string) => {
          this.events.push(state);
          callback(state);
          if (state === 'CLOSED') {
            void this.#beginAgain();
          }
        }),
    });
  }

  /** Clients up to 2.95 give up a channel whose join is not answered in time: see the README. */
  async #beginAgain(): Promise<void> {
    if (!this.#isStopped) {
      this.#client.disconnect();
      await sleep(200);
      await this.#run();
    }
  }

  async #read(): Promise<{ data: Row[] | null }> {
    try {
      const data = await this.#options.read();
      this.reads += 1;
      return { data };
    } catch {
      return { data: null };
    }
  }
}

/** Pages of accounts, one of each version of the client or of some of them, which are stopped together. */
export class ExamplePages {
  readonly #all: ExamplePage[] = [];

  /** Resolves when each has read its rows for the first time, by this connection. */
  async open(
    service: PageOptions['service'],
    account: string,
    sql: Sql,
    clients = reconnectingVersions,
    times: Pick<PageOptions, 'joinTimeout' | 'heartbeatInterval'> = {},
  ): Promise<ExamplePage[]> {
    const read = () => readRows(sql, account);
    const pages = await Promise.all(
      clients.map(client => ExamplePage.start({ service, account, client, read, ...times })),
    );
    this.#all.push(...pages);
    await vi.waitUntil(() => pages.every(page => page.reads > 0), { timeout: 45_000 });
    return pages;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#all.splice(0).map(page => page.stop()));
  }
}

/** Returns all notifications of an account. */
export const readRows = (sql: Sql, account: string): Promise<Row[]> =>
  sql<Row[]>`select id::integer, body from builder.notifications where account_id = ${account}`;
