/** A client that writes the protocol's messages itself and keeps every frame it is sent, and what tests do with it. */
import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import WebSocket from 'ws';
import { everyone } from '../../schema/everyone.ts';
import { aNotification, aQuote } from '../setup/rows.ts';
import type { Service } from '../setup/service.ts';

export type Version = '1.0.0' | '2.0.0';

interface Message {
  joinRef: string | null;
  ref: string | null;
  topic: string;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a client makes of JSON
  payload: any;
}

export interface Change {
  ids: number[];
  data: {
    schema: string;
    table: string;
    type: string;
    commit_timestamp: string;
    columns: { name: string; type: string }[];
    record?: Record<string, unknown>;
    old_record?: Record<string, unknown>;
    errors: string[] | null;
  };
}

export const all = { event: '*', schema: 'public', table: 'notifications' };
export const allQuotes = { event: '*', schema: 'public', table: 'quotes' };

export interface WireOptions {
  version?: Version;
  key?: string;
  /** Its first reference is the next one; that of a client that was connected before is higher. */
  ref?: number;
  headers?: Record<string, string>;
  /** It keeps only replies. */
  isForgetful?: boolean;
}

interface ListenOptions extends WireOptions {
  bindings?: object[];
  topic?: string;
}

const patience = { timeout: 60_000, interval: 10 };

export class Wire {
  readonly socket: WebSocket;
  /** Every message, to the letter. */
  readonly frames: string[] = [];
  readonly messages: Message[] = [];
  closed: { code: number; reason: string } | undefined;
  ref: number;
  readonly #version: Version;

  private constructor(
    url: string,
    { version = '2.0.0', ref = 0, headers = {}, isForgetful = false }: WireOptions,
  ) {
    this.#version = version;
    this.ref = ref;
    this.socket = new WebSocket(url, { headers });
    this.socket.on('message', data => {
      const message = read(JSON.parse(String(data)));
      if (!isForgetful || message.event === 'phx_reply') {
        this.frames.push(String(data));
        this.messages.push(message);
      }
    });
    this.socket.on('close', (code, reason) => {
      this.closed = { code, reason: String(reason) };
    });
    this.socket.on('error', () => {});
  }

  static async open(service: Service, options: WireOptions = {}): Promise<Wire> {
    const url = new URL('/realtime/v1/websocket', service.url.replace(/^http/, 'ws'));
    url.searchParams.set('apikey', options.key ?? service.publishableKey);
    if (options.version !== '1.0.0') {
      url.searchParams.set('vsn', '2.0.0');
    }
    const wire = new Wire(url.href, options);
    await new Promise((resolve, reject) => wire.socket.once('open', resolve).once('error', reject));
    return wire;
  }

  /** A client that has joined a channel with these bindings. */
  static async listen(service: Service, token: string, options: ListenOptions = {}): Promise<Wire> {
    const { bindings = [all], topic = 'x' } = options;
    const wire = await Wire.open(service, options);
    expect(await wire.join(topic, bindings, token)).toMatchObject({ status: 'ok' });
    return wire;
  }

  /** Changes that it was sent, on all its channels or one. */
  changes(topic?: string): Change[] {
    return this.messages
      .filter(({ event, ...of }) => event === 'postgres_changes' && of.topic === (topic ?? of.topic))
      .map(({ payload }) => payload);
  }

  get bodies(): unknown[] {
    return this.changes().map(({ data }) => data.record?.['body']);
  }

  /** Messages that say that changes were missed. */
  get errors(): string[] {
    return this.messages
      .filter(({ event, payload }) => event === 'system' && payload.status === 'error')
      .map(({ payload }) => payload.message);
  }

