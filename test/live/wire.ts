/** A client that writes the protocol's messages itself, and keeps every frame it is sent. */
import { afterEach, expect, vi } from 'vitest';
import WebSocket from 'ws';
import type { Service } from '../setup/service.ts';

export type Version = '1.0.0' | '2.0.0';

export interface Message {
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
}

export class Wire {
  readonly socket: WebSocket;
  /** Every message, to the letter. */
  readonly frames: string[] = [];
  readonly messages: Message[] = [];
  closed: { code: number; reason: string } | undefined;
  ref: number;
  readonly #version: Version;

  private constructor(url: string, { version = '2.0.0', ref = 0, headers = {} }: WireOptions) {
    this.#version = version;
    this.ref = ref;
    this.socket = new WebSocket(url, { headers });
    this.socket.on('message', data => {
      this.frames.push(String(data));
      this.messages.push(read(JSON.parse(String(data))));
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
  static async listen(
    service: Service,
    token: string,
    { bindings = [all], topic = 'x', ...options }: WireOptions & { bindings?: object[]; topic?: string } = {},
  ): Promise<Wire> {
    const wire = await Wire.open(service, options);
    expect(await wire.join(topic, bindings, token)).toMatchObject({ status: 'ok' });
    return wire;
  }

  /** Changes that it was sent, on all its channels or one. */
  changes(topic?: string): Change[] {
    return this.messages
      .filter(
        ({ event, ...message }) => event === 'postgres_changes' && message.topic === (topic ?? message.topic),
      )
      .map(({ payload }) => payload);
  }

  /** Sends a message and returns its reference. */
  send(topic: string, event: string, payload: unknown, joinRef?: string): string {
    this.ref += 1;
    const ref = String(this.ref);
    const own = joinRef ?? (event === 'phx_join' ? ref : null);
    this.socket.send(
      JSON.stringify(
        this.#version === '2.0.0'
          ? [own, ref, topic, event, payload]
          : { topic, event, payload, ref, join_ref: own },
      ),
    );
    return ref;
  }

  async reply(ref: string): Promise<Message['payload']> {
    const find = () => this.messages.find(message => message.event === 'phx_reply' && message.ref === ref);
    return (await vi.waitUntil(find, { timeout: 45_000, interval: 10 })).payload;
  }

  /** Returns the reply to it. */
  join(topic: string, bindings: object[], token?: string): Promise<Message['payload']> {
    const config = {
      broadcast: { ack: false, self: false },
      presence: { key: '', enabled: false },
      private: false,
      postgres_changes: bindings,
    };
    return this.reply(
      this.send(`realtime:${topic}`, 'phx_join', {
        config,
        ...(token !== undefined && { access_token: token }),
      }),
    );
  }

  async heartbeat(): Promise<void> {
    await this.reply(this.send('phoenix', 'heartbeat', {}));
  }

  /** Waits for such a message. */
  until(is: (message: Message) => boolean): Promise<Message> {
    return vi.waitUntil(() => this.messages.find(is), { timeout: 45_000, interval: 10 });
  }

  /** Waits for so many changes, and returns all. */
  async received(count: number): Promise<Change[]> {
    await vi.waitUntil(() => this.changes().length >= count, { timeout: 45_000, interval: 10 });
    return this.changes();
  }

  /** Returns how it was closed. workerd keeps the connection of a closed socket on which nothing was ever sent: it is cut here. */
  async ended(): Promise<{ code: number; reason: string }> {
    await vi.waitUntil(() => this.socket.readyState !== WebSocket.OPEN, { timeout: 60_000, interval: 10 });
    const patience = setTimeout(() => this.socket.terminate(), 1000);
    const closed = await vi.waitUntil(() => this.closed, { timeout: 60_000, interval: 10 });
    clearTimeout(patience);
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

/** Returns `Wire.open` and `Wire.listen` of the service, whose sockets are closed after each test. */
export function useWires(service: Service) {
  const wires: Wire[] = [];
  afterEach(() => {
    for (const wire of wires.splice(0)) {
      wire.close();
    }
  });
  const keep = async (opening: Promise<Wire>): Promise<Wire> => {
    const wire = await opening;
    wires.push(wire);
    return wire;
  };
  return {
    open: (options?: WireOptions) => keep(Wire.open(service, options)),
    listen: (...[token, options]: Tail<Parameters<typeof Wire.listen>>) =>
      keep(Wire.listen(service, token, options)),
  };
}

type Tail<T extends unknown[]> = T extends [unknown, ...infer Rest] ? Rest : never;
