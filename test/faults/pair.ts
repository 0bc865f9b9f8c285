/** A primary and a synchronous standby behind one address: an acknowledged write has reached both. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { inject } from 'vitest';
import type { PostgresServer } from '../../functions/local/postgres.ts';
import { asOwner } from '../setup/as-owner.ts';
import { copyForStandby, copyStopped } from '../setup/data-directory.ts';
import { startTestPostgres } from '../setup/postgres.ts';
import { makeDirectoryInMemory } from '../setup/temporary-directory.ts';
import { clusterSettings, databaseOf, killPostmaster, superuserPassword } from './cluster.ts';
import { type Link, startLink } from './link.ts';

interface Server extends PostgresServer {
  directory: string;
}

/** Milliseconds. */
const replicationTimeout = 60_000;

export async function startPair() {
  const temporary = await makeDirectoryInMemory();
  const { template, directory: stopped } = inject('postgres');
  const started: Server[] = [];
  /** From standbys to their primaries, the latest of which is `replication`. */
  const links: Link[] = [];
  let replication: Link | undefined;
  const killed: string[] = [];
  const password = superuserPassword();
  const newDirectory = () => join(temporary.path, `server-${started.length}`);
  const start = async (directory: string, settings: string[] = []): Promise<Server> => {
    const server = await startTestPostgres({
      directory,
      password,
      settings: [...clusterSettings, ...settings],
    });
    started.push({ ...server, directory });
    return { ...server, directory };
  };

  async function startStandbyOf({ port, url, directory }: Server): Promise<Server> {
    const copy = newDirectory();
    await copyForStandby(url('postgres'), directory, copy);
    replication = await startLink(port);
    links.push(replication);
    const place = `host=127.0.0.1 port=${replication.port}`;
    return start(copy, [`primary_conninfo=${place} user=postgres password=${password}`]);
  }

  const first = newDirectory();
  await copyStopped(stopped, first);
  let primary = await start(first);
  let standby: Server | undefined;
  const address = await startLink(primary.port);
  const database = databaseOf(
    Object.assign(new URL(primary.url(template)), { port: String(address.port) }).href,
  );
  const pair = {
    /** By way of the address. Its `drop` does nothing. */
    database: { ...database, drop: async () => {} },
    /** It leads to the primary at first. */
    address,
    get primary() {
      return primary;
    },
    /** None after a failover, until the pair is completed. */
    get standby() {
      return standby;
    },
    /** Gives the primary a standby, unless it has one; resolves when what is acknowledged has reached both. */
    async complete() {
      if (standby === undefined) {
        standby = await startStandbyOf(primary);
        await asOwner(primary.url('postgres'), waitForStandby);
        await Promise.all(killed.splice(0).map(path => rm(path, { recursive: true })));
      }
    },
    /** From now on commits reach the primary alone, which does not wait for the standby. */
    async detach() {
      await asOwner(primary.url('postgres'), async sql => {
        await sql`alter system set synchronous_standby_names = ''`;
        await sql`select pg_reload_conf()`;
      });
      await replication?.refuse();
    },
    /** Resolves when its last process is gone. */
    async killPrimary() {
      await killPostmaster(primary.directory);
      await primary.stop();
      killed.push(primary.directory);
    },
    /** Makes the standby the primary, and leads the address to it. */
    async promote() {
      if (standby === undefined) {
        throw new Error('There is no standby');
      }
      await asOwner(standby.url('postgres'), sql => sql`select pg_promote()`);
      primary = standby;
      standby = undefined;
      address.leadTo(primary.port);
    },
    async remove() {
      await Promise.all([
        database.drop(),
        ...[address, ...links].map(link => link.stop()),
        ...started.map(server => server.stop()),
      ]);
      await temporary.remove();
    },
  };
  await pair.complete();
  return pair;
}

/** From now on commits wait for the standby, and those of before have reached it. */
async function waitForStandby(sql: Sql): Promise<void> {
  await sql`alter system set synchronous_standby_names = '*'`;
  await sql`select pg_reload_conf()`;
  await untilSynchronous(sql, '0/0');
  const [row] = await sql<{ position: string }[]>`select pg_current_wal_lsn()::text as position`;
  await untilSynchronous(sql, row?.position ?? '');
}

async function untilSynchronous(sql: Sql, position: string): Promise<void> {
  for (const end = Date.now() + replicationTimeout; Date.now() < end; await sleep(10)) {
    const standbys = await sql`
      select from pg_stat_replication where sync_state = 'sync' and flush_lsn >= ${position}::pg_lsn`;
    if (standbys.length > 0) {
      return;
    }
  }
  throw new Error('The standby does not follow');
}
