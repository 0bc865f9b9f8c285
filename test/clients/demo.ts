/** The page `/demo` in a real browser, with the service and the users that it is for. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { createAccessToken } from '../../functions/local/access-token.ts';
import { type DemoFiles, serveDemoFiles } from '../../functions/local/database.ts';
import { type Chromium, startChromium, type Tab } from '../setup/chromium.ts';
import { aGraphic, aNotification } from '../setup/rows.ts';
import { type Service, type ServiceOptions, startService } from '../setup/service.ts';
import { callerOf } from '../setup/wire.ts';

export interface Demo {
  service: Service;
  chromium: Chromium;
  tab: Tab;
  /** The customer's own, and its team's. */
  account: string;
  team: string;
  /** Waits until the text of an element is this. */
  shows(selector: string, text: string | RegExp): Promise<void>;
  notify(account: string, body: string): Promise<void>;
  stop(): Promise<void>;
}

/** Opens the page, with the graphics Tiger head and Main logo, white, and waits until both sides are told. */
export async function startDemo(options: ServiceOptions = {}): Promise<Demo> {
  const jwtSecret = randomUUID();
  const [account, team] = [randomUUID(), randomUUID()];
  const [customer, staff] = await Promise.all([
    createAccessToken(jwtSecret, { account, also: [team] }),
    createAccessToken(jwtSecret, { account: randomUUID(), staff: true }),
  ]);
  const bindings = { JWT_SECRET: jwtSecret, DEMO_TOKEN: customer, DEMO_STAFF_TOKEN: staff };
  const [service, chromium, files] = await Promise.all([
    startService({ ...options, bindings: { ...bindings, ...options.bindings } }),
    startChromium(),
    serveDemoFiles(),
  ]);
  const asStaff = callerOf(service, service.secretKey);
  await asStaff.send('POST', '/graphics', graphicsOf(files));
  const tab = await chromium.open(`${service.url}/demo`);
  const shows = async (selector: string, text: string | RegExp) => {
    await expect.poll(() => tab.page.textContent(selector), { timeout: 20_000 }).toMatch(text);
  };
  await tab.page.waitForSelector('#builder .live.on');
  await tab.page.waitForSelector('#desk .live.on');
  return {
    ...{ service, chromium, tab, account, team, shows },
    async notify(account, body) {
      await asStaff.send('POST', '/notifications', aNotification(account, { body }));
    },
    async stop() {
      await Promise.all([service.stop(), chromium.stop(), files.stop()]);
    },
  };
}

const graphicsOf = ({ address }: DemoFiles): object[] => [
  aGraphic({
    ...{ name: 'Tiger head', code: 'TIGER-HEAD', file_url: `${address}tiger-head.svg`, tags: ['mascot'] },
    ...{ sort_order: 1, is_active: true },
  }),
  aGraphic({
    ...{ name: 'Main logo, white', code: 'MAIN-LOGO-WHITE', file_url: `${address}main-logo-white.svg` },
    ...{ tags: ['logo', 'dark'], sort_order: 2, is_active: true },
  }),
];
