/** An error of the database → the failure of the request. */
import type { Caller } from '../caller/caller.ts';
import type { Failure } from '../common/failure/failure.ts';
import { causeOf } from '../common/failure/sqlstates.ts';
import type { DatabaseError } from './database.ts';

/** Messages for errors that are not the request's fault. They reveal nothing of the database. */
const otherMessages: Record<string, string> = {
  '40001': 'Another request changed the same rows at the same time; try again',
  '40P01': 'Another request changed the same rows at the same time; try again',
  '54000': 'The request is too large for the database',
  '54001': 'The request is nested too deeply',
  '55P03': 'The rows are locked by another request; try again',
  '57014': 'The request took too long and was cancelled',
};

/** Returns the failure of a message. Uses only the fields of Postgres's error, since its texts may be in any language. */
export function failureOf(error: DatabaseError, caller: Caller | undefined): Failure {
  if (error.is === 'too many at once') {
    return error;
  }
  if (error.is === 'unavailable') {
    return { is: 'database unavailable', reason: error.reason };
  }
  const { sqlstate, message, details, hint, constraint, column } = error;
  if (sqlstate === '53100') {
    return { is: 'disk full', reason: 'the disk of the database is full' };
  }
  if (sqlstate === '25006') {
    return { is: 'read-only database', reason: sqlstate };
  }
  const cause = causeOf(sqlstate);
  if (cause === 'lost' || cause === 'unavailable') {
    return { is: 'database unavailable', reason: sqlstate };
  }
  switch (sqlstate) {
    case 'PG413':
      return { is: 'response too large', after: Number(message) };
    case 'PG415':
      return { is: 'too many rows' };
    case 'PG414':
      return { is: 'value too long', field: message };
    case 'PG116':
      return { is: 'not singular', rows: message };
    case 'PG409':
      return { is: 'taken key' };
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
        ...(cause === 'values' || cause === 'names' || cause === 'rights'
          ? {
              message,
              ...(details && { details }),
              ...(hint && { hint }),
              ...(constraint && { constraint }),
              ...(column && { column }),
            }
          : { message: otherMessages[sqlstate] ?? 'The database could not execute this request' }),
      };
  }
}
