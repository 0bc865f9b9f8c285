/** The staff's side of the page `/demo` in a real browser. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { createAccessToken } from '../../functions/local/access-token.ts';
import { type Chromium, startChromium, type Tab } from '../setup/chromium.ts';
import { aQuote } from '../setup/rows.ts';
import { type Service, type ServiceOptions, startService } from '../setup/service.ts';

export interface Desk {
  service: Service;
  chromium: Chromium;
  tab: Tab;
  /** The customer's account. */
  account: string;
  /** Stores quotes as an import does, of which nobody is told, and returns their ids. */
  insert(...quotes: object[]): Promise<string[]>;
  /** Goes to a place of the desk, such as `state=all`. */
  go(place: string): Promise<void>;
  /** Waits until the text of an element is this. */
  shows(selector: string, text: string | RegExp): Promise<void>;
  /** Waits until the list of quotes has these numbers. */
  lists(...numbers: string[]): Promise<void>;
  stop(): Promise<void>;
}

export async function startDesk(options: ServiceOptions = {}): Promise<Desk> {
  const jwtSecret = randomUUID();
  const account = randomUUID();
  const [customer, staff] = await Promise.all([
    createAccessToken(jwtSecret, { account }),
    createAccessToken(jwtSecret, { account: randomUUID(), staff: true }),
  ]);
  const bindings = { JWT_SECRET: jwtSecret, DEMO_TOKEN: customer, DEMO_STAFF_TOKEN: staff };
  const [service, chromium] = await Promise.all([
    startService({ ...options, bindings: { ...bindings, ...options.bindings } }),
    startChromium(),
  ]);
  const tab = await chromium.open(`${service.url}/demo#staff`);
  const { page } = tab;
  const { sql } = service;
  const poll = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 20_000 });
  return {
    ...{ service, chromium, tab, account },
    insert: (...quotes) =>
      Promise.all(
        quotes.map(async quote => {
          const row = aQuote(account, { source: 'csv_import', status: 'submitted', ...quote });
          const [stored] = await sql`insert into builder.quotes ${sql(row)} returning id`;
          return stored?.['id'];
        }),
      ),
    go: async place => void (await page.evaluate(`location.hash = '#staff?${place}'`)),
    shows: (selector, text) => poll(() => page.textContent(selector)).toMatch(text),
    lists: (...numbers) => poll(() => page.locator('.line strong').allTextContents()).toEqual(numbers),
    async stop() {
      await Promise.all([service.stop(), chromium.stop()]);
    },
  };
}
