/** The bundles of `npm run deploy`, beside PostgREST, which pools by itself, and two documented workers over the same PgBouncer. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MiniflareOptions } from 'miniflare';
import { addressOf, instanceOptions, startMiniflare } from '../../functions/local/worker.ts';
import { dryRun } from '../../functions/local/wrangler.ts';
import { workers } from '../../functions/operate/deploy/workers.ts';
import { loginUrl } from '../../sql/login-passwords.ts';
import { idsOf } from '../costs/processes.ts';
import { startLink } from '../faults/link.ts';
import { asHyperdrive, startPgBouncer } from '../setup/deployed/pgbouncer.ts';
import { type Addresses, readWorkers, startWorkers, unreadLog } from '../setup/deployed/workers.ts';
import { measureAtRate } from './at-rate.ts';
import { type Contestant, secret, startPostgrest, tokensOf } from './contestants.ts';
import { customers, interleaved, type Job, jobs } from './jobs.ts';
import type { Database } from './place.ts';
import { measureThroughput, percentile, type Rounds } from './throughput.ts';

interface LatencyResult {
  job: string;
  /** Milliseconds of a round trip between the pooler and Postgres. */
  link: number;
  /** Medians in milliseconds, by server. */
  servers: Record<string, number>;
}

export type DeployedResult = Awaited<ReturnType<typeof measureDeployed>>;

/** Milliseconds of a round trip between the pooler and Postgres. */
const roundTrip = 40;
const documented = fileURLToPath(new URL('documented/', import.meta.url));

export async function measureDeployed(database: Database, rounds: Rounds, only: string) {
  const bundles = join(database.directory, 'bundles');
  const config = join(documented, 'wrangler.toml');
  await Promise.all([
    ...workers.map(env => dryRun(join(bundles, env), env)),
    ...['pg', 'postgres'].map(env => dryRun(join(bundles, env), env, config)),
  ]);
  const compared = jobs.filter(({ name, isDocumented }) => isDocumented && name.includes(only));
  const link = await startLink(database.port, { delay: roundTrip / 2 });
  const latency = await overPooler(database, bundles, link.port, contestants =>
    measureLatency(contestants, compared, roundTrip),
  );
  await link.stop();
  await database.clean();
  const throughput = await overPooler(database, bundles, database.port, async contestants => {
    const postgrest = await startPostgrest(database);
    const all = [...contestants, ...(postgrest ? [postgrest] : [])];
    return measureThroughput(database, all, compared, rounds).finally(() => postgrest?.stop());
  });
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
    jobsUrl: login('builder_jobs'),
  };
  // What Hyperdrive asks of a worker is not known. SCRAM would cost each server, and the pooler, 1 ms of CPU a connection:
  // more than the request itself.
  const settings = { ...asHyperdrive, default_pool_size: 20, auth_type: 'trust' };
  const pooler = await startPgBouncer({ database: addresses, settings });
  const { apiUrl } = addresses;
  const { port: poolerPort } = pooler;
  const contestants = [
    await contestantOf('ours', () => startOurs(bundles, addresses, poolerPort)),
    await contestantOf('pg', () => startDocumented(bundles, 'pg', apiUrl, poolerPort)),
    await contestantOf('postgres.js', () => startDocumented(bundles, 'postgres', apiUrl, poolerPort)),
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
    tokens: await tokensOf(),
    process: workerd,
    stop,
  };
}

const keys = {
  PUBLISHABLE_KEY: `sb_publishable_${randomBytes(16).toString('hex')}`,
  SECRET_KEY: `sb_secret_${randomBytes(16).toString('hex')}`,
  JWT_SECRET: secret,
};

async function startOurs(bundles: string, database: Addresses, hyperdrivePort: number): Promise<Started> {
  // Sixteen customers send more than their accounts may.
  const unlimited = readWorkers(bundles);
  for (const { options } of unlimited) {
    options.ratelimits = {};
  }
  const { urls, stop } = await startWorkers({ workers: unlimited, database, hyperdrivePort, secrets: keys });
  return { url: urls['quotes'] ?? '', stop };
}

async function startDocumented(bundles: string, env: string, apiUrl: string, port: number): Promise<Started> {
  const connectionString = Object.assign(new URL(apiUrl), { port: String(port) }).href;
  const modulesRoot = join(bundles, env);
  const miniflare = await startMiniflare({
    ...instanceOptions(),
    ...unreadLog,
    name: env,
    modulesRoot,
    modules: [{ type: 'ESModule', path: join(modulesRoot, `${env}.js`) }],
    compatibilityDate: '2026-04-01',
    compatibilityFlags: ['nodejs_compat'],
    bindings: { HYPERDRIVE: { connectionString }, JWT_SECRET: secret },
  } as MiniflareOptions);
  return { url: (await addressOf(miniflare)).origin, stop: () => miniflare.dispose() };
}

/** So few a second that none waits for the pooler to reset a connection, which takes another round trip. */
const seldom = 8;
const seconds = 5;

/** Measures how long a request takes when Postgres is some milliseconds away from the pooler: the median. */
async function measureLatency(contestants: Contestant[], jobs: Job[], link: number) {
  const results: LatencyResult[] = [];
  for (const job of jobs) {
    const servers: Record<string, number> = {};
    for (const contestant of contestants) {
      const times = await measureAtRate(contestant, interleaved(job, customers), seldom, seconds);
      servers[contestant.name] = percentile(times, 50);
    }
    const shown = Object.entries(servers).map(([name, time]) => `${name} ${time.toFixed(1)} ms`);
    console.log(`${job.name}, Postgres ${link} ms away: ${shown.join(', ')}`);
    results.push({ job: job.name, link, servers });
  }
  return results;
}
