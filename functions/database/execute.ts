/** Sends a request's one message. Only this stage awaits the database; it turns the driver's exceptions into data. */
import type { Caller } from '../caller/caller.ts';
import type { Env } from '../common/env.ts';
import { limits } from '../common/limits.ts';
import { nearDatabase } from '../common/near-database.ts';
import { fail, ok, type Result } from '../common/result.ts';
import type { Failure } from '../failure/failure.ts';
import type { Message, Sql } from '../statement/sql.ts';
import { type Database, type DatabaseError, isReadOnly, type Reply, type Row } from './database.ts';
import { type HeldConnection, HyperdriveDatabase } from './hyperdrive.ts';
import { addressVariables, type Login, PooledDatabase } from './pool.ts';

/** Says for whom a message is sent, and whether it may be repeated. */
export interface ExecuteOptions {
  /** The database user. */
  login: Login;
  /** The caller whose share of the connections it counts against. */
  callerKey: string;
  caller?: Caller;
  /** Sending it twice does no harm, since it only reads. */
  repeatable?: boolean;
  /** Over Hyperdrive, the connection of who sends more than one request's messages. */
  held?: HeldConnection | undefined;
}

/**
 * Sends the message as the login's database user, and resolves to the rows of its last statement that returns rows.
 *
 * When the connection is lost, a message that only reads is sent a second time. A write is not, because it may have been
 * committed. But a write that a read-only server refused is: after a failover, a new connection may reach the new
 * primary.
 */
export async function execute(
  message: Sql | Message,
  env: Env,
  options: ExecuteOptions,
): Promise<Result<Row[]>> {
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
  const started = Date.now();
  let reply = await database.send(message, callerKey);
  if (isReplica && isReadOnly(reply)) {
    return fail<Failure>({ is: 'read replica' });
  }
  if (mayRetry(reply, repeatable) && Date.now() - started < limits.database.retryWithin) {
    reply = await database.send(message, callerKey);
  }
  return reply.ok ? ok(reply.rows) : fail(failureOf(reply.error, caller));
}

/** The Hyperdrive configuration of each. */
const hyperdrives = {
  api: 'HYPERDRIVE',
  sweeper: 'HYPERDRIVE_SWEEPER',
  deliverer: 'HYPERDRIVE_DELIVERER',
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

/** How the driver, workerd, the pool, Postgres and Hyperdrive (58000) report a connection that closed with a message in flight. */
const losses =
  /^(?:CONNECTION_(?:CLOSED|DESTROYED|ENDED)|ECONNRESET|EPIPE|Network connection lost|This WritableStream has been closed|proxy request failed, cannot connect|POOL_LOST|08|57P0[12]|58000)/;

const isLoss = (error: DatabaseError): boolean =>
  (error.is === 'unavailable' && losses.test(error.reason)) ||
  (error.is === 'refused' && losses.test(error.sqlstate));

const mayRetry = (reply: Reply, repeatable: boolean): boolean =>
  !reply.ok && (isReadOnly(reply) || (repeatable && isLoss(reply.error)));

/** The server or the link is at fault: starting, stopping, read-only, out of connections or memory. */
const unavailable = /^(?:08|25006|53|57P|58|28)/;

/** The request is at fault (values, constraints, names, permissions, our own rules), so the client gets the message. */
const isAboutTheRequest = /^(?:0A|21|22|23|42|44|PG403|PT|P0001)/;

/** Messages for the other errors, which reveal nothing of the database. */
const otherMessages: Record<string, string> = {
  '40001': 'Another request changed the same rows at the same time; try again',
  '40P01': 'Another request changed the same rows at the same time; try again',
  '54000': 'The request is too large for the database',
  '54001': 'The request is nested too deeply',
  '55P03': 'The rows are locked by another request; try again',
  '57014': 'The request took too long and was cancelled',
};

function failureOf(error: DatabaseError, caller: Caller | undefined): Failure {
  if (error.is === 'too many at once') {
    return error;
  }
  if (error.is === 'unavailable') {
    return { is: 'database unavailable', reason: error.reason };
  }
  const { sqlstate, message, details, hint, constraint, column } = error;
  if (unavailable.test(sqlstate)) {
    return { is: 'database unavailable', reason: sqlstate };
  }
  switch (sqlstate) {
    case 'PG413':
      return { is: 'response too large', limit: message };
    case 'PG116':
      return { is: 'not singular', rows: message };
    case 'PG409':
      return caller?.audience === 'staff' ? { is: 'deleted row' } : { is: 'taken key' };
    case 'PG412':
      return { is: 'precondition failed' };
    case 'PG404':
      return { is: 'rows missing', found: message };
    case 'PG124':
      return { is: 'max affected', rows: message };
    default:
      return {
        is: 'database',
        sqlstate,
        authenticated: caller?.kind !== 'anon',
        ...(isAboutTheRequest.test(sqlstate)
          ? {
              message,
              ...(details && { details }),
              ...(hint && { hint }),
              ...(constraint && { constraint }),
              ...(column && { column }),
            }
          : { message: otherMessages[sqlstate] ?? 'The database failed on this request' }),
      };
  }
}
