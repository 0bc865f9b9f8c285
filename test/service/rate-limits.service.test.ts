/** How often a caller may ask: counted by workerd's own rate limiter. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { ratePeriod } from '../../functions/rate-limit.ts';
import { type Service, type ServiceOptions, startService } from '../setup/service.ts';
import { aQuote, type Caller, callerOf, type Reply } from './wire.ts';

let service: Service;
afterEach(() => service.stop());

/** Counts begin anew every ten seconds: a test begins with at least five of them left. */
async function start(options: ServiceOptions): Promise<void> {
  service = await startService(options);
  const left = ratePeriod * 1000 - (Date.now() % (ratePeriod * 1000));
  await sleep(left < 5000 ? left : 0);
}

const from = (address: string) => ({ 'cf-connecting-ip': address });
const anonymous = () => callerOf(service, service.publishableKey);
const signedIn = async (account = randomUUID()): Promise<Caller> =>
  callerOf(service, service.publishableKey, await service.token({ account }));

async function statuses(times: number, ask: () => Promise<{ status: number }>): Promise<number[]> {
  const found: number[] = [];
  for (let time = 0; time < times; time++) {
    found.push((await ask()).status);
  }
  return found;
}

function expectRefused({ status, headers, body }: Reply): void {
  expect(status).toBe(429);
  expect(headers.get('retry-after')).toBe(String(ratePeriod));
  expect(headers.get('access-control-expose-headers')).toContain('Retry-After');
  expect(body).toEqual({
    code: 'PT429',
    message: 'Too many requests in a short time',
    details: expect.stringContaining('10 seconds'),
    hint: expect.stringContaining('Wait 10 seconds'),
  });
}

describe('an account that asks too often', () => {
  it('is told to wait, wherever it asks from and whatever it asks, and nobody else is', async () => {
    await start({ rateLimits: { ACCOUNT_LIMIT: 4 } });
    const [greedy, other] = [await signedIn(), await signedIn()];
    const asked = [
      await greedy.get('/graphics', from('192.0.2.1')),
      await greedy.get('/quotes', from('192.0.2.2')),
      await greedy.get('/', from('192.0.2.3')),
      await greedy.send('POST', '/rpc/next_quote_number', {}, from('192.0.2.4')),
    ];
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expectRefused(await greedy.get('/graphics'));
    expectRefused(await greedy.get('/'));
    expectRefused(await greedy.send('POST', '/rpc/next_quote_number', {}));
    expect((await other.get('/quotes')).status).toBe(200);
    expect(await statuses(6, () => anonymous().get('/graphics'))).toEqual(Array(6).fill(200));
  });

  it('writes nothing more, and is refused before its body is read', async () => {
    await start({ rateLimits: { ACCOUNT_LIMIT: 1 } });
    const account = randomUUID();
    const greedy = await signedIn(account);
    expect((await greedy.send('POST', '/quotes', aQuote(account))).status).toBe(201);
    expectRefused(await greedy.send('POST', '/quotes', aQuote(account)));
    expectRefused(await greedy.send('POST', '/quotes', '{"no": json'));
    expect(await service.sql`select id from builder.quotes`).toHaveLength(1);
  });

  it('gets an answer without a body to HEAD, and leaves a line in the log', async () => {
    await start({ rateLimits: { ACCOUNT_LIMIT: 1 } });
    const greedy = await signedIn();
    await greedy.get('/graphics');
    const { status, text, headers } = await greedy.send('HEAD', '/graphics');
    expect([status, text, headers.get('retry-after')]).toEqual([429, '', '10']);
    const logged = /status: 429, caller: 'customer'.* code: 'PT429'/;
    await expect.poll(() => service.logs.some(line => logged.test(line.replace(/\s+/g, ' ')))).toBe(true);
  });
});

describe('an address where nobody is signed in', () => {
  it('is counted apart from others, for the publishable and for the secret key', async () => {
    await start({ rateLimits: { ADDRESS_LIMIT: 2 } });
    const secret = callerOf(service, service.secretKey);
    const here = from('192.0.2.1');
    expect(await statuses(3, () => anonymous().get('/graphics', here))).toEqual([200, 200, 429]);
    expect(await statuses(3, () => secret.get('/quotes', here))).toEqual([200, 200, 429]);
    expectRefused(await anonymous().get('/graphics', here));
    expect((await anonymous().get('/graphics', from('192.0.2.2'))).status).toBe(200);
    expect((await (await signedIn()).get('/quotes', here)).status).toBe(200);
  });

  it('of IPv6 is a network of 64 bits', async () => {
    await start({ rateLimits: { ADDRESS_LIMIT: 2 } });
    const ask = (address: string) => anonymous().get('/graphics', from(address));
    const asked = [await ask('2001:db8::1'), await ask('2001:db8:0:0:ffff::2'), await ask('2001:db8::3')];
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect((await ask('2001:db8:0:1::1')).status).toBe(200);
  });

  it('that tries key after key is soon told nothing of the right one either', async () => {
    await start({ rateLimits: { ADDRESS_LIMIT: 5 } });
    const here = from('192.0.2.1');
    const guess = () => callerOf(service, `sb_secret_${randomUUID()}`).get('/quotes', here);
    expect(await statuses(6, guess)).toEqual([401, 401, 401, 401, 401, 429]);
    expectRefused(await callerOf(service, service.secretKey).get('/quotes', here));
    expect((await anonymous().get('/graphics', here)).status).toBe(200);
  });

  it('reaches the database by /health no more often', async () => {
    await start({ rateLimits: { ADDRESS_LIMIT: 2 } });
    expect(await statuses(3, () => service.fetch('/health'))).toEqual([200, 200, 429]);
    const response = await service.fetch('/health');
    expect(response.headers.get('retry-after')).toBe('10');
    expect(await response.json()).toMatchObject({ code: 'PT429' });
  });

  it('may preflight as often as it likes', async () => {
    await start({ rateLimits: { ADDRESS_LIMIT: 1 } });
    const preflight = () =>
      service.fetch('/rest/v1/graphics', {
        method: 'OPTIONS',
        headers: { 'access-control-request-method': 'GET' },
      });
    expect(await statuses(4, preflight)).toEqual([204, 204, 204, 204]);
  });
});

describe('a service', () => {
  it('whose limits are not bound counts nobody', async () => {
    await start({});
    expect(await statuses(50, () => anonymous().get('/graphics'))).toEqual(Array(50).fill(200));
  });

  it('whose limiter fails answers all the same, and logs that it failed', async () => {
    await start({ bindings: { ADDRESS_LIMIT: 'broken', ACCOUNT_LIMIT: 'broken' } });
    expect((await anonymous().get('/graphics')).status).toBe(200);
    expect((await (await signedIn()).get('/quotes')).status).toBe(200);
    await expect.poll(() => service.logs.join()).toContain("event: 'rate limit'");
  });
});
