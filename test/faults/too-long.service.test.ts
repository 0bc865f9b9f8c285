/** Requests that would never end: a held lock, a silent connection, a body that does not arrive. */
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { expect, it, vi } from 'vitest';
import { aQuote } from '../setup/rows.ts';
import { postgresPort, type Service, startService } from '../setup/service.ts';
import { use } from '../setup/use.ts';
import { type Reply, representation, signIn } from '../setup/wire.ts';
import { startLink } from './link.ts';
import { patience } from './under-load.ts';
import { startBothWays } from './ways.ts';

const both = use(startBothWays, 'stop');

const outcomeOf = ({ status, body }: Reply): [status: number, code: string | undefined] => [
  status,
  body?.code,
];

// Concurrent, because each test only waits.
it.concurrent.each([
  ['the pool', 0],
  ['a connection for each request', 1],
])('a locked row, over %s, is a 504 until it is unlocked', async (_, index) => {
  const account = randomUUID();
  const customer = await signIn(both.services[index] as Service, { account });
  const made = await customer.send('POST', '/quotes?select=id', aQuote(account), representation);
  const { id } = made.body[0];
  const change = () => customer.send('PATCH', `/quotes?id=eq.${id}`, { company: 'Lions' }).then(outcomeOf);
  await both.database.sql.begin(async holder => {
    await holder`select from builder.quotes where id = ${id} for update`;
    expect(await Promise.all([change(), change()])).toEqual(Array(2).fill([504, '57014']));
    expect((await customer.get(`/quotes?id=eq.${id}`)).status).toBe(200);
  });
  expect(await change()).toEqual([204, undefined]);
});

it.concurrent('idle connections of the pool that went silent make one request wait, and not the next ones', async () => {
  const link = await startLink(postgresPort());
  const service = await startService({ worker: 'all', databasePort: link.port });
  const [customer, other] = [
    await signIn(service, { account: randomUUID() }),
    await signIn(service, { account: randomUUID() }),
  ];
  const readAll = () =>
    Promise.all([customer, other].flatMap(of => Array.from({ length: 20 }, () => of.get('/quotes'))));
  await readAll();
  link.silence();
  expect(outcomeOf(await customer.get('/quotes'))).toEqual([503, 'PGRST001']);
  expect((await readAll()).map(({ status }) => status)).toEqual(Array(40).fill(200));
  await service.stop();
  await link.stop();
});

const row = JSON.stringify(aQuote(randomUUID()));
const length = `content-length: ${row.length}`;
type Continue = (write: (text: string) => void) => unknown;

/** Sends a request with an incomplete body, which `more` may continue, and returns the response: an error. */
async function answerTo(head: string[], body: string, more?: Continue): Promise<string> {
  const service = both.services[0] as Service;
  const { hostname, port } = new URL(service.url);
  const token = await service.token({ account: randomUUID() });
  const credentials = Object.entries(service.headers(token)).map(pair => pair.join(': '));
  const lines = ['POST /rest/v1/quotes HTTP/1.1', `host: ${hostname}`, 'connection: close', ...head];
  const socket = connect(Number(port), hostname);
  socket.write(`${[...lines, ...credentials].join('\r\n')}\r\n\r\n${body}`);
  let text = '';
  socket.setEncoding('utf8').on('data', chunk => {
    text += chunk;
  });
  socket.on('error', () => {});
  more?.(part => socket.write(part));
  await vi.waitUntil(() => text.includes('"hint":'), { timeout: patience });
  socket.destroy();
  return text;
}

/** A byte each second. */
const slowly: Continue = write => {
  let next = 0;
  const timer = setInterval(() => (next < 13 ? write(row.charAt(next++)) : clearInterval(timer)), 1000);
};

it.concurrent.each<[what: string, head: string[], body: string, status: number, more?: Continue]>([
  ['a body that stops half way', [length], row.slice(0, 50), 408],
  ['a body of unknown length that stops', ['transfer-encoding: chunked'], '5\r\n{"acc\r\n', 408],
  ['a body of one byte a second', [length], '', 408, slowly],
  ['a stalled body that is too large', ['content-length: 2000000'], 'x'.repeat(1000), 413],
  ['a stalled body with an unknown key', [length, 'apikey: nobody'], '', 401],
  // The refusal of another account's quote proves that the body was read.
  [
    'a body that takes three seconds',
    [length, 'content-type: application/json'],
    row.slice(0, 50),
    403,
    write => setTimeout(() => write(row.slice(50)), 3000),
  ],
])('%s has its answer', async (_, head, body, status, more) => {
  const answer = await answerTo(head, body, more);
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(answer.includes('"code":"PT408"')).toBe(status === 408);
});
