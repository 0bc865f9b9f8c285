/** The database that is measured against: our own Postgres with the migrations, 200 graphics and 100,000 quotes. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { startPostgres } from '../../functions/local/postgres.ts';
import { migrate } from '../../sql/migrate.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';

const execute = promisify(execFile);

export type Database = Awaited<ReturnType<typeof startDatabase>>;

export async function startDatabase() {
  const directory = await makeTemporaryDirectory();
  const loginPassword = randomBytes(16).toString('hex');
  const data = join(directory.path, 'postgres');
  const server = await startPostgres({
    directory: data,
    password: loginPassword,
    settings: ['shared_buffers=1GB', 'max_connections=100', 'max_wal_size=4GB'],
  });
  const ownerUrl = server.url('postgres');
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => {} });
  await migrate(sql, loginPassword);
  await fill(sql);
  const [postmaster] = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n');
  const others: postgres.Sql[] = [];
  return {
    /** The superuser's connection. */
    ownerUrl,
    sql,
    loginPassword,
    directory: directory.path,
    port: server.port,
    /** The id of Postgres's first process, which started all others. */
    postmaster: Number(postmaster),
    files: await fileSystemOf(data),
    /** Adds a database for a checkout with other migrations, which its `npm start` applies; then `fill` adds the same rows. */
    async add(name: string) {
      await sql`create database ${sql(name)}`;
      const ownerUrl = server.url(name);
      const other = postgres(ownerUrl, { max: 1, onnotice: () => {} });
      others.push(other);
      return { place: { ownerUrl, loginPassword, directory: directory.path }, fill: () => fill(other) };
    },
    /** Takes away what a measurement added. */
    async clean(): Promise<void> {
      for (const one of [sql, ...others]) {
        await one`delete from builder.quotes where id::text not like '10000000-%'`;
        await one`vacuum analyze builder.quotes`;
      }
    },
    async stop(): Promise<void> {
      await Promise.all([sql, ...others].map(one => one.end()));
      await server.stop();
      await directory.remove();
    },
  };
}

/** Inserts the rows. */
async function fill(sql: postgres.Sql): Promise<void> {
  await sql`
    insert into builder.graphics (name, code, file_url, file_format, tags, sort_order)
    select 'Graphic ' || n, 'GRAPHIC-' || n, 'https://cdn.example.com/library/graphic-' || n || '.svg', 'svg',
      array['tag-' || n % 10], n
    from generate_series(1, 200) n`;
  // The triggers cost more than the rows, and would set nothing that the rows don't have.
  await sql`set session_replication_role = replica`;
  await sql.unsafe(await readFile(new URL('./data.sql', import.meta.url), 'utf8'));
  await sql`set session_replication_role = origin`;
  await sql`vacuum full analyze builder.quotes`;
  await sql`checkpoint`;
}

/** Returns as `ext4 on /dev/sda1` or `tmpfs` where files are: in memory, flushing them for a commit costs nothing. */
async function fileSystemOf(directory: string): Promise<string> {
  const { stdout } = await execute('df', ['--output=fstype,source', directory]);
  const [type, source] = stdout.trim().split('\n').at(-1)?.split(/\s+/) ?? [];
  return type === source ? `${type}` : `${type} on ${source}`;
}

/** Returns when, where and with what the benchmark measures. `postgrest` is its program, if there is one. */
export async function describeMachine({ sql, files }: Database, postgrest: string | undefined) {
  const { version } = createRequire(import.meta.url)('workerd/package.json') as { version: string };
  const [postgres] = await sql<{ server_version: string }[]>`show server_version`;
  const versions: Record<string, string> = {
    workerd: version,
    ...(postgrest && { PostgREST: await versionOf(postgrest) }),
    Postgres: postgres?.server_version ?? '',
    Node: process.versions.node,
    wrk: await versionOf('wrk'),
  };
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown'}`,
    files,
    versions,
  };
}

/** The first number with points that a program says. wrk exits with 1 after it has told its version. */
async function versionOf(program: string): Promise<string> {
  const { stdout } = await execute(program, ['--version']).catch((error: { stdout?: string }) => error);
  return /\d+(?:\.\d+)+/.exec(stdout ?? '')?.[0] ?? 'unknown';
}
