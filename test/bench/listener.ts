/** A socket that listens to notifications, as supabase.channel() does. */
import WebSocket from 'ws';
import type { Contestant } from './contestants.ts';

const topic = 'realtime:bench';
const heartbeatInterval = 25_000;

export class Listener {
  /** The account of the user who listens. */
  readonly account: string;
  readonly #socket: WebSocket;
  readonly #toldAt = new Map<string, number>();
  readonly #waiting = new Map<string, (at: number) => void>();
  #heartbeat: NodeJS.Timeout | undefined;

  private constructor(account: string, socket: WebSocket) {
    this.account = account;
    this.#socket = socket;
  }

  /** Resolves when it has joined. */
  static open({ url, headers }: Contestant, account: string, token: string): Promise<Listener> {
    const address = new URL('/realtime/v1/websocket?vsn=2.0.0', url.replace(/^http/, 'ws'));
    address.searchParams.set('apikey', headers['apikey'] ?? '');
    const socket = new WebSocket(address);
    const listener = new Listener(account, socket);
    return new Promise((resolve, reject) => {
      socket.once('error', reject);
      socket.once('open', () => listener.#join(token));
      socket.on('message', data => {
        const [, , , event, payload] = JSON.parse(String(data));
        if (event === 'phx_reply' && payload.status === 'error') {
          reject(new Error(`A join was refused: ${payload.response.reason}`));
        } else if (event === 'phx_reply') {
          resolve(listener);
        } else if (event === 'postgres_changes') {
          listener.#hear(payload.data.record.body);
        }
      });
    });
  }

  /** When it was told of the notification with this body, by performance.now(). */
  told(body: string): Promise<number> {
    const at = this.#toldAt.get(body);
    return at === undefined
      ? new Promise(resolve => void this.#waiting.set(body, resolve))
      : Promise.resolve(at);
  }

  close(): void {
    clearInterval(this.#heartbeat);
    this.#socket.close(1001);
  }

  #join(access_token: string): void {
    const postgres_changes = [{ event: '*', schema: 'public', table: 'notifications' }];
    this.#send(['1', '1', topic, 'phx_join', { config: { postgres_changes }, access_token }]);
    let ref = 1;
    this.#heartbeat = setInterval(() => {
      ref += 1;
      this.#send([null, String(ref), 'phoenix', 'heartbeat', {}]);
    }, heartbeatInterval);
  }

  #send(message: unknown[]): void {
    this.#socket.send(JSON.stringify(message));
  }

  #hear(body: string): void {
    const now = performance.now();
    this.#toldAt.set(body, now);
    this.#waiting.get(body)?.(now);
  }
}
