/**
 * `npm run smoke -- <url>`, for whoever has just deployed, and CI: sends requests to a deployment, and stops at the first wrong
 * response, or part of the service that is late. Reads PUBLISHABLE_KEY and, for a customer's requests, TOKEN, an access token. With
 * SECRET_KEY it also writes a notification, checks that the customer receives it live, and deletes it. With `--mail <address>` it
 * sends an e-mail there. Last it says what it did not test.
 */
import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { collections } from '../../schema/collections.ts';
import { endWithReader } from '../../sql/output.ts';
import { exitWith, Problem, parseArguments } from '../local/program.ts';
import { tryHealth } from './smoke/try-health.ts';
import { tryLive } from './smoke/try-live.ts';
import { tryMail } from './smoke/try-mail.ts';

const usage = 'Usage: PUBLISHABLE_KEY=… [TOKEN=…] [SECRET_KEY=…] npm run smoke -- <url> [--mail <address>]';
/** Milliseconds to wait for a response. */
const timeout = 15_000;
/** Milliseconds for the deployment to send an e-mail: a nudge may be lost, and its object looks each minute. */
const mailPatience = 90_000;
/** Characters of a wrong response that are printed. */
const printed = 500;

const { PUBLISHABLE_KEY: key, TOKEN: token, SECRET_KEY: secretKey } = process.env;

function readArguments(): { url: string; mail: string | undefined } {
  const options = { mail: { type: 'string' } } as const;
  const { positionals, values } = parseArguments({ options, allowPositionals: true }, usage);
  const [address = '', ...more] = positionals;
  if (more.length > 0 || !/^https?:\/\/[^/]/.test(address)) {
    throw new Problem(`The URL of a deployment is missing. ${usage}`);
  }
  return { url: address.replace(/\/+$/, ''), mail: values.mail };
}

/** Returns the account of an access token, its `sub`. */
function accountOf(token: string): string {
  try {
    return String(decodeJwt(token).sub);
  } catch {
    throw new Problem(`TOKEN is not an access token. ${usage}`);
  }
}

/** `expected` is the beginning of the response: its status, a space and its body. */
type Check = [name: string, expected: string, path: string, init?: RequestInit];

/** Runs a check and prints its line. Throws a Problem when the response is not the expected one. */
async function run(url: string, [name, expected, path, init]: Check): Promise<void> {
  const received = await send(`${url}${path}`, init);
  if (!received.startsWith(expected)) {
    const lines = [`expected  ${expected}`, `received  ${received.slice(0, printed)}`];
    throw new Problem(`✗ ${name}\n  ${init?.method ?? 'GET'} ${path}\n  ${lines.join('\n  ')}`);
  }
  console.log(`✓ ${name}`);
}

async function send(url: string, init?: RequestInit): Promise<string> {
  try {
    const response = await fetch(url, { redirect: 'manual', ...init, signal: AbortSignal.timeout(timeout) });
    return `${response.status} ${await response.text()}`;
  } catch (error) {
    const { message, cause } = error as Error;
    return `no response: ${(cause as Error | undefined)?.message || message}`;
  }
}

const headersOf = (key: string, bearer: string) => ({ apikey: key, authorization: `Bearer ${bearer}` });

/** Returns the checks of an anonymous caller: every collection is served, and only public ones are readable. */
function publicChecks(key: string): Check[] {
  const init = { headers: headersOf(key, key) };
  const preflight = { origin: 'https://a.example', 'access-control-request-method': 'POST' };
  return [
    ['no one reads without a key', '401 {"code":"PGRST302"', '/rest/v1/graphics?select=id&limit=1'],
    ...collections.map(({ name, primaryKey, columns }): Check => {
      const path = `/rest/v1/${name}?select=${primaryKey}&limit=1`;
      return columns[primaryKey]?.privileges.anon.includes('select')
        ? [`anyone reads ${name}`, '200 [', path, init]
        : [`anonymous callers cannot read ${name}`, '401 {"code":"42501"', path, init];
    }),
    [
      'a page of any origin may send requests',
      '204 ',
      '/rest/v1/quotes',
      { method: 'OPTIONS', headers: preflight },
    ],
  ];
}

/** Returns the checks of a customer, which reads quotes and writes one that is rolled back. */
function customerChecks(key: string, token: string): Check[] {
  const headers = headersOf(key, token);
  const id = randomUUID();
  const ids = { id, account_id: accountOf(token), product_id: id, quote_number: 'QT-0000-00000' };
  const writing = {
    ...headers,
    prefer: 'tx=rollback, return=representation',
    'content-type': 'application/json',
  };
  const body = JSON.stringify({ ...ids, sport: 'smoke test', customization: {} });
  const path = '/rest/v1/quotes?select=id';
  return [
    ['a customer reads its quotes', '200 [', `${path}&limit=5`, { headers }],
    ['a customer writes a draft', '201 [{', path, { method: 'POST', headers: writing, body }],
    ['the draft was rolled back', '200 []', `${path}&id=eq.${id}`, { headers }],
  ];
}

endWithReader();
try {
  const { url, mail } = readArguments();
  if (!key) {
    throw new Problem(`PUBLISHABLE_KEY is not set. ${usage}`);
  }
  await tryHealth(url, timeout);
  for (const check of [...publicChecks(key), ...(token ? customerChecks(key, token) : [])]) {
    await run(url, check);
  }
  const untested: string[] = [];
  if (token) {
    const sees = await tryLive({ url, key, token, account: accountOf(token), secretKey, timeout });
    untested.push(...(sees ? [] : ['live updates of a change, without SECRET_KEY']));
  } else {
    untested.push("a customer's requests, live updates and what verifies tokens, without TOKEN");
  }
  const obstacle = await tryMail({ url, address: mail, secretKey, patience: mailPatience });
  untested.push(...(obstacle ? [`e-mail, ${obstacle}`] : []));
  for (const one of untested) {
    console.log(`– not tested: ${one}`);
  }
} catch (error) {
  exitWith(error);
}
