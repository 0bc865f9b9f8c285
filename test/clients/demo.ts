/** The page `/demo` in a real browser, with the service and the users that it is for. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { createAccessToken } from '../../functions/local/access-token.ts';
import { type DemoFiles, serveDemoFiles } from '../../functions/local/demo-files.ts';
import { findings, show, views } from '../setup/axe.ts';
import { startChromium, type Tab } from '../setup/chromium.ts';
import { aGraphic, aNotification, aQuote } from '../setup/rows.ts';
import { type ServiceOptions, startService } from '../setup/service.ts';
import { callerOf } from '../setup/wire.ts';

export type Demo = Awaited<ReturnType<typeof startDemo>>;

/** Opens the page, with the graphics Tiger head and Main logo, white, and waits until it has read. */
export async function startDemo(options: ServiceOptions = {}) {
  const jwtSecret = randomUUID();
  const account = randomUUID();
  const [customer, token] = await Promise.all([
    createAccessToken(jwtSecret, { account }),
    createAccessToken(jwtSecret, { account: randomUUID(), staff: true }),
  ]);
  const files = await serveDemoFiles();
  const tokens = { DEMO_TOKEN: customer, DEMO_STAFF_TOKEN: token };
  const bindings = { ...tokens, JWT_SECRET: jwtSecret };
  const [service, chromium] = await Promise.all([
    startService({ ...options, worker: 'all', bindings: { ...bindings, ...options.bindings } }),
    startChromium(),
  ]);
  const staff = callerOf(service, service.secretKey);
  await staff.send('POST', '/graphics', graphicsOf(files));
  const tab = await chromium.open(`${service.url}/demo`);
  const { page } = tab;
  await page.getByText('Design your first uniform').waitFor();
  return {
    service,
    chromium,
    tab,
    page,
    /** The customer's account. */
    account,
    /** The secret key's holder, who may do what staff do. */
    staff,
    /** Waits until the text of an element is this. */
    shows: (selector: string, text: string | RegExp): Promise<void> =>
      expect.poll(() => page.textContent(selector), { timeout: 60_000 }).toMatch(text),
    press: (name: string | RegExp) => page.getByRole('button', { name, exact: true }).click(),
    /** Presses the button of the dialog that asks. */
    confirm: (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click(),
    /** Follows a link of the staff's side. */
    go: (place: string) => page.evaluate(`location.hash = '#staff?${place}'`),
    /** Returns a property of the element that has the focus. */
    focused: (property: string) => page.evaluate<string>(`document.activeElement.${property}`),
    async notify(body: string, more: object = {}): Promise<void> {
      await staff.send('POST', '/notifications', aNotification(account, { body, ...more }));
    },
    /** Stores a quote of the customer as an import does, of which nobody is notified, and returns its id. */
    async insert(quote: object): Promise<string> {
      const row = aQuote(account, { source: 'csv_import', ...quote });
      const [stored] = await service.sql`insert into builder.quotes ${service.sql(row)} returning id`;
      return stored?.['id'];
    },
    async stop(): Promise<void> {
      await Promise.all([service.stop(), chromium.stop(), files.stop()]);
    },
  };
}

/**
 * Expects that what is shown fits, in the light and in the dark, wide and narrow; and that Axe finds nothing in the light on a
 * wide page, and in the dark on a narrow one.
 */
export async function expectToFit({ page }: Tab): Promise<void> {
  // The layout changes at 640, 960 and 1024 pixels.
  for (const view of views) {
    await show(page, view);
    expect({ ...view, width: await page.evaluate('document.documentElement.scrollWidth') }).toEqual(view);
    if ((view.colorScheme === 'light') === view.width > 1000) {
      expect({ ...view, findings: await findings(page) }).toEqual({ ...view, findings: [] });
    }
  }
}

const graphicsOf = ({ address }: DemoFiles): object[] => [
  aGraphic({
    name: 'Tiger head',
    code: 'TIGER-HEAD',
    file_url: `${address}tiger-head.svg`,
    tags: ['mascot'],
    sort_order: 1,
    is_active: true,
  }),
  aGraphic({
    name: 'Main logo, white',
    code: 'MAIN-LOGO-WHITE',
    file_url: `${address}main-logo-white.svg`,
    tags: ['logo', 'dark'],
    sort_order: 2,
    is_active: true,
  }),
];
