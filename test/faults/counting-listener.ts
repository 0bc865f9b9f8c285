/**
 * A page that keeps the notifications of an account by what it is told, with a client of any version behind a link that may
 * fail. It reads all of them when it is subscribed first, and after that only when the service says that it should: what was
 * missed in silence, it never learns.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { vi } from 'vitest';
import { type Realtime, type RealtimeVersion, transportOf } from '../live/realtime-clients.ts';
import type { Service } from '../setup/service.ts';
import { type Link, startLink } from './link.ts';
import type { Rows } from './noted-rows.ts';

export interface ListenerOptions {
  service: Pick<Service, 'url' | 'publishableKey' | 'token'>;
  account: string;
  client: RealtimeVersion;
  /** All rows of the account, as a read has them at that moment. Rejects while they can't be read. */
  read(): Promise<Rows>;
  /** Milliseconds that the client gives a join; the client's own number when left out. */
  joinTimeout?: number;
  /** Milliseconds between two heartbeats. */
  heartbeatInterval?: number;
}

interface System {
  status: string;
  message: string;
}

interface Change {
  eventType: string;
  new: { id?: number; body?: string };
  old: { id?: number };
}

/** Milliseconds before it tries again what has failed. */
const pause = 200;

const bindings = { event: '*', schema: 'public', table: 'notifications' };

export class CountingListener {
  /** What the page shows. */
  rows: Rows = new Map();
  /** What the client said of its channel, and the errors that the service told, in order. */
  readonly events: string[] = [];
  /** The link of this client alone. */
  readonly link: Link;
  readonly #read: () => Promise<Rows>;
  readonly #newClient: (log: Logger) => Promise<Realtime>;
  #client: Realtime;
  /** Changes that came while the page was reading; undefined while it is not. */
  #held: Change[] | undefined;
  #reads = 0;
  #mustRead = true;
  /** The message that the client is just handling. */
  #handled: string | undefined;
  #isStopped = false;

  private constructor(link: Link, read: () => Promise<Rows>, newClient: (log: Logger) => Promise<Realtime>) {
    this.link = link;
    this.#read = read;
    this.#newClient = newClient;
  }

  /** Resolves when the page has read its rows for the first time. */
  static async open(options: ListenerOptions): Promise<CountingListener> {
    const { service, account, read, joinTimeout, heartbeatInterval = 1000 } = options;
    const { version, load } = options.client;
    const [token, link, { RealtimeClient }] = await Promise.all([
      service.token({ account }),
      startLink(Number(new URL(service.url).port)),
      load(),
    ]);
    const newClient = async (logger: Logger): Promise<Realtime> => {
      const client = new RealtimeClient(`ws://127.0.0.1:${link.port}/realtime/v1`, {
        params: { apikey: service.publishableKey },
        ...transportOf(version),
        accessToken: async () => token,
        heartbeatIntervalMs: heartbeatInterval,
        logger,
        ...(joinTimeout !== undefined && { timeout: joinTimeout }),
      });
      await client.setAuth(token);
      return client;
    };
    const listener = new CountingListener(link, read, newClient);
    await listener.#connect();
    await vi.waitUntil(() => listener.#reads > 0 && listener.#held === undefined, { timeout: 45_000 });
    return listener;
  }

  /** How often the page has read, when it was subscribed first and when it was told to. */
  get reads(): number {
    return this.#reads;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#client?.disconnect();
    await this.link.stop();
  }

  async #connect(): Promise<void> {
    const client = await this.#newClient((kind, message) => {
      if (kind === 'receive') {
        this.#handled = message;
        queueMicrotask(() => {
          this.#handled = undefined;
        });
      }
    });
    this.#client = client;
    const whileUsed =
      <T>(handle: (given: T) => void) =>
      (given: T) =>
        client === this.#client && !this.#isStopped && handle(given);
    client
      .channel('x')
      .on(
        'postgres_changes',
        bindings,
        whileUsed<Change>(change => this.#take(change)),
      )
      .on(
        'system',
        {},
        whileUsed<System>(message => this.#hear(message)),
      )
      .subscribe(whileUsed<string>(state => this.#handle(state)));
  }

  #hear({ status, message }: System): void {
    if (status === 'error') {
      this.events.push(message);
      void this.#readAgain();
    }
  }

  #handle(state: string): void {
    this.events.push(state);
    if (state === 'SUBSCRIBED' && this.#mustRead) {
      this.#mustRead = false;
      void this.#readAgain();
    } else if (state === 'CHANNEL_ERROR') {
      // A connection that broke is no word of the service.
      this.#mustRead ||= this.#handled?.includes('phx_error') ?? false;
    } else if (state === 'CLOSED') {
      // Clients up to 2.95 give up a channel whose join is not answered in time. What is left of it disturbs a new one.
      this.#mustRead = true;
      this.#client.disconnect();
      this.#client = undefined;
      void sleep(pause).then(() => (this.#isStopped ? undefined : this.#connect()));
    }
  }

  #take(change: Change): void {
    if (this.#held) {
      this.#held.push(change);
    } else if (change.eventType === 'DELETE') {
      this.rows.delete(String(change.old.id));
    } else {
      this.rows.set(String(change.new.id), String(change.new.body));
    }
  }

  async #readAgain(): Promise<void> {
    this.#reads += 1;
    const turn = this.#reads;
    this.#held ??= [];
    const rows = await this.#readUntilItWorks();
    if (turn === this.#reads) {
      const held = this.#held;
      this.#held = undefined;
      this.rows = rows;
      for (const change of held) {
        this.#take(change);
      }
    }
  }

  async #readUntilItWorks(): Promise<Rows> {
    while (!this.#isStopped) {
      try {
        return await this.#read();
      } catch {
        await sleep(pause);
      }
    }
    return this.rows;
  }
}

type Logger = (kind: string, message: string) => void;
