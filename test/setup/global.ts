/**
 * Set-up of all service tests: a Postgres with a migrated template database, and the bundle of the worker `all`. Test files
 * get them through `inject`, mostly in startService.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { WorkerOptions } from 'miniflare';
import postgres from 'postgres';
import type { TestProject } from 'vitest/node';
import { bundleWorker } from '../../functions/local/bundle-worker.ts';
import { type PostgresServer, startPostgres } from '../../functions/local/postgres.ts';
import { readWorkerOptions } from '../../functions/local/worker.ts';
import { migrate } from '../../sql/migrate.ts';
import { makeTemporaryDirectory } from './temporary-directory.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: {
      /** The superuser's connection string, for the database `postgres`. */
      ownerUrl: string;
      port: number;
      /** A migrated database without connections. */
      template: string;
      /** The password of builder_api and builder_sweeper. */
      loginPassword: string;
    };
    /** The worker `all`: its bundle, and the options of wrangler.toml for miniflare. */
    worker: { script: string; options: Partial<WorkerOptions> };
  }
}

const template = 'builder_template';
/** No data outlives the run, so nothing is flushed to disk. */
const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=200'];

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const directory = await makeTemporaryDirectory();
  const loginPassword = randomBytes(16).toString('hex');
  const [server, script, options] = await Promise.all([
    startPostgres({ directory: join(directory.path, 'postgres'), password: loginPassword, settings }),
    bundleWorker(join(directory.path, 'bundle')),
    readWorkerOptions(),
  ]);
  await makeTemplate(server, loginPassword);
  project.provide('postgres', {
    ownerUrl: server.url('postgres'),
    port: server.port,
    template,
    loginPassword,
  });
  project.provide('worker', { script, options });
  return async () => {
    await server.stop();
    await directory.remove();
  };
}

async function makeTemplate(server: PostgresServer, loginPassword: string): Promise<void> {
  const owner = postgres(server.url('postgres'), { max: 1, onnotice: () => {} });
  await owner`create database ${owner(template)}`;
  await owner.end();
  const sql = postgres(server.url(template), { max: 1, onnotice: () => {} });
  await migrate(sql, loginPassword);
  await sql.end();
}
