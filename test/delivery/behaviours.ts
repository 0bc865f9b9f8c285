/** What the receivers of webhooks do, good and bad, by the path that they are called at. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

type Behaviour = (response: ServerResponse, socket: Socket, request: IncomingMessage) => void;

/** Bytes of an answer without an end, and then silence. Nobody should have read so much. */
export const endless = 64 * 2 ** 20;

const answering =
  (status: number, body = '', headers: Record<string, string> = {}): Behaviour =>
  response =>
    void response.writeHead(status, headers).end(body);

const raw =
  (text: string): Behaviour =>
  (_, socket) =>
    void socket.write(text);

/** How much of each was written until it was cut off, and how many were not yet. */
export const poured: number[] = [];
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

export const behaviours: Record<string, Behaviour> = {
  '/102': raw('HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n'),
  '/200': answering(200, 'thanks'),
  '/204': answering(204),
  '/200-and-hangs': raw('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'),
  '/200-and-is-cut': (_, socket) => {
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc');
  },
  '/200-and-never-ends': pouring(
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n',
    `1000\r\n${'x'.repeat(4096)}\r\n`,
  ),
  '/302': answering(302, '', { location: '/redirected' }),
  '/304': answering(304),
  '/400': answering(400, '{"error":\r\n "bad signature"}', { 'retry-after': '60' }),
  '/404': (response, _, { url }) => void response.writeHead(404).end(`Cannot POST ${url}`),
  '/410': answering(410, 'this tenant is gone'),
  '/429-seconds': answering(429, 'slow down', { 'retry-after': '120' }),
  '/503-a-week': answering(503, 'moving', { 'retry-after': `${7 * 86_400}` }),
  '/500-and-hangs': raw('HTTP/1.1 500 Oops\r\ncontent-length: 1000\r\n\r\nfirst words and mo'),
  '/500-and-is-cut': (_, socket) => {
    socket.end('HTTP/1.1 500 Oops\r\ncontent-length: 1000\r\n\r\nfirst words and mo');
  },
  '/500-and-never-ends': pouring(
    'HTTP/1.1 500 Oops\r\ntransfer-encoding: chunked\r\n\r\n',
    `1000\r\n${'x '.repeat(2048)}\r\n`,
  ),
  '/500-drop-by-drop': response => {
    response.writeHead(500);
    const drops = setInterval(() => response.write('a '), 200);
    response.on('close', () => clearInterval(drops));
  },
  '/500-of-many-bytes-zipped': response =>
    void response.writeHead(500, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(endless, 'x '))),
  '/500-says-it-is-zipped': answering(500, 'but it is not', { 'content-encoding': 'gzip' }),
  '/hangs': () => {},
  '/headers-never-end': pouring('HTTP/1.1 200 OK\r\n', `x-more: ${'x'.repeat(1000)}\r\n`),
  '/garbage': (_, socket) => void socket.end(Buffer.from([0, 1, 2, 255, 13, 10, 13, 10])),
  '/another-protocol': (_, socket) => void socket.end('220 mail.example.com ESMTP\r\n'),
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
