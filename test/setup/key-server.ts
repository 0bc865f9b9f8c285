/** A server of key sets on loopback, with responses that a test sets, which counts its requests. */
import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface KeyServer {
  /** The URL of the key set. */
  url: string;
  /** The number of requests so far. */
  asked: number;
  /** Handles the requests. */
  answer: RequestListener;
  stop(): Promise<void>;
}

/** Responds with a JSON value, or with a text as it is. */
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
