/**
 * The runbook's rotation of keys, while pages work: the list `<new>,<old>`, then the pages get the new key, then the new one
 * alone. A restart stands for the deployment of a secret; what is in flight while it restarts is sent again.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { signAccount } from '../../functions/delivery/unsubscribe.ts';
import { allQuotes, Wire } from '../live/wire.ts';
import { aQuote } from '../setup/rows.ts';
import { type Service, useService } from '../setup/service.ts';
import { type Caller, callerOf } from '../setup/wire.ts';

const service = useService();

type Keys = Record<'PUBLISHABLE_KEY' | 'SECRET_KEY' | 'READ_KEY', string>;
const variables = ['PUBLISHABLE_KEY', 'SECRET_KEY', 'READ_KEY'] as const;
const keysBy = (make: (variable: keyof Keys) => string): Keys =>
  Object.fromEntries(variables.map(variable => [variable, make(variable)])) as Keys;

/** What a page, or a program on a server, does again and again with its key. */
class Page {
  rounds = 0;
  /** What it was answered that is no success, but for what was cut off by a restart. */
  readonly refusals: string[] = [];
  readonly #account = randomUUID();
  readonly #variable: keyof Keys;
  #keys: Keys;
  #wire: Wire | undefined;
  #isOpen = true;

  constructor(variable: keyof Keys, keys: Keys) {
    this.#variable = variable;
    this.#keys = keys;
  }

  /** Loads the page with other keys. */
  reload(keys: Keys): void {
    this.#keys = keys;
    this.#wire?.cut();
  }

  close(): void {
    this.#isOpen = false;
    this.#wire?.cut();
  }

  async work(of: Service): Promise<void> {
    const token =
      this.#variable === 'PUBLISHABLE_KEY' ? await of.token({ account: this.#account }) : undefined;
    while (this.#isOpen) {
      const key = this.#keys[this.#variable];
      try {
        await this.#request(callerOf(of, key, token ?? key), token !== undefined);
        await this.#listen(of, key, token);
        this.rounds += 1;
      } catch (error) {
        this.#note(String(error));
      }
      await sleep(50);
    }
  }

  async #request(caller: Caller, writes: boolean): Promise<void> {
    const path = `/quotes?account_id=eq.${this.#account}&select=id,account_id`;
    const written = writes ? [await caller.send('POST', '/quotes', aQuote(this.#account))] : [];
    for (const { status, text } of [...written, await caller.get(path)]) {
      if (status >= 300) {
        this.#note(`${status} ${text}`);
      }
    }
  }

  /** Keeps a socket of a signed-in user, and takes up another when it was closed. */
  async #listen(of: Service, key: string, token: string | undefined): Promise<void> {
    if (token === undefined || this.#wire?.socket.readyState === 1) {
      return;
    }
    this.#wire = await Wire.open(of, { key });
    const { status, response } = await this.#wire.join('x', [allQuotes], token);
    if (status !== 'ok') {
      this.#note(`socket ${response.reason}`);
    }
  }

  /** Notes a refusal. What a restart cuts off is none. */
  #note(refusal: string): void {
    if (!/fetch failed|terminated|ECONN|socket hang up|^503 /.test(refusal)) {
      this.refusals.push(refusal);
    }
  }
}

it('pages and their servers work on while all keys rotate, and the old keys end with the list', {
  timeout: 400_000,
}, async () => {
  const { url, publishableKey, secretKey, readKey } = service;
  const old: Keys = { PUBLISHABLE_KEY: publishableKey, SECRET_KEY: secretKey, READ_KEY: readKey };
  const next = keysBy(variable => `sb_${variable}_${randomBytes(16).toString('hex')}`);
  const account = randomUUID();
  const link = `${url}/unsubscribe/${await signAccount(secretKey, account)}`;
  const pages = Array.from(
    { length: 16 },
    (_, index) => new Page(index < 12 ? 'PUBLISHABLE_KEY' : index < 14 ? 'SECRET_KEY' : 'READ_KEY', old),
  );
  onTestFinished(() => pages.forEach(page => void page.close()));
  const working = pages.map(page => page.work(service));
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
  for (const page of pages) {
    page.close();
  }
  await Promise.all(working);
  expect(pages.flatMap(({ refusals }) => refusals)).toEqual([]);

  for (const variable of variables) {
    expect((await callerOf(service, old[variable]).get('/graphics')).status).toBe(401);
    expect((await callerOf(service, next[variable]).get('/graphics')).status).toBe(200);
  }
  await expect(Wire.open(service, { key: old.PUBLISHABLE_KEY })).rejects.toThrow('401');
  expect((await fetch(link)).status).toBe(404);
});
