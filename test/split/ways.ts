/** The deployment, directly over Postgres, and over a PgBouncer that pools as Hyperdrive is documented to. */
import postgres from 'postgres';
import { describe } from 'vitest';
import { asHyperdrive, startPgBouncer } from '../faults/pgbouncer.ts';
import { createDatabase, type TestDatabase } from '../setup/database.ts';
import { type Deployment, startDeployment } from './deployment.ts';

export interface Way {
  deployment: Deployment;
  /** The connections that the workers hold, as `builder_api` or `builder_sweeper`. */
  connections(login: string): Promise<number>;
  stop(): Promise<void>;
}

/** Milliseconds to bundle and to start all of it, where the machine has much else to do. */
export const startTimeout = 180_000;

/** Few connections, so that a worker that kept one would stop the others. */
const settings = {
  ...asHyperdrive,
  default_pool_size: 5,
  // It may ask for its lists of clients.
  stats_users: 'builder_api',
};

/** Defines the same tests for both ways, of which the second takes longer. */
export function describeWays(define: (start: () => Promise<Way>) => void): void {
  describe('the deployed workers, directly', () => define(startDirectly));
  describe('the deployed workers, through PgBouncer', { tags: ['pgbouncer', 'full'] }, () =>
    define(startPooled),
  );
}

async function startDirectly(): Promise<Way> {
  const deployment = await startDeployment();
  return {
    deployment,
    connections: login => countSessions(deployment.database, login),
    stop: () => deployment.stop(),
  };
}

async function startPooled(): Promise<Way> {
  const database = await createDatabase();
  const pooler = await startPgBouncer({ mode: 'transaction', database, settings });
  const deployment = await startDeployment({ database, hyperdrivePort: pooler.port });
  const address = Object.assign(new URL(database.apiUrl), {
    port: String(pooler.port),
    pathname: 'pgbouncer',
  });
  const statistics = postgres(address.href, { max: 1, fetch_types: false });
  return {
    deployment,
    async connections(login) {
      const clients = await statistics.unsafe('show clients').simple();
      const { pathname } = new URL(database.ownerUrl);
      return clients.filter(({ user, database }) => user === login && `/${database}` === pathname).length;
    },
    async stop() {
      await statistics.end({ timeout: 0 });
      await deployment.stop();
      await pooler.remove();
    },
  };
}

/** What Postgres itself has. */
async function countSessions({ sql }: TestDatabase, login: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer from pg_stat_activity where datname = current_database() and usename = ${login}`;
  return row?.count ?? 0;
}
