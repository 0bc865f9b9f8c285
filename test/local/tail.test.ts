/** `npm run tail`, on events that workerd passed to a tail consumer (tail-recorded.jsonl). */
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { entriesOf, lineOf, summariseDeliveries } from '../../functions/local/tail/entries.ts';
import { startCommand, startProgram } from './program.ts';

const file = fileURLToPath(new URL('tail-recorded.jsonl', import.meta.url));
const linesOf = (object: object): string[] => entriesOf(JSON.stringify(object)).map(lineOf);

it('prints a line for each entry of the log, and a summary of the requests', async () => {
  const command = ['-c', 'npm run --silent tail < "$0"', file];
  const { code, stdout, stderr } = await startCommand('sh', command, { env: { TZ: 'UTC' } }).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatchInlineSnapshot(`
    "time          method   collection         status  caller     rows  total ms     db ms  code, reason, account, request id
    13:49:48.274  GET      /health            200
    13:49:48.407  GET      graphics           200     anon          5        16        10  41e7f9cf-b4de-4e85-8db1-60cdc702145c
    13:49:48.424  OPTIONS  /rest/v1/quotes    204
    13:49:48.445  GET      quotes             200     customer      3        13         5  page-7.first
    13:49:48.459  GET      quotes             400     customer                7         0  42703  6bbcd130-0572-449d-9ab9-19ea8dce7c3d
    13:49:48.468  GET      quotes             401     anon                    1         0  42501  6af31f6c-5b25-4a6e-bf41-521694868cdf
    13:49:48.493  GET      quotes             401                             0         0  PGRST302  b3c236b9-5812-4b2b-bb25-fb0bc6aa0423
    13:49:48.547  PATCH    quotes             204     service       1        32        15  cdcf9890-c1e7-4367-a108-3ae097d4d028
    13:49:48.568  POST     next_quote_number  200     customer               13        13  f923d62c-5a96-430c-afec-e5ddf9b8b78b
    13:49:48.744  sweep    expired 0, pruned 0, batches 2, total_ms 26
    13:49:48.864  GET      graphics           503     anon                    3         2  PGRST001  Network connection lost.  57ae1ac2-95d9-45d1-9542-020429d65554
    a plain line { of: 'two' } parts
    13:49:50.622  crash    message TypeError: rows is not iterable, method GET, collection /rest/v1/quotes

    requests    10 in 0.6 s, 16.9 a second
    statuses    2xx 6   4xx 3   5xx 1
    total ms    p50 7   p95 32   p99 32
    slowest
    13:49:48.547  PATCH    quotes             204     service       1        32        15  cdcf9890-c1e7-4367-a108-3ae097d4d028
    13:49:48.407  GET      graphics           200     anon          5        16        10  41e7f9cf-b4de-4e85-8db1-60cdc702145c
    13:49:48.568  POST     next_quote_number  200     customer               13        13  f923d62c-5a96-430c-afec-e5ddf9b8b78b
    13:49:48.445  GET      quotes             200     customer      3        13         5  page-7.first
    13:49:48.459  GET      quotes             400     customer                7         0  42703  6bbcd130-0572-449d-9ab9-19ea8dce7c3d
    "
  `);
});

it('reads standard input, with objects over several lines, and on Ctrl-C sums up what it has read so far', async () => {
  const line = { event: 'request', method: 'GET', collection: 'quotes', status: 200, total_ms: 4 };
  const events = [{ outcome: 'ok', logs: [{ message: [line] }], event: {} }, { other: [1] }];
  const printed = events.map(event => JSON.stringify(event, undefined, 2)).join('\n');
  const program = startProgram('tail', [], {}, `Connected\n${printed}\n`);
  await program.printed('"other"');
  const { code, stdout } = await program.interrupt();
  expect(code).toBe(0);
  expect(stdout).toMatch(/\nConnected\n.* GET {6}quotes .*\n\{\n {2}"other"/);
  expect(stdout).toContain('\n\nrequests    1\nstatuses    2xx 1\ntotal ms    p50 4   p95 4   p99 4\n');
});

it('prints what is no request on one line each: an end by Cloudflare, a crash of several lines', () => {
  expect(linesOf({ event: 'crash', message: 'a\n\x1b[31mb\r\n  c', stack: 'at d' })).toEqual([
    expect.stringMatching(/^ +crash {4}message a b c$/),
  ]);
  const request = { method: 'GET', url: 'https://a.b/rest/v1/quotes?sport=eq.golf' };
  expect(linesOf({ logs: [], exceptions: [], outcome: 'exceededCpu', event: { request } })).toEqual([
    expect.stringMatching(/ crash {4}message exceededCpu, method GET, collection \/rest\/v1\/quotes$/),
  ]);
});

it('prints attempts to deliver, and sums up how they ended', () => {
  const entry = { event: 'delivery', host: 'a.example', id: '1', attempt: 1 };
  const sent = { ...entry, delivery: 'mail', outcome: 'sent' };
  const failed = { ...sent, delivery: 'webhook', outcome: 'failed', reason: '503', retry_s: 6 };
  expect([sent, failed].flatMap(entry => linesOf({ ...entry, total_ms: 168 }))).toEqual([
    '              mail     a.example          sent, attempt 1, 168 ms, id 1',
    '              webhook  a.example          failed, attempt 1, 168 ms, again in 6 s, 503, id 1',
  ]);
  expect(summariseDeliveries([sent, failed, sent])).toEqual(['deliveries  mail sent 2   webhook failed 1']);
});
