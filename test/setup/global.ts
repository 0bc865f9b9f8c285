/**
 * Set-up of all service tests: a Postgres with a migrated template database, the bundle of the worker `all`, and a
 * certificate. Tests get them by `inject`, mostly in startService.
 */
import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WorkerOptions } from 'miniflare';
import type { TestProject } from 'vitest/node';
import { bundleDemo } from '../../functions/local/bundle-demo.ts';
import type { PostgresServer } from '../../functions/local/postgres.ts';
import { readWorkerOptions } from '../../functions/local/worker.ts';
import { bundleWorker } from '../../functions/local/wrangler.ts';
import { migrate } from '../../sql/migrate.ts';
import { asOwner } from './as-owner.ts';
import { type Certificate, copyCertificate } from './certificate.ts';
import { copyStopped } from './data-directory.ts';
import { startTestPostgres } from './postgres.ts';
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
    /** The worker `all`: its bundle, that of the page `/demo`, and the options of wrangler.toml for miniflare. */
    worker: { script: string; demo: string; options: Partial<WorkerOptions> };
    /** Where the bundles of the deployed workers are, once somebody needs them. */
    bundles: string;
    /** For `localhost`. */
    certificate: Pick<Certificate, 'path' | 'key'>;
  }
}

const template = 'builder_template';
/** No data outlives the run, so nothing is flushed to disk. */
const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=200'];

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const directory = await makeDirectoryInMemory();
  const loginPassword = randomBytes(16).toString('hex');
  const stopped = join(directory.path, 'stopped');
  const [[server, emptyTables], script, demo, options, certificate] = await Promise.all([
    startServer(stopped, join(directory.path, 'postgres'), loginPassword),
    bundleWorker(join(directory.path, 'bundle')),
    bundleDemo(join(directory.path, 'demo')),
    readWorkerOptions(),
    copyCertificate('trusted'),
  ]);
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
  project.provide('worker', { script, demo, options });
  project.provide('bundles', join(directory.path, 'bundles'));
  project.provide('certificate', { path: certificate.path, key: certificate.key });
  return async () => {
    await server.stop();
    await Promise.all([directory.remove(), certificate.remove()]);
  };
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
