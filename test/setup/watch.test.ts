/** The check of all logs and errors of the tests finds what it looks for. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { Secrets } from './secrets.ts';
import { watchService } from './watch.ts';

const error = { code: '22P02', message: 'width must be a whole number', details: null, hint: null };
const line = '{"event":"request","method":"GET","collection":"quotes","status":400,"code":"22P02"}';

/** Returns what a watch finds after a service that logged this note has answered so a request with planted texts. */
async function leaksOf(note: string, answer: [status: number, body: unknown]): Promise<string[]> {
  const server = createServer((_, response) => {
    response.writeHead(answer[0]).end(JSON.stringify(answer[1]));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const secrets = new Secrets();
  secrets.add('SECRET_KEY', 'sb_secret_0123456789');
  const watch = watchService(url, [line, JSON.stringify({ event: 'request', note })], secrets);
  const headers = { authorization: 'Bearer ey.planted.token', 'idempotency-key': 'planted-key' };
  const body = JSON.stringify({ a: [{ c: 'a "planted" word' }], status: 'quotes' });
  await fetch(`${url}/?name=eq.Planted%20Value`, { method: 'POST', headers, body });
  await fetch(url, { method: 'POST', body: 'planted, body' });
  server.closeAllConnections();
  server.close();
  return watch.leaks();
}

it('the own words of a log, plain errors and the rows of a response are no leaks', async () => {
  expect(await leaksOf('quotes', [400, error])).toEqual([]);
  expect(await leaksOf('quotes', [200, { note: 'select set_config(' }])).toEqual([]);
});

it.each([
  ['a key', 'sb_secret_0123456789', /SECRET_KEY/],
  ['a statement', `select set_config('role', 'builder_staff', true)`, /SQL/],
  ['a value of a query', 'name=eq.Planted Value', /request: "eq.Planted Value"/],
  ['a text of a body', 'the body had a "planted" word', /request: "a \\"planted\\" word"/],
  ['a token', 'ey.planted.token', /request: "ey.planted.token"/],
  ['an Idempotency-Key', 'planted-key', /request: "planted-key"/],
  ['a body that is no JSON', 'Unexpected token in planted, body', /request: "planted, body"/],
])('%s in the log is a leak', async (_, note, what) => {
  expect(await leaksOf(note, [200, {}])).toEqual([expect.stringMatching(what)]);
});

it.each([
  ['a key', { ...error, hint: 'The key is sb_secret_0123456789' }, /SECRET_KEY/],
  ['a statement', { ...error, details: 'insert … returning "quotes"."id"' }, /SQL/],
  ['a stack', { ...error, message: 'TypeError: x\n    at respond (worker.js:1:20)' }, /a stack/],
])('%s in an error is a leak', async (_, body, what) => {
  const leaks = await leaksOf('', [400, body]);
  expect(leaks).toEqual([expect.stringMatching(what), expect.stringMatching(what)]);
});
