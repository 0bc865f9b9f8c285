/**
 * The deployment: the bundles that `npm run deploy` uploads, in a current workerd, with a Hyperdrive binding that leads to a
 * PgBouncer; and beside it the two workers of Cloudflare's documentation, over the same pooler.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MiniflareOptions } from 'miniflare';
import { dryRun } from '../../functions/local/bundle-worker.ts';
import { loginUrl } from '../../functions/local/database.ts';
import { workers } from '../../functions/local/deploy/workers.ts';
import { loopback } from '../../functions/local/port.ts';
import { instanceOptions, startMiniflare } from '../../functions/local/worker.ts';
import { idsOf } from '../costs/processes.ts';
import { startLink } from '../faults/link.ts';
import { asHyperdrive, startPgBouncer } from '../faults/pgbouncer.ts';
import { readWorkers, startWorkers, unreadLog, withCurrentWorkerd } from '../split/workers.ts';
import { type Contestant, createToken, secret, tokensOf } from './contestants.ts';
import { jobs } from './jobs.ts';
import { type LatencyResult, measureLatency } from './latency.ts';
import type { Database } from './place.ts';
import { type JobResult, measureThroughput, type Rounds } from './throughput.ts';

export interface DeployedResult {
  latency: LatencyResult[];
  throughput: JobResult[];
}

/** Milliseconds of a round trip between the pooler and Postgres. */
const roundTrip = 40;
const documented = fileURLToPath(new URL('documented/', import.meta.url));

export async function measureDeployed(
  database: Database,
  rounds: Rounds,
  only: string,
): Promise<DeployedResult> {
  const bundles = join(database.directory, 'bundles');
  const config = join(documented, 'wrangler.toml');
  await Promise.all([
    ...workers.map(env => dryRun(join(bundles, env), env)),
    ...['pg', 'postgres'].map(env => dryRun(join(bundles, env), env, config)),
  ]);
  const compared = jobs.filter(({ name, isDocumented }) => isDocumented && name.includes(only));
  const link = await startLink(database.port, roundTrip / 2);
  const latency = await overPooler(database, bundles, link.port, contestants =>
    measureLatency(contestants, compared, roundTrip),
  );
  await link.stop();
  await database.clean();
  const throughput = await overPooler(database, bundles, database.port, contestants =>
    measureThroughput(database, contestants, compared, rounds),
  );
  return { latency, throughput };
}

/** Starts a pooler before Postgres at this port, and what is measured before the pooler. */
async function overPooler<Result>(
  database: Database,
  bundles: string,
  port: number,
  measure: (contestants: Contestant[]) => Promise<Result>,
): Promise<Result> {
  const login = (role: Parameters<typeof loginUrl>[1]) =>
    loginUrl(database.ownerUrl, role, database.loginPassword);
  const addresses = {
    ownerUrl: Object.assign(new URL(database.ownerUrl), { port: String(port) }).href,
    apiUrl: login('builder_api'),
    sweeperUrl: login('builder_sweeper'),
    delivererUrl: login('builder_deliverer'),
  };
  // What Hyperdrive asks of a worker is not known. SCRAM would cost each server, and the pooler, 1 ms of CPU a connection:
  // more than the request itself.
  const settings = { ...asHyperdrive, default_pool_size: 20, auth_type: 'trust' };
  const pooler = await startPgBouncer({ mode: 'transaction', database: addresses, settings });
  const contestants = [
    await contestantOf('ours', () => startOurs(bundles, addresses, pooler.port)),
    await contestantOf('pg', () => startDocumented(bundles, 'pg', addresses.apiUrl, pooler.port)),
    await contestantOf('postgres.js', () =>
      startDocumented(bundles, 'postgres', addresses.apiUrl, pooler.port),
    ),
  ];
  try {
    return await measure(contestants);
  } finally {
    for (const { stop } of contestants) {
      await stop();
    }
    await pooler.remove();
  }
}

interface Started {
  url: string;
  stop(): Promise<void>;
}

async function contestantOf(name: string, start: () => Promise<Started>): Promise<Contestant> {
  const before = idsOf('workerd');
  const { url, stop } = await start();
  const [workerd = 0] = idsOf('workerd').filter(id => !before.includes(id));
  return {
    name,
    url: `${url}/rest/v1`,
    headers: { apikey: keys.PUBLISHABLE_KEY },
    tokens: await tokensOf((account, staff) => createToken({ account, staff })),
    process: workerd,
    stop,
  };
}

const keys = {
  PUBLISHABLE_KEY: `sb_publishable_${randomBytes(16).toString('hex')}`,
  SECRET_KEY: `sb_secret_${randomBytes(16).toString('hex')}`,
  JWT_SECRET: secret,
};

async function startOurs(
  bundles: string,
  database: { apiUrl: string; sweeperUrl: string; delivererUrl: string },
  hyperdrivePort: number,
): Promise<Started> {
  // Sixteen customers send more than their accounts may.
  const unlimited = readWorkers(bundles).map(worker => ({
    ...worker,
    options: { ...worker.options, ratelimits: {} },
  }));
  const { urls, stop } = await startWorkers({ workers: unlimited, database, hyperdrivePort, secrets: keys });
  return { url: urls['quotes'] ?? '', stop };
}

async function startDocumented(
  bundles: string,
  env: string,
  apiUrl: string,
  hyperdrivePort: number,
): Promise<Started> {
  const connectionString = Object.assign(new URL(apiUrl), { port: String(hyperdrivePort) }).href;
  const script = join(bundles, env, `${env}.js`);
  const miniflare = await withCurrentWorkerd(() =>
    startMiniflare({
      ...instanceOptions(),
      ...unreadLog,
      name: env,
      modules: [{ type: 'ESModule', path: script }],
      modulesRoot: join(bundles, env),
      compatibilityDate: '2026-04-01',
      compatibilityFlags: ['nodejs_compat'],
      bindings: { HYPERDRIVE: { connectionString }, JWT_SECRET: secret },
      unsafeDirectSockets: [{ host: loopback, port: 0 }],
    } as MiniflareOptions),
  );
  return { url: (await miniflare.unsafeGetDirectURL(env)).origin, stop: () => miniflare.dispose() };
}
