/** The key server is not ours: when it is down, slow or wrong, requests fail in time and with a clear error. */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sample } from '../../setup/full-size.ts';
import { answering, type KeyServer, startKeyServer } from '../../setup/key-server.ts';
import { type Service, startService } from '../../setup/service.ts';
import { callerOf, type Reply } from '../../setup/wire.ts';
import { ecdsa, forge } from './forge.ts';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'ec', alg: 'ES256' }];
const good = answering({ keys });
const silent: RequestListener = () => {};

let service: Service;
let keyServer: KeyServer;
beforeAll(async () => {
  keyServer = await startKeyServer(good);
  service = await startService({ bindings: { JWKS_URL: keyServer.url } });
});
afterAll(() => Promise.all([service.stop(), keyServer.stop()]));

const sign = (kid = 'ec'): string => {
  const claims = { role: 'authenticated', sub: randomUUID(), exp: Math.floor(Date.now() / 1000) + 600 };
  return forge({ alg: 'ES256', kid }, claims, ecdsa(privateKey));
};
const read = (token = sign()): Promise<Reply> =>
  callerOf(service, service.publishableKey, token).get('/quotes?select=id');
const readAtOnce = (count: number, kid?: string) =>
  Promise.all(Array.from({ length: count }, () => read(sign(kid))));

/** Waits until the service fetches the key set again after a failure. */
const rest = () => new Promise(resolve => setTimeout(resolve, 1100));

function expectUnavailable({ status, body, headers }: Reply): void {
  expect(status).toBe(503);
  expect(body).toMatchObject({ code: 'PGRST301', message: expect.stringContaining('cannot be fetched') });
  expect(headers.get('retry-after')).toBe('1');
}

describe('before it was ever fetched', () => {
  const trickle: RequestListener = (_, response) => {
    response.writeHead(200).write('{"keys":');
  };
  const redirect: RequestListener = (_, response) =>
    response.writeHead(302, { location: keyServer.url }).end();
  const cut: RequestListener = (_, response) =>
    void response.writeHead(200).write('{"keys":', () => response.destroy());
  const huge: RequestListener = (_, response) => {
    const chunk = 'x'.repeat(65_536);
    response.writeHead(200).write('{"keys":["');
    const pour = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', pour);
    pour();
  };
  const failing: [what: string, answer: RequestListener, reason: string][] = [
    ['status 500', answering('sorry', 500), 'JWKS_STATUS_500'],
    ['a redirect', redirect, 'JWKS_STATUS_302'],
    ['a set of no objects', answering({ keys: ['ec'] }), 'JWKS_INVALID'],
    ['more than anyone can read', huge, 'JWKS_TOO_LARGE'],
    ['half of the set, and the end of the connection', cut, 'JWKS_UNREACHABLE'],
    ['silence', silent, 'JWKS_TIMEOUT'],
    ['half of the set, and silence', trickle, 'JWKS_TIMEOUT'],
  ];
  it.each(
    sample(6, failing),
  )('%s is a 503 in time, and many requests cause at most one fetch a second', async (_, answer, reason) => {
    await rest();
    keyServer.answer = answer;
    const asked = keyServer.asked;
    const logged = service.logs.length;
    const began = Date.now();
    for (const reply of await readAtOnce(10)) {
      expectUnavailable(reply);
    }
    // A request shares a fetch, or its failure, for a second.
    expect(keyServer.asked - asked).toBeLessThanOrEqual(1 + (Date.now() - began) / 1000);
    await expect.poll(() => service.logs.slice(logged).join()).toContain(`"reason":"${reason}"`);
    expect(service.logs.slice(logged).join()).not.toContain(keyServer.url);
  });

  it('callers whose tokens need no key set are not affected', async () => {
    keyServer.answer = answering('sorry', 500);
    expect((await read()).status).toBe(503);
    expect((await callerOf(service, service.publishableKey).get('/graphics')).status).toBe(200);
    expect((await callerOf(service, service.secretKey).get('/quotes')).status).toBe(200);
    expect((await read(await service.token({ account: randomUUID() }))).status).toBe(200);
  });

  it('a request that is aborted during its fetch blocks no other request', async () => {
    await rest();
    keyServer.answer = silent;
    const asked = keyServer.asked;
    const leaving = new AbortController();
    const left = service
      .fetch('/rest/v1/quotes', { headers: service.headers(sign()), signal: leaving.signal })
      .catch(error => error.name);
    while (keyServer.asked === asked) {
      await new Promise(resolve => setTimeout(resolve, 5));
    }
    leaving.abort();
    expect(await left).toBe('AbortError');
    keyServer.answer = good;
    expect((await read()).status).toBe(200);
  });
});
