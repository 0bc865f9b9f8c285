/**
 * The pool under load and after idle times: every request gets its own response.
 *
 * @module-tag full
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { collections } from '../../schema/collections.ts';
import { mapAtOnce } from '../setup/map-at-once.ts';
import { aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { callerOf, representation } from '../setup/wire.ts';

interface Customer {
  headers: Record<string, string>;
  /** The response body of a request for its quotes. */
  quotes: string;
}

const service = useService({ worker: 'all' });
let customers: Customer[];
beforeAll(async () => {
  customers = await Promise.all([newCustomer(), newCustomer()]);
});

async function newCustomer(): Promise<Customer> {
  const account = randomUUID();
  const token = await service.token({ account });
  const customer = callerOf(service, service.publishableKey, token);
  await customer.send('POST', '/quotes?select=id', aQuote(account), representation);
  return { headers: service.headers(token), quotes: (await customer.get('/quotes')).text };
}

it.each(collections)('the worker of everything, over the pool, has the collection $name', async ({
  name,
}) => {
  expect((await callerOf(service, service.secretKey).get(`/${name}?limit=1`)).status).toBe(200);
});

/** Requests that nobody waits for, until one that somebody waits for has had its turn behind them. */
const atOnce = 20;

/** Sends requests and hangs up before their responses can arrive, until stopped. */
function hangUpRepeatedly({ headers }: Customer): { stop(): Promise<void>; times(): number } {
  let times = 0;
  let stopped = false;
  const ask = (signal?: AbortSignal) =>
    service.fetch('/rest/v1/quotes', { headers, ...(signal && { signal }) });
  const running = (async () => {
    while (!stopped) {
      for (let n = 0; n < atOnce; n++) {
        ask(AbortSignal.timeout(times % 5)).catch(() => {});
        times += 1;
        await sleep(5);
      }
      await (await ask()).text();
    }
  })();
  return {
    times: () => times,
    async stop() {
      stopped = true;
      await running;
    },
  };
}

/** Requests of each customer. */
const amount = 250;

it('answers each of hundreds of requests with its own rows while other clients hang up', async () => {
  const hangingUp = hangUpRepeatedly(customers[0] as Customer);
  onTestFinished(hangingUp.stop);
  const asking = customers.map(async ({ headers, quotes }) => {
    const texts = await mapAtOnce(Array(amount).fill(headers), 8, async headers =>
      (await service.fetch('/rest/v1/quotes', { headers })).text(),
    );
    return texts.filter(text => text !== quotes);
  });
  expect(await Promise.all(asking)).toEqual([[], []]);
  expect(hangingUp.times()).toBeGreaterThan(2 * atOnce);
});

it('answers after a pause that is longer than an uncalled object lives', async () => {
  const [{ headers, quotes }] = customers as [Customer];
  for (const milliseconds of [11_000, 3000]) {
    await sleep(milliseconds);
    const response = await service.fetch('/rest/v1/quotes', { headers });
    expect(await response.text()).toBe(quotes);
  }
});
