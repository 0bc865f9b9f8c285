/** A server of key sets on loopback, with responses that a test sets, which counts its requests. */
import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type KeyServer = Awaited<ReturnType<typeof startKeyServer>>;

/** Responds with a JSON value, or with a text as it is. */
export const answering =
  (body: unknown, status = 200): RequestListener =>
  (_, response: ServerResponse) =>
    void response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));

export async function startKeyServer(answer: RequestListener) {
  const server = createServer((request, response) => {
    keyServer.asked += 1;
    keyServer.answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const keyServer = {
    /** The URL of the key set. */
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`,
    /** The number of requests so far. */
    asked: 0,
    /** Handles the requests. */
    answer,
    async stop(): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return keyServer;
}
