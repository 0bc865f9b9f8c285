/** Sockets that listen to notifications, as supabase.channel() does. */
import { randomUUID } from 'node:crypto';
import WebSocket from 'ws';
import { type Contestant, createToken } from './contestants.ts';

const topic = 'realtime:bench';
const heartbeatInterval = 25_000;
const postgres_changes = [{ event: '*', schema: 'public', table: 'notifications' }];

export interface Listener {
  /** The account of the user who listens. */
  account: string;
  /** Resolves when it is sent the notification with this body, to that time by performance.now(). */
  told(body: string): Promise<number>;
  close(): void;
}

/** So many listeners, each of a user of its own who is a member of those accounts too. */
export async function listen(ours: Contestant, sockets: number, also: string[] = []): Promise<Listener[]> {
  const listeners: Listener[] = [];
  while (listeners.length < sockets) {
    const some = Array.from({ length: 20 }, async () => {
      const account = randomUUID();
      return startListener(ours, account, await createToken({ account, also }));
    });
    listeners.push(...(await Promise.all(some)));
  }
  return listeners;
}

/** Resolves when it has joined. */
async function startListener(
  { url, headers }: Contestant,
  account: string,
  access_token: string,
): Promise<Listener> {
  const address = new URL('/realtime/v1/websocket?vsn=2.0.0', url.replace(/^http/, 'ws'));
  address.searchParams.set('apikey', headers['apikey'] ?? '');
  const socket = new WebSocket(address);
  const send = (message: unknown[]): void => socket.send(JSON.stringify(message));
  const toldAt = new Map<string, number>();
  const waiting = new Map<string, (at: number) => void>();
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.once('open', () =>
      send(['1', '1', topic, 'phx_join', { config: { postgres_changes }, access_token }]),
    );
    socket.on('message', data => {
      const now = performance.now();
      const [, , , event, payload] = JSON.parse(String(data));
      if (event === 'phx_reply' && payload.status === 'error') {
        reject(new Error(`A join was refused: ${payload.response.reason}`));
      } else if (event === 'phx_reply') {
        resolve();
      } else if (event === 'postgres_changes') {
        const { body } = payload.data.record;
        toldAt.set(body, now);
        waiting.get(body)?.(now);
      }
    });
  });
  const heartbeat = setInterval(() => send([null, '2', 'phoenix', 'heartbeat', {}]), heartbeatInterval);
  return {
    account,
    told: async body => toldAt.get(body) ?? new Promise(resolve => void waiting.set(body, resolve)),
    close() {
      clearInterval(heartbeat);
      socket.close(1001);
    },
  };
}
