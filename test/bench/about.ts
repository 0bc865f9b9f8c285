/** When, where and with what a part of the benchmark was measured. */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { promisify } from 'node:util';
import { findPostgrest } from './contestants.ts';
import type { OtherPrograms } from './other-programs.ts';
import type { Database } from './place.ts';

const execute = promisify(execFile);

export interface About {
  /** As in ISO 8601. */
  date: string;
  machine: string;
  /** By program; one that is not there is left out. */
  versions: Record<string, string>;
  rounds: number;
  seconds: number;
  others: OtherPrograms;
}

export const machine = `${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown'}`;

/** One sentence. */
export function tellAbout({ machine, versions, date, rounds, seconds }: About): string {
  const programs = Object.entries(versions).map(([program, version]) => `${program} ${version}`);
  return `${machine}; ${programs.join(', ')}; ${date}; medians of ${rounds} rounds of ${seconds} s.`;
}

export async function versionsOf({ sql }: Database): Promise<Record<string, string>> {
  const { version } = createRequire(import.meta.url)('workerd/package.json') as { version: string };
  const [postgres] = await sql<{ server_version: string }[]>`show server_version`;
  const postgrest = findPostgrest();
  const versions = {
    workerd: version,
    PostgREST: postgrest && (await said(postgrest, '--version')),
    Postgres: postgres?.server_version,
    Node: process.versions.node,
    wrk: await said('wrk', '--version'),
    pgbench: await said('pgbench', '--version'),
  };
  return Object.fromEntries(
    Object.entries(versions).filter(([, version]) => version !== undefined),
  ) as Record<string, string>;
}

/** The first number with points that a program says. wrk exits with 1 after it has told its version. */
async function said(program: string, flag: string): Promise<string | undefined> {
  const { stdout } = await execute(program, [flag]).catch((error: { stdout?: string }) => error);
  return /\d+(?:\.\d+)+/.exec(stdout ?? '')?.[0];
}
