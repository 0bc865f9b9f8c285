import { limits } from '../common/limits.ts';
import { type Sql, sql } from './sql.ts';

const { comparedCharacters: comparedLength } = limits.termination;

/**
 * Ends the sessions of this login that run the message, or finished it at least 5 s ago and could not send its result.
 * Returns `found`, their number. Sessions are identified by the text of the message, which begins with the request id,
 * because behind a pooler the process ids are the pooler's.
 */
export const terminateStatement = (message: string): Sql =>
  sql`select count(pg_terminate_backend(pid))::text as found from pg_stat_activity
where datname = current_database() and usename = session_user and pid <> pg_backend_pid()
and left(query, ${comparedLength}) = ${beginningOf(message)}
and (state <> 'idle' or state_change < clock_timestamp() - interval '5 s')`;

/** Counts characters as Postgres does: a surrogate pair is one. */
const beginningOf = (text: string): string =>
  [...text.slice(0, 2 * comparedLength)].slice(0, comparedLength).join('');
