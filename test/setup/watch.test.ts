/** The check of all logs and errors of the suite finds what it looks for. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Secrets } from './secrets.ts';
import { type Watch, watchService } from './watch.ts';

const error = { code: '22P02', message: 'width must be a whole number', details: null, hint: null };
const line = '{"event":"request","method":"GET","collection":"quotes","status":400,"code":"22P02"}';

let server: Server;
let url: string;
/** The next response of the service. */
let answer: { status: number; body: unknown };
let logs: string[];
let watch: Watch;
beforeEach(async () => {
  server = createServer((_, response) => {
    response.writeHead(answer.status).end(JSON.stringify(answer.body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  answer = { status: 400, body: error };
  logs = [line];
  const secrets = new Secrets();
  secrets.add('SECRET_KEY', 'sb_secret_0123456789');
  watch = watchService(url, logs, secrets);
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

it('a service that logs its own words and responds with plain errors leaks nothing', async () => {
  await fetch(`${url}/?sport=eq.basketball`, { method: 'POST', body: '{"status":"quotes"}' });
  expect(await watch.leaks()).toEqual([]);
});

describe('a leak in the log is found:', () => {
  it.each([
    ['a key', 'sb_secret_0123456789', /SECRET_KEY/],
    ['a statement', `select set_config('role', 'builder_staff', true)`, /SQL/],
    ['a table in a statement', 'update "builder"."quotes" set', /SQL/],
    ['a value of a query', 'name=eq.Planted Value', /request: "eq.Planted Value"/],
    ['a text deep in a body', 'what the body had: planted text', /request: "planted text"/],
    ['a text with quotes', 'the body had a "planted" word', /request: "a \\"planted\\" word"/],
    ['a token', 'ey.planted.token', /request: "ey.planted.token"/],
    ['an Idempotency-Key', 'planted-key', /request: "planted-key"/],
    ['a body that is no JSON', 'Unexpected token in planted, body', /request: "planted, body"/],
  ])('%s', async (_, told, what) => {
    const headers = { authorization: 'Bearer ey.planted.token', 'idempotency-key': 'planted-key' };
    const body = JSON.stringify({ a: [{ b: 'planted text', c: 'a "planted" word' }] });
    await fetch(`${url}/?name=eq.Planted%20Value`, { method: 'POST', headers, body });
    await fetch(url, { method: 'POST', body: 'planted, body' });
    logs.push(JSON.stringify({ event: 'request', note: told }));
    const leaks = await watch.leaks();
    expect(leaks).toEqual([expect.stringMatching(what)]);
  });
});

describe('a leak in an error is found:', () => {
  it.each([
    ['a key', { ...error, hint: 'The key is sb_secret_0123456789' }, /SECRET_KEY/],
    ['a statement', { ...error, details: 'insert … returning "quotes"."id"' }, /SQL/],
    ['a stack', { ...error, message: 'TypeError: x\n    at respond (worker.js:1:20)' }, /a stack/],
  ])('%s', async (_, body, what) => {
    answer = { status: 400, body };
    await fetch(url);
    expect(await watch.leaks()).toEqual([expect.stringMatching(what)]);
  });

  it('none in a response that is no error, whose rows belong to the caller', async () => {
    answer = { status: 200, body: { note: 'select set_config(' } };
    await fetch(url);
    expect(await watch.leaks()).toEqual([]);
  });
});
