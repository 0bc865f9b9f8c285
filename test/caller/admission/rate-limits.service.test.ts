/** Rate limits, as workerd's own rate limiter counts: for each worker. On Cloudflare they share the counts of a namespace. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../functions/common/limits.ts';
import { all, Wire } from '../../live/wire.ts';
import { aQuote } from '../../setup/rows.ts';
import { startService, useService } from '../../setup/service.ts';
import { type Caller, callerOf, type Reply, signIn } from '../../setup/wire.ts';

/** Requests in ten seconds, for both limits. */
const limit = 3;
const service = useService({ rateLimits: { ACCOUNT_LIMIT: limit, ADDRESS_LIMIT: limit } });

/** Counters are reset every ten seconds: a test during which that happens is run again. */
const itInOnePeriod = (title: string, test: () => Promise<void>) =>
  it(title, async () => {
    const period = () => Math.floor(Date.now() / (limits.rate.periodSeconds * 1000));
    for (;;) {
      const began = period();
      const [outcome] = await Promise.allSettled([test()]);
      if (period() === began) {
        return outcome.status === 'rejected' ? Promise.reject(outcome.reason) : undefined;
      }
    }
  });

/** An address that no other test uses. */
const address = () => `192.0.2.${randomUUID()}`;
const from = (address: string) => ({ 'cf-connecting-ip': address });
const anonymous = () => callerOf(service, service.publishableKey);
const signedIn = (account = randomUUID()): Promise<Caller> => signIn(service, { account });

async function statuses(times: number, ask: () => Promise<{ status: number }>): Promise<number[]> {
  const found: number[] = [];
  for (let time = 0; time < times; time++) {
    found.push((await ask()).status);
  }
  return found;
}

function expectRefused({ status, headers, body }: Reply): void {
  expect([status, body.code, headers.get('retry-after')]).toEqual([429, 'PT429', '10']);
  expect(body.hint).toContain('Wait 10 seconds');
}

describe('an account above its rate limit', () => {
  itInOnePeriod(
    'gets a 429 with Retry-After from every address and for every request, and no other account does',
    async () => {
      const [greedy, other] = [await signedIn(), await signedIn()];
      const [here, there] = [from(address()), from(address())];
      const asked = [
        await greedy.get('/quotes', here),
        await greedy.get('/', there),
        await greedy.send('POST', '/rpc/next_quote_number', {}, from(address())),
      ];
      expect(asked.map(({ status }) => status)).toEqual([200, 200, 200]);
      expectRefused(await greedy.get('/quote_offers', here));
      expectRefused(await greedy.get('/', there));
      expectRefused(await greedy.send('POST', '/rpc/next_quote_number', {}));
      expect((await other.get('/quotes', here)).status).toBe(200);
      expect(await statuses(limit, () => anonymous().get('/graphics', here))).toEqual([200, 200, 200]);
    },
  );

  itInOnePeriod('is refused before its body is read, which is logged, and writes nothing', async () => {
    const account = randomUUID();
    const greedy = await signedIn(account);
    const write = () => greedy.send('POST', '/quotes', aQuote(account));
    expect(await statuses(limit, write)).toEqual([201, 201, 201]);
    expectRefused(await write());
    const logged = /"status":429,"failed":0,"caller":"customer".*"code":"PT429","reason":"RATE_LIMIT"/;
    await expect.poll(() => service.logs.some(line => logged.test(line))).toBe(true);
    expectRefused(await greedy.send('POST', '/quotes', '{"no": json'));
    const rows = await service.sql`select id from builder.quotes where account_id = ${account}`;
    expect(rows).toHaveLength(limit);
  });
});

describe('an address of callers who are not signed in', () => {
  const secret = () => callerOf(service, service.secretKey);

  itInOnePeriod('has its own counters, one for the publishable and one for the secret key', async () => {
    const here = from(address());
    expect(await statuses(4, () => anonymous().get('/graphics', here))).toEqual([200, 200, 200, 429]);
    expect(await statuses(4, () => secret().get('/quotes', here))).toEqual([200, 200, 200, 429]);
    expectRefused(await anonymous().get('/graphics', here));
    expect((await anonymous().get('/graphics', from(address()))).status).toBe(200);
    expect((await (await signedIn()).get('/quotes', here)).status).toBe(200);
  });

  itInOnePeriod(
    'that guesses keys, or breaks Authorization, is soon refused with the right key too',
    async () => {
      for (const guess of [{ apikey: 'sb_secret_guess' }, { authorization: 'Basic x' }]) {
        const here = from(address());
        const alone = callerOf(service, service.publishableKey, null);
        const guesses = await statuses(4, () => alone.get('/graphics', { ...here, ...guess }));
        expect(guesses).toEqual([401, 401, 401, 429]);
        expectRefused(await secret().get('/graphics', here));
        expect((await anonymous().get('/graphics', here)).status).toBe(200);
      }
    },
  );

  itInOnePeriod('that guesses access tokens on sockets is refused there too', async () => {
    const headers = from(address());
    const reasons: string[] = [];
    for (const wire of [await Wire.open(service, { headers }), await Wire.open(service, { headers })]) {
      for (let n = 0; n < 2; n++) {
        reasons.push((await wire.join('x', [all], 'a.b.c')).response.reason.split(':')[0]);
      }
      wire.close();
    }
    expect(reasons).toEqual(['PGRST301', 'PGRST301', 'PGRST301', 'PT429']);
  });

  itInOnePeriod('of a Worker is counted by its zone, and a forged CF-Worker changes nothing', async () => {
    const ask = (from: string, zone: string) => () =>
      anonymous().get('/graphics', { 'cf-connecting-ip': from, 'cf-worker': zone });
    const workers = '2a06:98c0:3600::103';
    const [here, shop, other] = [address(), `${randomUUID()}.example`, `${randomUUID()}.example`];
    expect(await statuses(4, ask(workers, shop))).toEqual([200, 200, 200, 429]);
    expect(await statuses(1, ask(workers, other))).toEqual([200]);
    expect(await statuses(3, ask(here, shop))).toEqual([200, 200, 200]);
    expect(await statuses(1, ask(here, other))).toEqual([429]);
  });

  itInOnePeriod('is limited for /health as well', async () => {
    const init = { headers: from(address()) };
    expect(await statuses(4, () => service.fetch('/health', init))).toEqual([200, 200, 200, 429]);
  });

  it('may send any number of preflights', async () => {
    const headers = { ...from(address()), 'access-control-request-method': 'GET' };
    const preflight = () => service.fetch('/rest/v1/graphics', { method: 'OPTIONS', headers });
    expect(await statuses(2 * limit, preflight)).toEqual(Array(2 * limit).fill(204));
  });
});

it('a service whose limiter fails admits the request, and logs the failure', async () => {
  const broken = await startService({ bindings: { ADDRESS_LIMIT: 'broken', ACCOUNT_LIMIT: 'broken' } });
  const token = await broken.token({ account: randomUUID() });
  expect((await callerOf(broken, broken.publishableKey).get('/graphics')).status).toBe(200);
  expect((await callerOf(broken, broken.publishableKey, token).get('/quotes')).status).toBe(200);
  await expect.poll(() => broken.logs.join()).toContain("event: 'rate limit'");
  await broken.stop();
});
