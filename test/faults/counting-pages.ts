/** Pages of an account that count what they are told, one of each version of the client or of some of them. */
import type { Sql } from 'postgres';
import { returningVersions } from '../live/realtime-clients.ts';
import { sample } from '../setup/full-size.ts';
import { CountingListener, type ListenerOptions } from './counting-listener.ts';
import { readRows } from './noted-rows.ts';

export class CountingPages {
  readonly #all: CountingListener[] = [];

  /** Resolves when each has read its rows for the first time, with this connection. */
  async open(service: ListenerOptions['service'], account: string, sql: Sql): Promise<CountingListener[]> {
    const read = () => readRows(sql, account);
    const pages = await Promise.all(
      sample(1, returningVersions).map(client => CountingListener.open({ service, account, client, read })),
    );
    this.#all.push(...pages);
    return pages;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#all.splice(0).map(page => page.stop()));
  }
}
