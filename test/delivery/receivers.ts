/** A server that receives webhooks, and behaves well or badly by the path that it is called at. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';

type Behaviour = (response: ServerResponse, socket: Socket, request: IncomingMessage) => void;

/** Bytes of an answer without an end, and then silence. Nobody should have read so much. */
export const endless = 64 * 2 ** 20;

const answering =
  (status: number, body = '', headers: Record<string, string> = {}): Behaviour =>
  response =>
    void response.writeHead(status, headers).end(body);

/** Sends this, and ends the connection. */
const cutAfter =
  (text: string | Buffer): Behaviour =>
  (_, socket) =>
    void socket.end(text);

/** How much of each answer without an end was written until it was cut off, and how many were not yet. */
const poured: number[] = [];
let pouringNow = 0;

/** Writes as fast as it is read. */
const pouring =
  (head: string, chunk: string): Behaviour =>
  (_, socket) => {
    socket.write(head);
    const more = (): void => {
      while (socket.writable && socket.bytesWritten < endless && socket.write(chunk));
    };
    pouringNow += 1;
    socket.on('drain', more).on('close', () => {
      pouringNow -= 1;
      poured.push(socket.bytesWritten);
    });
    more();
  };

const chunked = (status: string) => `HTTP/1.1 ${status}\r\ntransfer-encoding: chunked\r\n\r\n`;
const aLittle = 'HTTP/1.1 500 Oops\r\ncontent-length: 1000\r\n\r\nfirst words and mo';

const behaviours: Record<string, Behaviour> = {
  '/200': answering(200, 'thanks'),
  '/204': answering(204),
  '/200-and-never-ends': pouring(chunked('200 OK'), `1000\r\n${'x'.repeat(4096)}\r\n`),
  '/302': answering(302, '', { location: '/redirected' }),
  '/404': (response, _, { url }) => void response.writeHead(404).end(`Cannot POST ${url}`),
  '/410': answering(410, 'this tenant is gone'),
  '/429-seconds': answering(429, 'slow down', { 'retry-after': '120' }),
  '/503-a-week': answering(503, 'moving', { 'retry-after': `${7 * 86_400}` }),
  '/500-and-is-cut': cutAfter(aLittle),
  '/500-and-never-ends': pouring(chunked('500 Oops'), `1000\r\n${'x '.repeat(2048)}\r\n`),
  '/500-of-many-bytes-zipped': response =>
    void response.writeHead(500, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(endless, 'x '))),
  '/hangs': () => {},
  '/headers-never-end': pouring('HTTP/1.1 200 OK\r\n', `x-more: ${'x'.repeat(1000)}\r\n`),
  '/garbage': cutAfter(Buffer.from([0, 1, 2, 255, 13, 10, 13, 10])),
  '/is-cut': (_, socket) => void socket.resetAndDestroy(),
  '/when-all-is-cut': response => {
    const look = setInterval(() => pouringNow === 0 && response.end(), 50);
    response.on('close', () => clearInterval(look));
  },
  '/echo': (response, _, request) => {
    const { 'webhook-signature': signature, host } = request.headers;
    response.writeHead(500).end(`${signature} to ${host}${request.url} by jo.doe@example.org`);
  },
};

interface ReceivedCall {
  path: string;
  method: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export type Receivers = Awaited<ReturnType<typeof startReceivers>>;

export async function startReceivers() {
  const calls: ReceivedCall[] = [];
  const server = createServer(async (request, response) => {
    const { url: path = '', headers, method = '', socket } = request;
    socket.on('error', () => {});
    calls.push({ path, headers, method, body: await text(request) });
    behaviours[path.split('?')[0] ?? '']?.(response, socket, request);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    /** Without a slash at the end. */
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** All calls so far. */
    calls: () => [...calls],
    /** Bytes of each answer without an end that was cut off. */
    poured: (): readonly number[] => poured,
    async stop(): Promise<void> {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}
