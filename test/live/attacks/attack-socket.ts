/** A socket of an attacker, which keeps only counts of what it is sent. */
import '../../setup/with-resolvers.ts';
import WebSocket from 'ws';
import type { Target } from './target.ts';

export interface SocketOptions {
  address?: string;
  key?: string;
}

const replyTimeout = 30_000;

export class AttackSocket {
  readonly #socket: WebSocket;
  readonly #target: Target;
  readonly #replies = new Map<string, (outcome: string) => void>();
  #ref = 0;

  private constructor(socket: WebSocket, target: Target) {
    this.#socket = socket;
    this.#target = target;
    socket.on('message', data => this.#hear((data as Buffer).toString('latin1', 0, 600)));
    socket.on('close', (code, reason) => {
      target.count(`closed ${code} ${reason}`.trim());
      for (const resolve of this.#replies.values()) {
        resolve('closed');
      }
    });
  }

  /** Resolves to undefined when the service refuses it. */
  static open(target: Target, { address, key }: SocketOptions): Promise<AttackSocket | undefined> {
    const { url, publishableKey } = target.place;
    const socket = new WebSocket(
      `${url.replace(/^http/, 'ws')}/realtime/v1/websocket?vsn=2.0.0&apikey=${key ?? publishableKey}`,
      {
        perMessageDeflate: false,
        headers: address === undefined ? {} : { 'cf-connecting-ip': address },
      },
    );
    return new Promise(resolve => {
      const refused = (why: string) => {
        target.count(`not opened: ${why}`);
        resolve(undefined);
      };
      socket.on('unexpected-response', (request, { statusCode }) => {
        refused(String(statusCode));
        request.destroy();
      });
      socket.on('error', error => refused('code' in error ? String(error.code) : error.name));
      socket.once('open', () => resolve(new AttackSocket(socket, target)));
    });
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  /** Sends a message and returns its reference. */
  send(topic: string, event: string, payload: unknown): string {
    this.#ref += 1;
    const ref = String(this.#ref);
    this.sendRaw(JSON.stringify([event === 'phx_join' ? ref : null, ref, topic, event, payload]));
    return ref;
  }

  /** Nothing is sent while more than a megabyte waits to leave this process. */
  sendRaw(data: string | Buffer, options: { fin?: boolean; binary?: boolean } = {}): void {
    if (this.isOpen && this.#socket.bufferedAmount < 2 ** 20) {
      this.#socket.send(data, options);
    }
  }

  heartbeat(): void {
    this.send('phoenix', 'heartbeat', {});
  }

  /** Resolves to `ok`, or to why it was refused. */
  async join(topic: string, bindings: unknown[], token?: string): Promise<string> {
    const ref = this.sendJoin(topic, bindings, token);
    const { promise, resolve } = Promise.withResolvers<string>();
    this.#replies.set(ref, resolve);
    const timer = setTimeout(resolve, replyTimeout, 'unanswered');
    const outcome = this.isOpen ? await promise : 'closed';
    clearTimeout(timer);
    this.#replies.delete(ref);
    return outcome;
  }

  sendJoin(topic: string, bindings: unknown[], access_token?: string): string {
    const payload = { config: { postgres_changes: bindings }, ...(access_token && { access_token }) };
    return this.send(`realtime:${topic}`, 'phx_join', payload);
  }

  /** Stops reading, while the connection stays open. */
  pause(): void {
    this.#socket.pause();
  }

  cut(): void {
    this.#socket.terminate();
  }

  /** Counts a message by its beginning. */
  #hear(head: string): void {
    const [, event = 'other'] = /^\[(?:"[^"]*"|null),(?:"[^"]*"|null),"[^"]*","([^"]*)"/.exec(head) ?? [];
    const status = /"status":"([^"]*)"/.exec(head)?.[1] ?? '';
    const reason = /"(?:reason|message)":"((?:[^"\\]|\\.)*)/.exec(head)?.[1] ?? '';
    this.#target.count(status === 'error' ? `${event}: ${reason.slice(0, 90)}` : event);
    const ref = /^\[(?:"[^"]*"|null),"([^"]*)"/.exec(head)?.[1] ?? '';
    if (event === 'phx_reply') {
      this.#replies.get(ref)?.(status === 'ok' ? 'ok' : reason);
    }
  }
}
