/**
 * `npm run smoke -- <url>`: sends requests to a running deployment, and stops at the first wrong response. Reads
 * PUBLISHABLE_KEY and, for the requests of a customer, TOKEN, an access token. With SECRET_KEY too it writes a notification,
 * sees that the customer is told of it, and deletes it.
 */
import { decodeJwt } from 'jose';
import { exitWith, Problem } from './problem.ts';
import { type Check, customerChecks, publicChecks, type SmokeResponse } from './smoke/checks.ts';
import { tryLive } from './smoke/live.ts';

const usage = 'Usage: PUBLISHABLE_KEY=… [TOKEN=…] [SECRET_KEY=…] npm run smoke -- <url>';
/** Milliseconds to wait for a response. */
const timeout = 15_000;
/** Characters of a wrong response's body that are printed. */
const bodyLimit = 500;

function readUrl(args: string[]): string {
  const [address, ...more] = args;
  if (address === undefined || more.length > 0 || !/^https?:\/\/[^/]/.test(address)) {
    throw new Problem(`The address of a deployment is needed. ${usage}`);
  }
  return address.replace(/\/+$/, '');
}

function readChecks({ PUBLISHABLE_KEY: key, TOKEN: token }: NodeJS.ProcessEnv): Check[] {
  if (!key) {
    throw new Problem(`PUBLISHABLE_KEY is not set. ${usage}`);
  }
  return [...publicChecks(key), ...(token ? customerChecks(key, token, accountOf(token)) : [])];
}

function accountOf(token: string): string {
  try {
    return String(decodeJwt(token).sub);
  } catch {
    throw new Problem(`TOKEN is not an access token. ${usage}`);
  }
}

/** Runs a check and prints its line. Throws a Problem when the response is not the expected one. */
async function run({ name, path, init, expected, holds }: Check, url: string): Promise<void> {
  const started = performance.now();
  const response = await send(`${url}${path}`, init);
  const milliseconds = Math.round(performance.now() - started);
  if (typeof response === 'string' || !holds(response)) {
    throw new Problem(
      `✗ ${name}\n  ${init?.method ?? 'GET'} ${path}\n  expected  ${expected}\n  received  ${describe(response)}`,
    );
  }
  console.log(`✓ ${name.padEnd(36)} ${response.status} ${String(milliseconds).padStart(6)} ms`);
}

/** Live updates, as the customer of the token; without one nobody listens. */
async function runLive(
  url: string,
  { PUBLISHABLE_KEY, TOKEN, SECRET_KEY }: NodeJS.ProcessEnv,
): Promise<void> {
  if (!TOKEN) {
    console.log('– live updates                       not tried: TOKEN is not set');
    return;
  }
  const account = accountOf(TOKEN);
  const keys = { publishableKey: PUBLISHABLE_KEY ?? '', token: TOKEN, secretKey: SECRET_KEY || undefined };
  try {
    for await (const name of tryLive({ url, account, timeout, ...keys })) {
      console.log(`✓ ${name}`);
    }
  } catch (error) {
    throw new Problem(`✗ live updates\n  ${(error as Error).message}`);
  }
  if (!SECRET_KEY) {
    console.log('– a change is told                   not tried: SECRET_KEY is not set');
  }
}

/** The response, or the reason why there is none. */
async function send(url: string, init?: RequestInit): Promise<SmokeResponse | string> {
  try {
    const response = await fetch(url, { redirect: 'manual', ...init, signal: AbortSignal.timeout(timeout) });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parsed(text) };
  } catch (error) {
    const { message, cause } = error as Error;
    return `no response: ${(cause as Error | undefined)?.message || message}`;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function describe(response: SmokeResponse | string): string {
  if (typeof response === 'string') {
    return response;
  }
  const headers = [...response.headers].filter(([name]) => /^(access-control-allow|preference)/.test(name));
  const headerLines = headers.map(([name, value]) => `\n            ${name}: ${value}`).join('');
  return `${response.status} ${JSON.stringify(response.body).slice(0, bodyLimit)}${headerLines}`;
}

try {
  const url = readUrl(process.argv.slice(2));
  for (const check of readChecks(process.env)) {
    await run(check, url);
  }
  await runLive(url, process.env);
} catch (error) {
  exitWith(error);
}
