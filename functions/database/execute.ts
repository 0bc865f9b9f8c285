/** Sends a message of a request, and returns its rows or a failure. Only this stage awaits the database. */
import type { Caller } from '../caller/caller.ts';
import { type Env, nearDatabase } from '../common/env.ts';
import type { Failure } from '../common/failure/failure.ts';
import { fail, ok, type Result } from '../common/failure/result.ts';
import { causeOf } from '../common/failure/sqlstates.ts';
import { monotonicNow } from '../common/monotonic.ts';
import { type Database, type DatabaseError, isReadOnly, type Reply, type Row } from './database.ts';
import { databaseLimits } from './database-limits.ts';
import { failureOf } from './failure-of.ts';
import { type HeldConnection, HyperdriveDatabase } from './hyperdrive.ts';
import { addressVariables, type Login, PooledDatabase } from './pool.ts';
import type { Message } from './sql.ts';

/** The sender of a message, and whether it may be repeated. */
export interface ExecuteOptions {
  /** The database user. */
  login: Login;
  /** Identifies the caller whose share of connections the message uses. */
  callerKey: string;
  caller?: Caller;
  /** The message only reads, so it may be sent twice. */
  repeatable?: boolean;
  /** Over Hyperdrive, the connection of an object or a sweep, which sends several messages. */
  held?: HeldConnection | undefined;
}

/** Sends a message, and resolves to the rows of its last statement that returns rows: `execute` with given options. */
export type SendMessage = (message: Message) => Promise<Result<Row[]>>;

/**
 * Sends the message as the login's database user, and resolves to the rows of its last statement that returns rows.
 *
 * When the connection is lost, a message that only reads is sent again. A write is not, because it may have been committed.
 * A write that a read-only server refused is sent again, because after a failover a new connection may reach the new primary.
 * So is any message that Postgres undid to end a deadlock. Each is sent twice at most.
 */
export async function execute(message: Message, env: Env, options: ExecuteOptions): Promise<Result<Row[]>> {
  const { login, callerKey, caller, repeatable = false, held } = options;
  const found = databaseOf(env, login, held);
  if (!found.ok) {
    return found;
  }
  const database = found.value;
  const isReplica = env.READ_REPLICA === '1';
  if (isReplica && !repeatable) {
    return fail<Failure>({ is: 'read replica' });
  }
  const started = monotonicNow();
  let reply = await database.send(message, callerKey);
  if (isReplica && isReadOnly(reply)) {
    return fail<Failure>({ is: 'read replica' });
  }
  const isInTime = monotonicNow() - started < databaseLimits.retryWithin;
  if (isDeadlock(reply) || (isInTime && mayRetry(reply, repeatable))) {
    reply = await database.send(message, callerKey);
  }
  return reply.ok ? ok(reply.rows) : fail(failureOf(reply.error, caller));
}

/** The Hyperdrive binding of each login. */
const hyperdrives = {
  api: 'HYPERDRIVE',
  jobs: 'HYPERDRIVE_JOBS',
} as const satisfies Record<Login, keyof Env>;

function databaseOf(env: Env, login: Login, held?: HeldConnection): Result<Database> {
  const hyperdrive = env[hyperdrives[login]];
  if (hyperdrive) {
    return ok(held ?? new HyperdriveDatabase(hyperdrive));
  }
  if (!env.DATABASE_POOL) {
    return fail<Failure>({ is: 'misconfigured', reason: 'neither HYPERDRIVE nor DATABASE_POOL is bound' });
  }
  const variable = addressVariables[login];
  return env[variable]
    ? ok(new PooledDatabase(env.DATABASE_POOL, login, nearDatabase(env)))
    : fail<Failure>({ is: 'not set', unset: { variables: [variable], local: env.LOCAL === '1' } });
}

const isLoss = (error: DatabaseError): boolean =>
  (error.is === 'unavailable' && error.lost === true) ||
  (error.is === 'refused' && causeOf(error.sqlstate) === 'lost');

/** Whether Postgres has undone the message to end a deadlock. */
const isDeadlock = (reply: Reply): boolean =>
  !reply.ok && reply.error.is === 'refused' && reply.error.sqlstate === '40P01';

const mayRetry = (reply: Reply, repeatable: boolean): boolean =>
  !reply.ok && (isReadOnly(reply) || (repeatable && isLoss(reply.error)));
