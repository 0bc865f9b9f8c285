/**
 * Once for all service tests: a Postgres with a migrated template database, and the worker `all`, bundled. Test files
 * get them through `inject`, mostly by way of startService.
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
      /** The superuser's connection, to the database `postgres`. */
      ownerUrl: string;
      port: number;
      /** A migrated database that nobody is connected to. */
      template: string;
      /** Its tables without rows. */
      emptyTables: string[];
      /** Of builder_api and builder_sweeper. */
      loginPassword: string;
    };
    /** The worker `all`: its bundle, and what wrangler.toml binds, for miniflare. */
    worker: { script: string; options: Partial<WorkerOptions> };
  }
}

const template = 'builder_template';
/** Nothing here outlives the run, so nothing is flushed to disk. */
const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=200'];

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const directory = await makeTemporaryDirectory();
  const loginPassword = randomBytes(16).toString('hex');
  const [server, script, options] = await Promise.all([
    startPostgres({ directory: join(directory.path, 'postgres'), password: loginPassword, settings }),
    bundleWorker(join(directory.path, 'bundle')),
    readWorkerOptions(),
  ]);
  const emptyTables = await makeTemplate(server, loginPassword);
  project.provide('postgres', {
    ownerUrl: server.url('postgres'),
    port: server.port,
    template,
    emptyTables,
    loginPassword,
  });
  project.provide('worker', { script, options });
  return async () => {
    await server.stop();
    await directory.remove();
  };
}

/** Answers the tables that the migrations leave empty. */
async function makeTemplate(server: PostgresServer, loginPassword: string): Promise<string[]> {
  const owner = postgres(server.url('postgres'), { max: 1, onnotice: () => {} });
  await owner`create database ${owner(template)}`;
  await owner.end();
  const sql = postgres(server.url(template), { max: 1, onnotice: () => {} });
  await migrate(sql, loginPassword);
  const tables = await sql<{ name: string }[]>`
    select schemaname || '.' || tablename as name from pg_tables where schemaname = 'builder'`;
  const emptyTables: string[] = [];
  for (const { name } of tables) {
    if ((await sql`select from ${sql(name)} limit 1`).length === 0) {
      emptyTables.push(name);
    }
  }
  await sql.end();
  return emptyTables;
}
