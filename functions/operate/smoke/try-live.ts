/** Checks live updates of a running deployment, and a lock. Deletes its own rows. */
import { on } from 'node:events';
import WebSocket from 'ws';
import { Problem } from '../../local/program.ts';

interface LiveSmoke {
  url: string;
  key: string;
  /** A customer's access token, and its account. */
  token: string;
  account: string;
  /** The key that writes the notification; without it nothing is written. */
  secretKey: string | undefined;
  /** Milliseconds to wait for a message. */
  timeout: number;
}

const body = 'smoke test';

/** Prints a line for each step that succeeds, and returns whether a change was tried. Throws a Problem at the first failure. */
export async function tryLive(smoke: LiveSmoke): Promise<boolean> {
  const { url, key, token, secretKey, timeout } = smoke;
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/realtime/v1/websocket?apikey=${key}&vsn=2.0.0`);
  try {
    const changes = [{ event: 'INSERT', schema: 'public', table: 'notifications' }];
    const join = { config: { postgres_changes: changes }, access_token: token };
    socket.once('open', () => socket.send(JSON.stringify(['1', '1', 'realtime:smoke', 'phx_join', join])));
    const reply = await waitFor(socket, timeout, 'phx_reply', '');
    if (!reply.includes('"status":"ok"')) {
      throw new Error(`the join was refused: ${reply}`);
    }
    console.log('✓ a customer subscribes to its notifications');
    if (!secretKey) {
      return false;
    }
    const id = await seeOwn(socket, smoke, secretKey);
    console.log('✓ a change is received');
    await takeTurns(smoke, secretKey, id);
    console.log('✓ a lock lasts as long as its transaction');
    return true;
  } catch (error) {
    throw new Problem(`✗ live updates\n  ${(error as Error).message}`);
  } finally {
    socket.terminate();
  }
}

/** Writes a notification, and deletes it when it was received or the time is up. Returns its id. */
async function seeOwn(socket: WebSocket, { url, account, timeout }: LiveSmoke, key: string): Promise<number> {
  const address = `${url}/rest/v1/notifications`;
  const headers = { apikey: key, 'content-type': 'application/json', prefer: 'return=representation' };
  const row = JSON.stringify({ account_id: account, body, dismissed: true });
  const received = waitFor(socket, timeout, 'postgres_changes', body);
  received.catch(() => {});
  const written = await fetch(address, { method: 'POST', headers, body: row });
  if (written.status !== 201) {
    throw new Error(`writing the notification failed with ${written.status}`);
  }
  const [{ id } = { id: 0 }] = (await written.json()) as { id: number }[];
  try {
    await received;
  } finally {
    await fetch(`${address}?id=eq.${id}`, { method: 'DELETE', headers });
  }
  return id;
}

/**
 * Writes two notifications that are rolled back, with ids so far ahead that each takes an advisory lock. A pooler that kept the
 * first lock would leave the second write waiting.
 */
async function takeTurns({ url, account }: LiveSmoke, key: string, id: number): Promise<void> {
  const headers = { apikey: key, 'content-type': 'application/json', prefer: 'tx=rollback' };
  for (const ahead of [2000, 4000]) {
    const row = JSON.stringify({ id: id + ahead, account_id: account, body, dismissed: true });
    const written = await fetch(`${url}/rest/v1/notifications`, { method: 'POST', headers, body: row });
    if (written.status !== 201) {
      throw new Error(`a write that takes a lock failed: ${written.status} ${await written.text()}`);
    }
  }
}

/** Returns the first message of this event that contains the text. */
async function waitFor(socket: WebSocket, timeout: number, event: string, text: string): Promise<string> {
  const messages = on(socket, 'message', { signal: AbortSignal.timeout(timeout), close: ['close'] });
  for await (const [data] of messages) {
    const message = String(data);
    if (message.includes(`"${event}"`) && message.includes(text)) {
      return message;
    }
  }
  throw new Error('the socket was closed');
}
