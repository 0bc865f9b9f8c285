/** When, where and with what the benchmark measured. */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { promisify } from 'node:util';
import { findPostgrest } from './contestants.ts';
import type { Database } from './place.ts';

const execute = promisify(execFile);

export interface About {
  /** As in ISO 8601. */
  date: string;
  machine: string;
  /** The file system of Postgres's files. */
  files: string;
  /** By program; one that is not there is left out. */
  versions: Record<string, string>;
  rounds: number;
  seconds: number;
}

export async function describeMachine({ sql, files }: Database): Promise<Omit<About, 'rounds' | 'seconds'>> {
  const { version } = createRequire(import.meta.url)('workerd/package.json') as { version: string };
  const [postgres] = await sql<{ server_version: string }[]>`show server_version`;
  const postgrest = findPostgrest();
  const versions = {
    workerd: version,
    PostgREST: postgrest && (await versionOf(postgrest)),
    Postgres: postgres?.server_version,
    Node: process.versions.node,
    wrk: await versionOf('wrk'),
  };
  const known = Object.entries(versions).filter(([, version]) => version !== undefined);
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown'}`,
    files,
    versions: Object.fromEntries(known) as Record<string, string>,
  };
}

/** The first number with points that a program says. wrk exits with 1 after it has told its version. */
async function versionOf(program: string): Promise<string | undefined> {
  const { stdout } = await execute(program, ['--version']).catch((error: { stdout?: string }) => error);
  return /\d+(?:\.\d+)+/.exec(stdout ?? '')?.[0];
}
