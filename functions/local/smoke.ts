/**
 * `npm run smoke -- <url>`: asks a running deployment what any deployment must answer, and stops at the first wrong
 * answer. Reads PUBLISHABLE_KEY, and TOKEN, a customer's access token, for what customers do.
 */
import { decodeJwt } from 'jose';
import { exitWith, Problem } from './problem.ts';
import { type Check, customerChecks, publicChecks, type Reply } from './smoke/checks.ts';

const usage = 'Usage: PUBLISHABLE_KEY=… [TOKEN=…] npm run smoke -- <url>';
/** Milliseconds for an answer. */
const patience = 15_000;
/** Characters shown of a wrong answer's body. */
const shown = 500;

function readUrl(args: string[]): string {
  const [address, ...more] = args;
  if (address === undefined || more.length > 0 || !/^https?:\/\/[^/]/.test(address)) {
    throw new Problem(`One address of a deployment is needed. ${usage}`);
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

/** Prints a line; throws a Problem when the answer is not the one expected. */
async function run({ name, path, init, expected, holds }: Check, url: string): Promise<void> {
  const started = performance.now();
  const reply = await ask(`${url}${path}`, init);
  const milliseconds = Math.round(performance.now() - started);
  if (typeof reply === 'string' || !holds(reply)) {
    throw new Problem(
      `✗ ${name}\n  ${init?.method ?? 'GET'} ${path}\n  expected  ${expected}\n  came      ${describe(reply)}`,
    );
  }
  console.log(`✓ ${name.padEnd(36)} ${reply.status} ${String(milliseconds).padStart(6)} ms`);
}

/** The answer, or why there is none. */
async function ask(url: string, init?: RequestInit): Promise<Reply | string> {
  try {
    const response = await fetch(url, { redirect: 'manual', ...init, signal: AbortSignal.timeout(patience) });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parsed(text) };
  } catch (error) {
    const { message, cause } = error as Error;
    return `no answer: ${(cause as Error | undefined)?.message || message}`;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function describe(reply: Reply | string): string {
  if (typeof reply === 'string') {
    return reply;
  }
  const headers = [...reply.headers].filter(([name]) => /^(access-control-allow|preference)/.test(name));
  const told = headers.map(([name, value]) => `\n            ${name}: ${value}`).join('');
  return `${reply.status} ${JSON.stringify(reply.body).slice(0, shown)}${told}`;
}

try {
  const url = readUrl(process.argv.slice(2));
  for (const check of readChecks(process.env)) {
    await run(check, url);
  }
} catch (error) {
  exitWith(error);
}
