/** Live updates of a running deployment: a channel can be joined, and a change is told. Cleans up what it wrote. */
import WebSocket from 'ws';

export interface LiveSmoke {
  url: string;
  publishableKey: string;
  /** A customer's access token, and its account. */
  token: string;
  account: string;
  /** Writes the notification that is told of; without it nothing is written. */
  secretKey: string | undefined;
  /** Milliseconds to wait for an answer. */
  timeout: number;
}

type Payload = Record<string, unknown>;

const body = 'smoke test';

/** Yields the name of each step that succeeded. Throws with what went wrong, in words. */
export async function* tryLive(smoke: LiveSmoke): AsyncGenerator<string> {
  const { url, publishableKey, token, secretKey } = smoke;
  const address = new URL(`${url.replace(/^http/, 'ws')}/realtime/v1/websocket`);
  address.searchParams.set('apikey', publishableKey);
  address.searchParams.set('vsn', '2.0.0');
  const socket = new WebSocket(address);
  try {
    const join = {
      config: { postgres_changes: [{ event: 'INSERT', schema: 'public', table: 'notifications' }] },
    };
    socket.once('open', () =>
      socket.send(JSON.stringify(['1', '1', 'realtime:smoke', 'phx_join', { ...join, access_token: token }])),
    );
    const reply = await waitFor(socket, 'phx_reply', () => true, smoke.timeout);
    if (reply['status'] !== 'ok') {
      throw new Error(`the join was refused: ${JSON.stringify(reply['response'])}`);
    }
    yield 'a customer listens to its notifications';
    if (secretKey !== undefined) {
      await seeOwn(socket, smoke, secretKey);
      yield 'a change is told';
    }
  } finally {
    socket.terminate();
  }
}

/** Writes a notification, and deletes it when it was told or the time is up. */
async function seeOwn(
  socket: WebSocket,
  { url, account, timeout }: LiveSmoke,
  secretKey: string,
): Promise<void> {
  const headers = { apikey: secretKey, authorization: `Bearer ${secretKey}` };
  const isOwn = ({ data }: Payload): boolean => (data as { record?: Payload }).record?.['body'] === body;
  const told = waitFor(socket, 'postgres_changes', isOwn, timeout);
  told.catch(() => {});
  const written = await fetch(`${url}/rest/v1/notifications?select=id`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', prefer: 'return=representation' },
    body: JSON.stringify({ account_id: account, body, dismissed: true }),
  });
  if (written.status !== 201) {
    throw new Error(`the notification was answered with ${written.status}`);
  }
  const [row] = (await written.json()) as { id: number }[];
  try {
    await told;
  } finally {
    await fetch(`${url}/rest/v1/notifications?id=eq.${row?.id}`, { method: 'DELETE', headers });
  }
}

/** The payload of the first such message of the channel. */
function waitFor(
  socket: WebSocket,
  event: string,
  is: (payload: Payload) => boolean,
  timeout: number,
): Promise<Payload> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no ${event} within ${timeout / 1000} s`)), timeout);
    socket.once('error', error => reject(error));
    socket.once('close', () => reject(new Error('the socket was closed')));
    socket.on('message', data => {
      const [, , , name, payload] = JSON.parse(String(data));
      if (name === event && is(payload)) {
        clearTimeout(timer);
        resolve(payload);
      }
    });
  });
}
