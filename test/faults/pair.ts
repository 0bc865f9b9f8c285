/** A primary and a synchronous standby behind one address: an acknowledged write has reached both. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import postgres, { type Sql } from 'postgres';
import { loginUrl } from '../../functions/local/database.ts';
import { type PostgresServer, startPostgres } from '../../functions/local/postgres.ts';
import { migrate } from '../../sql/migrate.ts';
import type { TestDatabase } from '../setup/database.ts';
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts';
import { killPostmaster } from './cluster.ts';
import { type Link, startLink } from './link.ts';

export interface Pair {
  /** By way of the address that leads to one of the two. */
  database: TestDatabase;
  /** The address; to the primary at first. */
  address: Link;
  primary: PostgresServer;
  standby: PostgresServer;
  /** Kills the primary, which is no more, and makes the standby one. */
  failOver(): Promise<void>;
  remove(): Promise<void>;
}

const owner = (url: string): Sql => postgres(url, { max: 1, onnotice: () => {}, backoff: false });

export async function startPair(): Promise<Pair> {
  const temporary = await makeTemporaryDirectory();
  const [first, second] = ['primary', 'standby'].map(name => join(temporary.path, name)) as [string, string];
  const password = randomBytes(16).toString('hex');
  const founder = await startPostgres({ directory: first, password });
  const founding = owner(founder.url('postgres'));
  await migrate(founding, password);
  await founding.end();
  await founder.stop();
  await copyCluster(first, second);
  const primary = await startPostgres({
    directory: first,
    password,
    port: founder.port,
    settings: ["synchronous_standby_names='*'"],
  });
  const conninfo = `host=127.0.0.1 port=${primary.port} user=postgres password=${password}`;
  const standby = await startPostgres({
    directory: second,
    password,
    settings: [`primary_conninfo='${conninfo}'`],
  });
  const address = await startLink(primary.port);
  const ownerUrl = Object.assign(new URL(primary.url('postgres')), { port: String(address.port) }).href;
  const sql = owner(ownerUrl);
  return {
    database: {
      sql,
      ownerUrl,
      apiUrl: loginUrl(ownerUrl, 'builder_api', password),
      sweeperUrl: loginUrl(ownerUrl, 'builder_sweeper', password),
      drop: () => sql.end({ timeout: 1 }),
    },
    address,
    primary,
    standby,
    async failOver() {
      await killPostmaster(first);
      const promoting = owner(standby.url('postgres'));
      await promoting`select pg_promote()`;
      await promoting.end();
      address.leadTo(standby.port);
    },
    async remove() {
      await Promise.all([address.stop(), standby.stop(), primary.stop()]);
      await temporary.remove();
    },
  };
}

/** The cluster is stopped, so that its files are whole. */
async function copyCluster(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', from, to]);
  const { uid, gid } = await stat(from);
  await writeFile(join(to, 'standby.signal'), '');
  await chown(join(to, 'standby.signal'), uid, gid);
}
