/**
 * Set-up of all service tests: a Postgres with a migrated template database, a PgBouncer before it in place of Hyperdrive, what
 * wrangler.toml says of the workers, and a certificate. Tests get them by `inject`, mostly in startService.
 */
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WorkerOptions } from 'miniflare';
import type { TestProject } from 'vitest/node';
import type { PostgresServer } from '../../functions/local/postgres.ts';
import { readWorkerOptions } from '../../functions/local/worker.ts';
import { loginUrl } from '../../sql/login-passwords.ts';
import { migrate } from '../../sql/migrate.ts';
import { asOwner } from './as-owner.ts';
import { type Certificate, copyCertificate } from './certificate.ts';
import { copyStopped } from './data-directory.ts';
import { restoreBundles } from './deployed/bundles.ts';
import { asHyperdrive, startPgBouncer } from './deployed/pgbouncer.ts';
import { type DeployedWorker, readWorkers } from './deployed/workers.ts';
import { startTestPostgres } from './postgres.ts';
import { missing } from './programs.ts';
import { makeDirectoryInMemory } from './temporary-directory.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: {
      /** The superuser's connection string, for the database `postgres`. */
      ownerUrl: string;
      port: number;
      /** A migrated database without connections. */
      template: string;
      /** The tables that the migrations leave empty. */
      emptyTables: string[];
      /** The password of builder_api and builder_jobs. */
      loginPassword: string;
      /** The data directory of a stopped server with the template and the same passwords, to be copied. */
      directory: string;
    };
    /** The options of wrangler.toml for miniflare, of the worker `all`. */
    all: Partial<WorkerOptions>;
    /** The workers of a deployment. */
    deployed: DeployedWorker[];
    /** The port of the PgBouncer in place of Hyperdrive; 0 where the program is missing. */
    hyperdrivePort: number;
    /** Where the bundles of workers are, once somebody needs them. */
    bundles: string;
    /** For `localhost`. */
    certificate: Pick<Certificate, 'path' | 'key'>;
  }
}

const template = 'builder_template';
/** No data outlives the run, so nothing is flushed to disk. */
const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=400'];

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const directory = await makeDirectoryInMemory();
  const loginPassword = randomBytes(16).toString('hex');
  const stopped = join(directory.path, 'stopped');
  const bundles = join(directory.path, 'bundles');
  const [[server, emptyTables], keepBundles, all, certificate] = await Promise.all([
    startServer(stopped, join(directory.path, 'postgres'), loginPassword),
    restoreBundles(bundles),
    readWorkerOptions(),
    copyCertificate('trusted'),
  ]);
  const hyperdrive = await startHyperdrive(server, loginPassword);
  // Miniflare reads it when it is loaded, in the processes that are started from here.
  process.env['NODE_EXTRA_CA_CERTS'] = certificate.path;
  // Miniflare reads it whenever it starts workerd, in every process that is started from here. It is miniflare's own workerd,
  // as `npm start` runs it.
  process.env['WORKERD'] = createRequire(createRequire(import.meta.url).resolve('miniflare'))(
    'workerd',
  ).default;
  process.env['MINIFLARE_WORKERD_PATH'] = fileURLToPath(new URL('bounded-workerd', import.meta.url));
  project.provide('postgres', {
    ownerUrl: server.url('postgres'),
    port: server.port,
    template,
    emptyTables,
    loginPassword,
    directory: stopped,
  });
  project.provide('all', all);
  project.provide('deployed', readWorkers(bundles));
  project.provide('hyperdrivePort', hyperdrive?.port ?? 0);
  project.provide('bundles', bundles);
  project.provide('certificate', { path: certificate.path, key: certificate.key });
  return async () => {
    await hyperdrive?.remove();
    await server.stop();
    await keepBundles();
    await Promise.all([directory.remove(), certificate.remove()]);
  };
}

/** Starts a PgBouncer for the databases of all tests, if the program is there. */
async function startHyperdrive(server: PostgresServer, loginPassword: string) {
  if (missing.includes('pgbouncer')) {
    return undefined;
  }
  const ownerUrl = server.url('postgres');
  const apiUrl = loginUrl(ownerUrl, 'builder_api', loginPassword);
  const jobsUrl = loginUrl(ownerUrl, 'builder_jobs', loginPassword);
  // What Hyperdrive asks of a worker is not known. A password would cost more than most requests.
  const settings = { ...asHyperdrive, auth_type: 'trust', server_idle_timeout: 10 };
  return startPgBouncer({ database: { ownerUrl, apiUrl, jobsUrl }, settings });
}

/** Starts a server with the template, and leaves a stopped copy. Returns the tables that the migrations leave empty too. */
async function startServer(stopped: string, directory: string, password: string) {
  const founder = await startTestPostgres({ directory: stopped, password, settings });
  const emptyTables = await makeTemplate(founder, password);
  await founder.stop();
  await copyStopped(stopped, directory);
  return [await startTestPostgres({ directory, password, settings }), emptyTables] as const;
}

/** Returns the tables that the migrations leave empty. */
async function makeTemplate(server: PostgresServer, loginPassword: string): Promise<string[]> {
  await asOwner(server.url('postgres'), owner => owner`create database ${owner(template)}`);
  return asOwner(server.url(template), async sql => {
    await migrate(sql, loginPassword);
    const tables = await sql<{ name: string }[]>`
      select schemaname || '.' || tablename as name from pg_tables where schemaname = 'builder'`;
    const emptyTables: string[] = [];
    for (const { name } of tables) {
      if ((await sql`select from ${sql(name)} limit 1`).length === 0) {
        emptyTables.push(name);
      }
    }
    return emptyTables;
  });
}
