/** Another account, which attacks nobody: a page that listens, writes, new pages that join, and reads. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitedForCpu } from '../../costs/processes.ts';
import { aNotification, aQuote } from '../../setup/rows.ts';
import type { Service } from '../../setup/service.ts';
import { all, allQuotes, Wire } from '../wire.ts';

/** The longest times in milliseconds, less those in which the worker or this process waited for a CPU. */
interface Waits {
  /** From the response to a write until its page was sent the change. */
  informed: number;
  /** From opening a socket until its join was accepted. */
  joined: number;
  /** For a read or a write over REST. */
  rest: number;
  health: number;
}

interface Noticed {
  waits: Waits;
  /** Counts of what was refused, failed, or did not happen within a minute. */
  refusals: Record<string, number>;
}

const headers = { 'cf-connecting-ip': '198.51.100.7' };

/** Begins to do something four times a second. Resolves to what ends it, and then resolves to how everything went. */
export async function startBystander(service: Service, worker: number): Promise<() => Promise<Noticed>> {
  const waits: Waits = { informed: 0, joined: 0, rest: 0, health: 0 };
  const refusals: Noticed['refusals'] = {};
  const account = randomUUID();
  const token = await service.token({ account });
  const page = await Wire.listen(service, token, { bindings: [all, allQuotes], headers });

  const refused = (why: string): void => {
    refusals[why] = (refusals[why] ?? 0) + 1;
  };

  /** Notes how long something takes, or why it failed. Resolves to whether it succeeded. */
  const time = async (what: keyof Waits, work: () => Promise<unknown>): Promise<boolean> => {
    const now = () => performance.now() - waitedForCpu(worker) - waitedForCpu(process.pid);
    const since = now();
    const late = sleep(60_000, undefined, { ref: false }).then(() => Promise.reject(new Error('late')));
    const failure = await Promise.race([work(), late]).then(
      () => undefined,
      (error: Error) => error,
    );
    if (failure) {
      refused(`${what}: ${failure.message}`);
    }
    waits[what] = Math.max(waits[what], Math.round(now() - since));
    return failure === undefined;
  };

  const request = (path: string, of: 'rest' | 'health', body?: object): Promise<boolean> => {
    const init = {
      method: body ? 'POST' : 'GET',
      headers: { ...service.headers(token), ...headers, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    };
    return time(of, async () => {
      // A connection that was open before may have ended while the request was written: it is sent again, within its time.
      const response = await service.fetch(path, init).catch(() => service.fetch(path, init));
      await response.arrayBuffer();
      if (!response.ok) {
        throw new Error(`${path.split('?')[0]} ${response.status}`);
      }
    });
  };

  /** Writes past the service, and by a request. */
  const write = async (n: number): Promise<void> => {
    const name = randomUUID();
    const { sql } = service;
    if (n % 2 === 0) {
      await sql`insert into builder.notifications ${sql(aNotification(account, { body: name }))}`;
    } else if (!(await request('/rest/v1/quotes', 'rest', aQuote(account, { company: name })))) {
      return;
    }
    await time('informed', () =>
      page.until(({ payload }) =>
        [payload?.data?.record?.body, payload?.data?.record?.company].includes(name),
      ),
    );
  };

  const join = async (): Promise<void> => {
    const wire = await Wire.open(service, { headers });
    const answer = await Promise.race([wire.join('new page', [all], token), once(wire.socket, 'close')]);
    wire.close();
    if (answer.status !== 'ok') {
      throw new Error(answer.response?.reason ?? 'closed');
    }
  };

  let isStopped = false;
  const act = async (): Promise<void> => {
    const underWay: Promise<unknown>[] = [];
    for (let n = 0; !isStopped; n++) {
      underWay.push(write(n), time('joined', join), request('/health', 'health'));
      underWay.push(request('/rest/v1/quotes?select=id,status&limit=5', 'rest'));
      if (n % 40 === 39) {
        page.send('phoenix', 'heartbeat', {});
      }
      await sleep(250);
    }
    await Promise.all(underWay);
    for (const error of [...page.errors, ...(page.closed ? [`closed: ${page.closed.reason}`] : [])]) {
      refused(error);
    }
    page.close();
  };
  const acting = act();
  return async () => {
    isStopped = true;
    await acting;
    return { waits, refusals };
  };
}
