/** Another account, which attacks nobody: a page that listens, writes, new pages that join, and reads. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitedForCpu } from '../../costs/processes.ts';
import { aNotification, aQuote } from '../../setup/rows.ts';
import type { Service } from '../../setup/service.ts';
import { all, allQuotes, Wire } from '../wire.ts';

/**
 * The longest times in milliseconds, less those in which the worker or this process waited for a CPU. What did not happen
 * within a minute counts as a minute, and as refused.
 */
export interface Waits {
  /** From the response to a write until its page was sent the change. */
  informed: number;
  /** From opening a socket until its join was accepted. */
  joined: number;
  /** For a read or a write over REST. */
  rest: number;
  health: number;
  /** Counts of what was refused or failed. */
  refusals: Record<string, number>;
}

const every = 250;
const patience = 60_000;
const heartbeatEvery = 10_000;
const headers = { 'cf-connecting-ip': '198.51.100.7' };

export class Bystander {
  readonly #service: Service;
  /** The id of its workerd. */
  readonly #worker: number;
  readonly #account = randomUUID();
  readonly #waits: Waits = { informed: 0, joined: 0, rest: 0, health: 0, refusals: {} };
  readonly #heard = new Map<string, () => void>();
  readonly #underWay: Promise<unknown>[] = [];
  #token = '';
  #page: Wire | undefined;
  #isStopped = false;
  #running: Promise<unknown> = Promise.resolve();

  private constructor(service: Service, worker: number) {
    this.#service = service;
    this.#worker = worker;
  }

  /** Resolves when its page listens. */
  static async start(service: Service, worker: number): Promise<Bystander> {
    const bystander = new Bystander(service, worker);
    bystander.#token = await service.token({ account: bystander.#account });
    await bystander.#openPage();
    bystander.#running = Promise.all([bystander.#act(), bystander.#beat()]);
    return bystander;
  }

  /** Begins nothing more, and resolves when it knows how everything went. */
  async stop(): Promise<Waits> {
    this.#isStopped = true;
    await Promise.all(this.#underWay);
    await this.#running;
    this.#page?.close();
    return this.#waits;
  }

  async #act(): Promise<void> {
    for (let n = 0; !this.#isStopped; n++) {
      this.#underWay.push(this.#write(n), this.#join(), this.#read(), this.#askForHealth());
      await sleep(every);
    }
  }

  async #beat(): Promise<void> {
    for (let n = 1; !this.#isStopped; n++) {
      await sleep(every);
      if ((n * every) % heartbeatEvery === 0) {
        this.#page?.send('phoenix', 'heartbeat', {});
      }
    }
  }

  /** Opens the page that listens, which reconnects as every client does. */
  async #openPage(): Promise<void> {
    try {
      const page = await Wire.open(this.#service, { headers });
      this.#page = page;
      page.socket.on('message', () => this.#hear(page));
      page.socket.on('close', (code, reason) => this.#reopen(`page closed: ${code} ${reason}`));
      const { status } = await page.join('page', [all, allQuotes], this.#token);
      if (status !== 'ok') {
        page.close();
      }
    } catch (error) {
      await this.#reopen(`page refused: ${(error as Error).message}`);
    }
  }

  async #reopen(why: string): Promise<void> {
    if (!this.#isStopped) {
      this.#refused(why);
      await sleep(1000);
      await this.#openPage();
    }
  }

  #hear(page: Wire): void {
    const message = page.messages.at(-1);
    const { body, company } = message?.payload?.data?.record ?? {};
    this.#heard.get(body ?? company)?.();
    if (message?.event === 'phx_error') {
      page.close();
    }
  }

  async #write(n: number): Promise<void> {
    const name = randomUUID();
    const heard = new Promise<void>(resolve => this.#heard.set(name, resolve));
    if (n % 2 === 0) {
      const { sql } = this.#service;
      await sql`insert into builder.notifications ${sql(aNotification(this.#account, { body: name }))}`;
    } else {
      const quote = aQuote(this.#account, { company: name });
      if (!(await this.#request('/rest/v1/quotes', 201, 'rest', quote))) {
        return;
      }
    }
    const since = this.#now();
    const timer = setTimeout(() => {
      this.#refused('not informed');
      this.#heard.get(name)?.();
    }, patience);
    await heard;
    clearTimeout(timer);
    this.#note('informed', since);
  }

  async #join(): Promise<void> {
    const since = this.#now();
    try {
      const wire = await Wire.open(this.#service, { headers });
      const joined = await Promise.race([
        wire.join('new page', [all], this.#token),
        once(wire.socket, 'close'),
      ]);
      if (joined.status !== 'ok') {
        this.#refused(`join: ${joined.response?.reason ?? 'closed'}`);
      }
      wire.close();
    } catch (error) {
      this.#refused(`socket: ${(error as Error).message}`);
    }
    this.#note('joined', since);
  }

  #read = () => this.#request('/rest/v1/quotes?select=id,status&limit=5', 200, 'rest');
  #askForHealth = () => this.#request('/health', 200, 'health');

  async #request(path: string, expected: number, of: 'rest' | 'health', body?: object): Promise<boolean> {
    const since = this.#now();
    const init = {
      method: body ? 'POST' : 'GET',
      headers: {
        ...(path !== '/health' && this.#service.headers(this.#token)),
        ...headers,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(patience),
    };
    // A connection that was open before may have ended while the request was written: it is sent again, within its time.
    const status = await this.#service
      .fetch(path, init)
      .catch(() => this.#service.fetch(path, init))
      .then(
        async response => {
          await response.arrayBuffer();
          return response.status;
        },
        (error: Error) => error.name,
      );
    this.#note(of, since);
    if (status !== expected) {
      this.#refused(`${path.split('?')[0]} ${status}`);
    }
    return status === expected;
  }

  #now(): number {
    return performance.now() - waitedForCpu(this.#worker) - waitedForCpu(process.pid);
  }

  #note(what: Exclude<keyof Waits, 'refusals'>, since: number): void {
    this.#waits[what] = Math.max(this.#waits[what], Math.round(this.#now() - since));
  }

  #refused(what: string): void {
    this.#waits.refusals[what] = (this.#waits.refusals[what] ?? 0) + 1;
  }
}
