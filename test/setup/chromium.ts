/** The system's Chromium with a fresh profile, which can reach loopback only. All requests are recorded. */
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { pathOf } from './programs.ts';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/** A request that the browser sent, preflights (OPTIONS) included. */
export interface SentRequest {
  url: string;
  method: string;
}

export interface Tab {
  page: Page;
  sent: SentRequest[];
  /** The errors that the page has logged or thrown. */
  problems: string[];
}

/** Starts it headless. */
export async function startChromium() {
  const browser = await chromium.launch({ executablePath: pathOf('chromium'), args: flags });
  const viewport = { width: 1280, height: 900 };
  const context = await browser.newContext({ viewport });
  return {
    open: (url: string) => openTab(context, url),
    /** Opens a tab as somebody in this zone with this language has it. */
    openAs: async (url: string, locale: string, timezoneId: string) =>
      openTab(await browser.newContext({ viewport, locale, timezoneId }), url),
    openWithoutScripts: async (url: string) =>
      openTab(await browser.newContext({ viewport, javaScriptEnabled: false }), url),
    stop: () => browser.close(),
  };
}

async function openTab(context: BrowserContext, url: string): Promise<Tab> {
  // On a busy machine a click can take half a minute.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const tab: Tab = { page, sent: [], problems: [] };
  const session = await context.newCDPSession(page);
  session.on('Network.requestWillBeSent', ({ request }) => {
    tab.sent.push({ url: request.url, method: request.method });
  });
  await session.send('Network.enable');
  page.on('console', message => {
    if (message.type() === 'error') {
      tab.problems.push(message.text());
    }
  });
  page.on('pageerror', error => tab.problems.push(error.message));
  await page.goto(url);
  return tab;
}

/** The hosts other than this machine that a tab sent requests to. */
export const foreignHosts = ({ sent }: Tab): string[] =>
  sent
    .map(({ url }) => new URL(url))
    .filter(({ protocol, hostname }) => protocol !== 'data:' && hostname !== '127.0.0.1')
    .map(({ host }) => host);
