/** Requests that only an attacker sends: headers of the tools around workerd, and malformed HTTP. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { useService } from '../setup/service.ts';

const service = useService();

/** What a client meets that is still sending when the server, which has heard enough, closes the connection. */
const closedByServer = new Set(['ECONNRESET', 'EPIPE']);

/** Milliseconds within which each of them must get a response, or its connection be closed. */
const socketTimeout = 10_000;

/**
 * The response to these bytes, after which the client sends nothing; empty when the connection is closed or reset
 * without a response. Rejects when neither happens.
 */
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

describe('a header with a meaning in miniflare', () => {
  const tells = 'http://127.0.0.1:1/elsewhere';
  it.each([
    ['MF-Original-URL', tells],
    ['MF-Original-URL', 'nonsense'],
    ['MF-Original-Hostname', 'elsewhere.example'],
    ['MF-CF-Blob', '{nonsense'],
    ['MF-CF-Blob', '17'],
    ['MF-CF-Blob', '{"clientIp":"10.0.0.1"}'],
    ['MF-Route-Override', 'nobody'],
    ['MF-Disable-Pretty-Error', 'true'],
    ['MF-Experimental-Error-Stack', 'true'],
    ['MF-Proxy-Shared-Secret', 'guess'],
    ['MF-Custom-Fetch-Service', 'nobody'],
    ['MF-Custom-Node-Service', 'nobody'],
    ['MF-Sec-Fetch-Mode', 'nonsense'],
    ['MF-Op', 'GET'],
    ['MF-Op-Secret', '00'],
    ['MF-Op-Target', '{nonsense'],
    ['MF-Op-Original-URL', 'nonsense'],
  ])('has no effect here: %s: %s', async (name, value) => {
    expect(statusOf(await answerTo(head('GET /health HTTP/1.1', host, `${name}: ${value}`)))).toBe(200);
  });

  it.each([
    '/cdn-cgi/platform-proxy',
    '/cdn-cgi/mf/scheduled',
    '/cdn-cgi/mf/reload',
    '/cdn-cgi/handler/email',
    '/cdn-cgi/explorer',
  ])('gives no access to an internal path: %s', async path => {
    expect(
      statusOf(await answerTo(head(`GET ${path} HTTP/1.1`, host, 'MF-Op: GET', 'MF-Op-Secret: 00'))),
    ).toBe(404);
  });
});

