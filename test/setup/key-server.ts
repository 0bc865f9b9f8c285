/** A server of key sets on loopback, which answers what a test wants, and counts how often it is asked. */
import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface KeyServer {
  /** Of the set. */
  url: string;
  /** How often it was asked. */
  asked: number;
  /** What it does when it is asked. */
  answer: RequestListener;
  stop(): Promise<void>;
}

/** An answer of status 200, of a JSON value or of a text as it is. */
export const answering =
  (body: unknown, status = 200): RequestListener =>
  (_, response: ServerResponse) =>
    void response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));

export async function startKeyServer(answer: RequestListener): Promise<KeyServer> {
  const server = createServer((request, response) => {
    keyServer.asked += 1;
    keyServer.answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const keyServer: KeyServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`,
    asked: 0,
    answer,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return keyServer;
}
