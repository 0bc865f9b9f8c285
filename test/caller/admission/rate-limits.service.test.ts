/** Rate limits, as workerd's own rate limiter counts: for each worker. On Cloudflare they share the counts of a namespace. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { all, Wire } from '../../live/wire.ts';
import { aQuote } from '../../setup/rows.ts';
import { startService, useService } from '../../setup/service.ts';
import { type Caller, callerOf, type Reply, signIn } from '../../setup/wire.ts';

/** Requests in ten seconds, for both limits. */
const limit = 3;
/** Some of so many are refused, whenever the counters are reset: for none to be, a machine would take over a minute for them. */
const many = 24;
const service = useService({ rateLimits: { ACCOUNT_LIMIT: limit, ADDRESS_LIMIT: limit } });

/** An address that no other test uses. */
const address = () => `192.0.2.${randomUUID()}`;
const from = (address: string) => ({ 'cf-connecting-ip': address });
const anonymous = () => callerOf(service, service.publishableKey);
const secret = () => callerOf(service, service.secretKey);
const signedIn = (account = randomUUID()): Promise<Caller> => signIn(service, { account });

const atOnce = <R>(times: number, ask: () => Promise<R>): Promise<R[]> =>
  Promise.all(Array.from({ length: times }, ask));
const statuses = async (times: number, ask: () => Promise<{ status: number }>) =>
  new Set((await atOnce(times, ask)).map(({ status }) => status));

function expectRefused({ status, headers, body }: Reply): void {
  expect([status, body.code, headers.get('retry-after')]).toEqual([429, 'PT429', '10']);
  expect(body.hint).toContain('Wait 10 seconds');
}

/** Expects that some of many requests are refused, and the others have a status. Resolves to the number of these. */
async function expectLimited(ask: () => Promise<Reply>, status = 200): Promise<number> {
  const replies = await atOnce(many, ask);
  const others = replies.filter(reply => reply.status === status);
  const refused = replies.filter(reply => reply.status !== status);
  expect(refused.length).toBeGreaterThan(0);
  refused.forEach(expectRefused);
  return others.length;
}

describe('an account above its rate limit', () => {
  it('gets a 429 with Retry-After from every address and for every request, and no other account does', async () => {
    const [greedy, other] = [await signedIn(), await signedIn()];
    const here = from(address());
    await expectLimited(() => greedy.get('/quotes', from(address())));
    expect(await statuses(many, () => greedy.get('/quote_offers', here))).toContain(429);
    const next = () => greedy.send('POST', '/rpc/next_quote_number', {}, from(address()));
    expect(await statuses(many, next)).toContain(429);
    expect((await other.get('/quotes', here)).status).toBe(200);
    expect(await statuses(limit, () => anonymous().get('/graphics', here))).toEqual(new Set([200]));
  });

  it('is refused before its body is read, which is logged, and writes nothing', async () => {
    const account = randomUUID();
    const greedy = await signedIn(account);
    const written = await expectLimited(() => greedy.send('POST', '/quotes', aQuote(account)), 201);
    const logged = /"status":429,"failed":0,"caller":"customer".*"code":"PT429","reason":"RATE_LIMIT"/;
    await expect.poll(() => service.logs.some(line => logged.test(line))).toBe(true);
    expect(await statuses(many, () => greedy.send('POST', '/quotes', '{"no": json'))).toContain(429);
    const rows = await service.sql`select id from builder.quotes where account_id = ${account}`;
    expect(rows).toHaveLength(written);
  });
});

describe('an address of callers who are not signed in', () => {
  it('has its own counters, one for the publishable and one for the secret key', async () => {
    const here = from(address());
    await expectLimited(() => anonymous().get('/graphics', here));
    await expectLimited(() => secret().get('/quotes', here));
    expect((await anonymous().get('/graphics', from(address()))).status).toBe(200);
    expect((await (await signedIn()).get('/quotes', here)).status).toBe(200);
  });

  it('that guesses keys is soon refused with the right key too', async () => {
    const here = from(address());
    const alone = callerOf(service, service.publishableKey, null);
    const guess = () => alone.get('/graphics', { ...here, apikey: 'sb_secret_guess' });
    // So often the right key alone would not be refused.
    const tried: number[] = [];
    while (tried.at(-1) !== 429 && tried.length < limit) {
      await expectLimited(guess, 401);
      tried.push((await secret().get('/graphics', here)).status);
    }
    expect(tried.at(-1)).toBe(429);
    expect((await anonymous().get('/graphics', here)).status).toBe(200);
  });

  it('that guesses access tokens on sockets is refused there too', async () => {
    // One that has joined a channel is not closed for further tokens.
    const wire = await Wire.listen(service, await service.token({ account: randomUUID() }), {
      headers: from(address()),
    });
    const joins = await atOnce(many, () => wire.join('y', [all], 'a.b.c'));
    const reasons = joins.map(({ response }) => response.reason.split(':')[0]);
    wire.close();
    expect(new Set(reasons)).toEqual(new Set(['PGRST301', 'PT429']));
  });

  it('of a Worker is counted by its zone, and a forged CF-Worker changes nothing', async () => {
    const zone = () => `${randomUUID()}.example`;
    const ask = (from: string, zone: string) =>
      anonymous().get('/graphics', { 'cf-connecting-ip': from, 'cf-worker': zone });
    const [workers, here, shop] = ['2a06:98c0:3600::103', address(), zone()];
    await expectLimited(() => ask(workers, shop));
    expect(await statuses(2 * limit, () => ask(workers, zone()))).toEqual(new Set([200]));
    await expectLimited(() => ask(here, zone()));
  });

  it('is limited for /health as well, and may send any number of preflights', async () => {
    const headers = from(address());
    expect(await statuses(many, () => service.fetch('/health', { headers }))).toEqual(new Set([200, 429]));
    const preflight = { method: 'OPTIONS', headers: { ...headers, 'access-control-request-method': 'GET' } };
    expect(await statuses(many, () => service.fetch('/rest/v1/graphics', preflight))).toEqual(new Set([204]));
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