describe('a request that is malformed', () => {
  const to = (method: string, target = '/rest/v1/graphics') => `${method} ${target} HTTP/1.1`;
  const chunked = 'Transfer-Encoding: chunked';
  /** With the secret key, so that the body is read. */
  const post = (...lines: string[]): string =>
    head(
      to('POST'),
      host,
      `apikey: ${service.secretKey}`,
      `Authorization: Bearer ${service.secretKey}`,
      'Content-Type: application/json',
      ...lines,
    );
  const cases: [what: string, bytes: () => string, statuses: (number | undefined)[]][] = [
    ['a Content-Length that is no number', () => `${post('Content-Length: abc')}[]`, [400]],
    ['a Content-Length below zero', () => `${post('Content-Length: -1')}[]`, [400]],
    [
      'a Content-Length beyond all numbers',
      () => `${post(`Content-Length: ${'9'.repeat(30)}`)}[]`,
      [400, 413],
    ],
    ['two Content-Lengths', () => `${post('Content-Length: 2', 'Content-Length: 3')}[]`, [400]],
    ['a Transfer-Encoding nobody knows', () => `${post('Transfer-Encoding: nonsense')}[]`, [400, 501]],
    [
      'a Transfer-Encoding of two',
      () => `${post('Transfer-Encoding: gzip, chunked')}2\r\n[]\r\n0\r\n\r\n`,
      [201, 400, 501],
    ],
    ['a length and chunks', () => `${post('Content-Length: 5', chunked)}2\r\n[]\r\n0\r\n\r\n`, [201, 400]],
    ['a chunk size that is no number', () => `${post(chunked)}zz\r\n[]\r\n0\r\n\r\n`, [400, undefined]],
    [
      'a chunk size beyond all numbers',
      () => `${post(chunked)}${'f'.repeat(20)}\r\n[]\r\n`,
      [400, undefined],
    ],
    ['a body cut short', () => `${post('Content-Length: 10')}[`, [400, undefined]],
    ['chunks cut short', () => `${post(chunked)}5\r\n[`, [400, undefined]],
    ['a header without a colon', () => head(to('GET'), host, 'Nonsense'), [400]],
    ['a space before the colon', () => head(to('GET', '/health'), host, 'X-A : b'), [200, 400]],
    ['a header over two lines', () => head(to('GET', '/health'), host, 'X-A: b', ' c'), [200, 400]],
    ['a NUL in a header', () => head(to('GET'), host, 'X-A: b\0c'), [400]],
    ['a bare LF', () => `${to('GET', '/health')}\n${host}\nConnection: close\n\n`, [200, 400]],
    ['a bare CR', () => `${to('GET', '/health')}\r${host}\r\r`, [400, undefined]],
    [
      'a request line too long',
      () => head(to('GET', `/${'a'.repeat(300_000)}`), host),
      [414, 431, undefined],
    ],
    [
      'a header too long',
      () => head(to('GET'), host, `Prefer: ${'a'.repeat(1_000_000)}`),
      [400, 431, undefined],
    ],
    [
      'headers too many',
      () => head(to('GET'), host, ...Array<string>(20_000).fill('X-A: a')),
      [400, 431, undefined],
    ],
    ['no Host', () => head(to('GET', '/health')), [400]],
    ['a Host that is none', () => head(to('GET', '/health'), 'Host: a b'), [200, 400]],
    ['a Host in brackets that don’t close', () => head(to('GET', '/health'), 'Host: [::1'), [200, 400]],
    ['a Host of signs', () => head(to('GET', '/health'), 'Host: %%%'), [200, 400]],
    ['two Hosts', () => head(to('GET', '/health'), host, 'Host: b'), [200, 400]],
    [
      'a target with its host',
      () => head(to('GET', 'http://elsewhere.example/health'), host),
      [200, 400, 404],
    ],
    ['a target without a slash', () => head(to('GET', 'health'), host), [200, 400, 404]],
    ['the target *', () => head(to('OPTIONS', '*'), host), [200, 400, 404]],
    ['a target of signs', () => head(to('GET', '/rest/v1/graphics?%zz=%'), host), [400, 401]],
    ['a target of bytes', () => head(to('GET', '/\xe9'), host), [400, 404]],
    ['a method nobody knows', () => head(to('NONSENSE'), host), [501]],
    ['a version nobody speaks', () => head('GET /health HTTP/9.9', host), [200, 400, 505]],
    ['HTTP/0.9', () => 'GET /health\r\n', [400, undefined]],
    ['HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400, 501, undefined]],
    ['TLS', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', [400, undefined]],
    ['nothing', () => '', [undefined]],
  ];

  /**
   * Requests to which workerd's HTTP server itself responds with 500, before any worker runs, and which it logs as
   * uncaught. From 1.20261015 on it has another server, which responds with 400, but holds up to 400 KB for each connection
   * that sends a body, and refuses `->>` in a URL.
   */
  const refusedByWorkerd = [
    'a Content-Length that is no number',
    'a Content-Length below zero',
    'two Content-Lengths',
    'a Transfer-Encoding nobody knows',
    'a Transfer-Encoding of two',
    'a Host that is none',
    'a Host of signs',
    'two Hosts',
    'a target with its host',
    'a target without a slash',
    'the target *',
  ];

  it.each(
    cases,
  )('is refused, or its connection closed, and others are served: %s', async (what, bytes, statuses) => {
    const allowed = refusedByWorkerd.includes(what) ? [...statuses, 500] : statuses;
    expect(allowed).toContain(statusOf(await answerTo(bytes())));
    expect((await service.fetch('/health')).status).toBe(200);
  });
});

it('CONNECT opens no connection to another host', async () => {
  const request = `CONNECT elsewhere.example:443 HTTP/1.1\r\n${host}\r\n\r\n`;
  expect(statusOf(await answerTo(request))).not.toBe(200);
});