  /** Sends a message and returns its reference. */
  send(topic: string, event: string, payload: unknown, joinRef?: string): string {
    this.ref += 1;
    const ref = String(this.ref);
    const own = joinRef ?? (event === 'phx_join' ? ref : null);
    const message = { topic, event, payload, ref, join_ref: own };
    this.socket.send(JSON.stringify(this.#version === '2.0.0' ? [own, ref, topic, event, payload] : message));
    return ref;
  }

  async reply(ref: string): Promise<Message['payload']> {
    return (await this.until(message => message.event === 'phx_reply' && message.ref === ref)).payload;
  }

  sendJoin(topic: string, postgres_changes: object[], access_token?: string): string {
    return this.send(`realtime:${topic}`, 'phx_join', {
      config: { broadcast: {}, presence: { key: '', enabled: false }, private: false, postgres_changes },
      ...(access_token !== undefined && { access_token }),
    });
  }

  /** Returns the reply to it. */
  join(topic: string, bindings: object[], token?: string): Promise<Message['payload']> {
    return this.reply(this.sendJoin(topic, bindings, token));
  }

  async heartbeat(): Promise<void> {
    await this.reply(this.send('phoenix', 'heartbeat', {}));
  }

  /** Waits for such a message. */
  until(is: (message: Message) => boolean): Promise<Message> {
    const found = vi.waitUntil(() => this.messages.find(is), patience);
    return found.catch(() => this.#fail('a message that was waited for has not come'));
  }

  /** Waits for so many changes, for as long as they come, and returns all. */
  async received(count: number): Promise<Change[]> {
    while (this.changes().length < count) {
      const before = this.changes().length;
      await vi
        .waitUntil(() => this.changes().length > before, patience)
        .catch(() => this.#fail(`${before} of ${count} changes were received`));
    }
    return this.changes();
  }

  #fail(what: string): never {
    throw new Error(`${what}. Errors and close: ${JSON.stringify([this.errors, this.closed])}`);
  }

  /** Returns how it was closed. workerd keeps the connection of a closed socket on which nothing was ever sent: it is cut here. */
  async ended(): Promise<{ code: number; reason: string }> {
    await vi.waitUntil(() => this.socket.readyState !== WebSocket.OPEN, patience);
    const cut = setTimeout(() => this.socket.terminate(), 1000);
    const closed = await vi.waitUntil(() => this.closed, patience);
    clearTimeout(cut);
    return closed;
  }

  close(): void {
    this.socket.close();
  }

  /** Ends it without a closing frame, as a broken network does. */
  cut(): void {
    this.socket.terminate();
  }
}

function read(message: Message['payload']): Message {
  if (!Array.isArray(message)) {
    return { ...message, joinRef: message.join_ref };
  }
  const [joinRef, ref, topic, event, payload] = message;
  return { joinRef, ref, topic, event, payload };
}

/** Waits for a notification to everyone, before which everything is sent that was committed before. */
export async function settle(sql: Sql, ...listeners: Wire[]): Promise<Change[][]> {
  const body = `settled ${randomUUID()}`;
  await sql`insert into builder.notifications ${sql(aNotification(everyone, { body }))}`;
  for (const wire of listeners) {
    await wire.until(({ payload }) => payload?.data?.record?.body === body);
  }
  await sql`delete from builder.notifications where body = ${body}`;
  return listeners.map(wire => wire.changes().slice(0, wire.bodies.indexOf(body)));
}

/** What tests of a service use: an account and a token of its own for each, and wires, which are closed after it. */
export function useLive(service: Service) {
  const wires: Wire[] = [];
  const keep = async (opening: Promise<Wire>): Promise<Wire> => {
    const wire = await opening;
    wires.push(wire);
    return wire;
  };
  const live = { account: '', token: '' };
  const methods = {
    open: (options?: WireOptions) => keep(Wire.open(service, options)),
    listen: (options?: ListenOptions, token = live.token) => keep(Wire.listen(service, token, options)),
    /** Resolves to the id. */
    async insert(more: object = {}, owner = live.account): Promise<number> {
      const { sql } = service;
      const row = aNotification(owner, more);
      const [{ id } = {}] = await sql`insert into builder.notifications ${sql(row)} returning id::integer`;
      return id;
    },
    /** Resolves to the id. */
    async insertQuote(more: object = {}, owner = live.account): Promise<string> {
      const { sql } = service;
      const [{ id } = {}] = await sql`insert into builder.quotes ${sql(aQuote(owner, more))} returning id`;
      return id;
    },
    /** Returns what each was sent of everything that was committed before. Their bindings have notifications. */
    settle: (...listeners: Wire[]) => settle(service.sql, ...listeners),
  };
  beforeEach(async () => {
    live.account = randomUUID();
    live.token = await service.token({ account: live.account });
  });
  afterEach(async () => {
    const open = wires.splice(0);
    for (const wire of open) {
      wire.close();
    }
    // The next file has the same service, and takes the lines of the feed away that a channel which still listens would miss.
    await Promise.all(open.map(wire => wire.ended()));
  });
  return Object.assign(live, methods);
}
