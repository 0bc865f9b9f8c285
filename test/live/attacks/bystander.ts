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
 * within a minute counts as refused.
 */
export interface Waits {
  /** From the response to a write until its page was sent the change. */
  informed: number;
  /** From opening a socket until its join was accepted. */
  joined: number;
  /** For a read or a write over REST. */
  rest: number;
  health: number;
}

const every = 250;
const patience = 60_000;
const headers = { 'cf-connecting-ip': '198.51.100.7' };

export class Bystander {
  readonly waits: Waits = { informed: 0, joined: 0, rest: 0, health: 0 };
  /** Counts of what was refused or failed. */
  readonly refusals: Record<string, number> = {};
  readonly #service: Service;
  /** The id of its workerd. */
  readonly #worker: number;
  readonly #account = randomUUID();
  readonly #informed = new Map<string, () => void>();
  #token = '';
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
    const page = await Wire.listen(service, bystander.#token, { bindings: [all, allQuotes], headers });
    page.socket.on('message', () => {
      const { body, company } = page.messages.at(-1)?.payload?.data?.record ?? {};
      bystander.#informed.get(body ?? company)?.();
    });
    bystander.#running = bystander.#act(page);
    return bystander;
  }

  /** Begins nothing more, and resolves when it knows how everything went. */
  async stop(): Promise<this> {
    this.#isStopped = true;
    await this.#running;
    return this;
  }

  async #act(page: Wire): Promise<void> {
    const underWay: Promise<unknown>[] = [];
    for (let n = 0; !this.#isStopped; n++) {
      underWay.push(
        this.#write(n),
        this.#time('joined', () => this.#join()),
        this.#request('/rest/v1/quotes?select=id,status&limit=5', 'rest'),
        this.#request('/health', 'health'),
      );
      if (n % 40 === 39) {
        page.send('phoenix', 'heartbeat', {});
      }
      await sleep(every);
    }
    await Promise.all(underWay);
    for (const error of [...page.errors, ...(page.closed ? [`closed: ${page.closed.reason}`] : [])]) {
      this.#refused(error);
    }
    page.close();
  }

  /** Writes past the service, and by a request. */
  async #write(n: number): Promise<void> {
    const name = randomUUID();
    const informed = new Promise<void>(resolve => this.#informed.set(name, resolve));
    const { sql } = this.#service;
    if (n % 2 === 0) {
      await sql`insert into builder.notifications ${sql(aNotification(this.#account, { body: name }))}`;
    } else if (!(await this.#request('/rest/v1/quotes', 'rest', aQuote(this.#account, { company: name })))) {
      return;
    }
    await this.#time('informed', () => informed);
  }

  async #join(): Promise<void> {
    const wire = await Wire.open(this.#service, { headers });
    const joined = await Promise.race([
      wire.join('new page', [all], this.#token),
      once(wire.socket, 'close'),
    ]);
    wire.close();
    if (joined.status !== 'ok') {
      throw new Error(joined.response?.reason ?? 'closed');
    }
  }

  async #request(path: string, of: 'rest' | 'health', body?: object): Promise<boolean> {
    const init = {
      method: body ? 'POST' : 'GET',
      headers: { ...this.#service.headers(this.#token), ...headers, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    };
    return this.#time(of, async () => {
      // A connection that was open before may have ended while the request was written: it is sent again, within its time.
      const response = await this.#service.fetch(path, init).catch(() => this.#service.fetch(path, init));
      await response.arrayBuffer();
      if (!response.ok) {
        throw new Error(`${path.split('?')[0]} ${response.status}`);
      }
    });
  }

  /** Notes how long something takes, or why it failed. Resolves to whether it succeeded. */
  async #time(what: keyof Waits, work: () => Promise<unknown>): Promise<boolean> {
    const now = () => performance.now() - waitedForCpu(this.#worker) - waitedForCpu(process.pid);
    const since = now();
    const late = sleep(patience, undefined, { ref: false }).then(() => Promise.reject(new Error('late')));
    const isDone = await Promise.race([work(), late]).then(
      () => true,
      (error: Error) => {
        this.#refused(`${what}: ${error.message}`);
        return false;
      },
    );
    this.waits[what] = Math.max(this.waits[what], Math.round(now() - since));
    return isDone;
  }

  #refused(why: string): void {
    this.refusals[why] = (this.refusals[why] ?? 0) + 1;
  }
}
