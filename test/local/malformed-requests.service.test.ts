/** Requests that only an attacker sends: headers of the tools around workerd, and malformed HTTP. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { useService } from '../setup/service.ts';

const service = useService({ worker: 'all' });

/** What a client meets that is still sending when the server, which has heard enough, closes the connection. */
const closedByServer = new Set(['ECONNRESET', 'EPIPE']);

/** Milliseconds within which each of them must get a response, or its connection be closed. */
const socketTimeout = 60_000;

/** Resolves to the response; empty when the connection ended without one. Rejects when neither happens. */
async function answerTo(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1').setEncoding('latin1');
  socket.setTimeout(socketTimeout, () => socket.destroy(new Error('neither answered nor closed')));
  let answer = '';
  socket.on('data', text => {
    answer += text;
  });
  socket.end(bytes, 'latin1');
  try {
    await once(socket, 'close');
  } catch (error) {
    if (!closedByServer.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
  return answer;
}

const statusOf = (answer: string): number | undefined =>
  answer === '' ? undefined : Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1]);

const head = (...lines: string[]): string => `${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`;
const host = 'Host: 127.0.0.1';

it.each([
  ['MF-Original-URL', 'http://127.0.0.1:1/elsewhere'],
  ['MF-CF-Blob', '{"clientIp":"10.0.0.1"}'],
  ['MF-Route-Override', 'nobody'],
  ['MF-Op-Target', '{nonsense'],
])('a header with a meaning in miniflare has no effect: %s: %s', async (name, value) => {
  expect(statusOf(await answerTo(head('GET /health HTTP/1.1', host, `${name}: ${value}`)))).toBe(200);
});

it('the internal paths of miniflare are 404', async () => {
  for (const path of ['/cdn-cgi/platform-proxy', '/cdn-cgi/mf/reload', '/cdn-cgi/explorer']) {
    const request = head(`GET ${path} HTTP/1.1`, host, 'MF-Op: GET', 'MF-Op-Secret: 00');
    expect([path, statusOf(await answerTo(request))]).toEqual([path, 404]);
  }
});

const get = 'GET /rest/v1/graphics HTTP/1.1';
const chunked = 'Transfer-Encoding: chunked';
/** With the secret key, so that the body is read. */
const post = (...lines: string[]): string =>
  head(
    ...['POST /rest/v1/graphics HTTP/1.1', host, `apikey: ${service.secretKey}`],
    ...['Content-Type: application/json', ...lines],
  );
const closed = undefined;

it.each<[what: string, bytes: () => string, ...statuses: (number | undefined)[]]>([
  ['two Content-Lengths', () => `${post('Content-Length: 2', 'Content-Length: 3')}[]`, 400],
  ['a length and chunks', () => `${post('Content-Length: 5', chunked)}2\r\n[]\r\n0\r\n\r\n`, 201, 400],
  ['a body cut short', () => `${post('Content-Length: 10')}[`, 400, closed],
  ['a NUL in a header', () => head(get, host, 'X-A: b\0c'), 400],
  ['a request line too long', () => head(`GET /${'a'.repeat(300_000)} HTTP/1.1`, host), 414, 431, closed],
  ['a header too long', () => head(get, host, `Prefer: ${'a'.repeat(1_000_000)}`), 400, 431, closed],
  ['too many headers', () => head(get, host, ...Array(20_000).fill('X-A: a')), 400, 431, closed],
  ['a raw > in the target', () => head(`${get.replace(' HTTP', '?select=tags->>0 HTTP')}`, host), 400],
  ['the target *', () => head('OPTIONS * HTTP/1.1', host), 200, 204, 400, 404],
  ['a target without a slash', () => head('GET health HTTP/1.1', host), 200, 400, 404],
  ['a Host with a space', () => head(get, 'Host: a b'), 400],
  ['a Host that is no name', () => head('GET / HTTP/1.1', 'Host: %%%'), 400],
  ['two Hosts', () => head('GET /live/websocket HTTP/1.1', host, 'Host: b'), 400],
  ['TLS', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400, closed],
])('malformed HTTP is refused or its connection closed, and others are served: %s', async (_, bytes, ...statuses) => {
  expect(statuses).toContain(statusOf(await answerTo(bytes())));
  expect((await service.fetch('/health')).status).toBe(200);
});

it('CONNECT opens no connection to another host', async () => {
  const request = `CONNECT elsewhere.example:443 HTTP/1.1\r\n${host}\r\n\r\n`;
  expect(statusOf(await answerTo(request))).not.toBe(200);
});
