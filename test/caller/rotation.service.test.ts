/**
 * The runbook's rotation of keys, while pages work: the list `<new>,<old>`, then the pages get the new key, then the new one
 * alone. A restart stands for the deployment of a secret; what is in flight while it restarts is sent again.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { signId } from '../../functions/common/signed-id.ts';
import { unsubscribePurpose } from '../../functions/delivery/unsubscribe.ts';
import { allQuotes, Wire } from '../live/wire.ts';
import { aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { callerOf } from '../setup/wire.ts';

const service = useService();

type Keys = Record<(typeof variables)[number], string>;
const variables = ['PUBLISHABLE_KEY', 'SECRET_KEY', 'READ_KEY'] as const;
const keysBy = (make: (variable: keyof Keys) => string): Keys =>
  Object.fromEntries(variables.map(variable => [variable, make(variable)])) as Keys;

/** Does again and again what a signed-in page does with its key, or a program on a server. */
function startPage(variable: keyof Keys, first: Keys) {
  const account = randomUUID();
  const page = { rounds: 0, refusals: [] as string[], keys: first, isOpen: true };
  let wire: Wire | undefined;
  const note = (refusal: string): void => {
    // What a restart cuts off is none.
    if (!/fetch failed|terminated|ECONN|socket hang up|^503 /.test(refusal)) {
      page.refusals.push(refusal);
    }
  };
  const round = async (): Promise<void> => {
    const key = page.keys[variable];
    const token = variable === 'PUBLISHABLE_KEY' ? await service.token({ account }) : undefined;
    const { get, send } = callerOf(service, key, token ?? key);
    const written = token ? [await send('POST', '/quotes', aQuote(account))] : [];
    const replies = [...written, await get(`/quotes?account_id=eq.${account}&select=id,account_id`)];
    replies
      .filter(({ status }) => status >= 300)
      .forEach(({ status, text }) => void note(`${status} ${text}`));
    if (token && wire?.socket.readyState !== 1) {
      wire = await Wire.open(service, { key });
      const { status, response } = await wire.join('x', [allQuotes], token);
      if (status !== 'ok') {
        note(`socket ${response.reason}`);
      }
    }
    page.rounds += 1;
  };
  const working = (async () => {
    for (; page.isOpen; await sleep(50)) {
      await round().catch(error => note(String(error)));
    }
  })();
  return Object.assign(page, {
    /** Loads the page with other keys. */
    reload(keys: Keys): void {
      page.keys = keys;
      wire?.cut();
    },
    async close(): Promise<void> {
      page.isOpen = false;
      wire?.cut();
      await working;
    },
  });
}

it('pages and their servers work on while all keys rotate, and the old keys end with the list', {
  timeout: 400_000,
}, async () => {
  const { url, publishableKey, secretKey, readKey } = service;
  const old: Keys = { PUBLISHABLE_KEY: publishableKey, SECRET_KEY: secretKey, READ_KEY: readKey };
  const next = keysBy(variable => `sb_${variable}_${randomBytes(16).toString('hex')}`);
  const link = `${url}/unsubscribe/${await signId(secretKey, unsubscribePurpose, randomUUID())}`;
  const pages = [...variables, 'PUBLISHABLE_KEY' as const].map(variable => startPage(variable, old));
  onTestFinished(() => Promise.all(pages.map(page => page.close())).then(() => {}));
  const workOn = async () => {
    const goals = pages.map(page => page.rounds + 3);
    const late = () => pages.filter((page, index) => page.rounds < (goals[index] ?? 0));
    await expect.poll(() => late().length, { timeout: 90_000 }).toBe(0);
  };
  await workOn();

  await service.restart(keysBy(variable => `${next[variable]},${old[variable]}`));
  await workOn();
  expect((await fetch(link)).status).toBe(200);
  for (const page of pages) {
    page.reload(next);
  }
  await workOn();

  await service.restart(next);
  await workOn();
  await Promise.all(pages.map(page => page.close()));
  expect(pages.flatMap(({ refusals }) => refusals)).toEqual([]);

  for (const variable of variables) {
    expect((await callerOf(service, old[variable]).get('/graphics')).status).toBe(401);
    expect((await callerOf(service, next[variable]).get('/graphics')).status).toBe(200);
  }
  await expect(Wire.open(service, { key: old.PUBLISHABLE_KEY })).rejects.toThrow('401');
  expect((await fetch(link)).status).toBe(404);
});
