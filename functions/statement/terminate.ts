import { limits } from '../common/limits.ts';
import { join, literal, type Sql, sql } from './sql.ts';

const { comparedCharacters: compared } = limits.termination;

/**
 * Ends the sessions of this login that run one of these messages, or were done with it 5 s ago and more and could not
 * say so. Answers `found`, how many those were. They are found by their text, since behind a pooler the numbers of
 * processes are its own; a request's begins with the request's id.
 */
export const terminateStatement = (messages: readonly string[]): Sql =>
  sql`select count(pg_terminate_backend(pid))::text as found from pg_stat_activity
where datname = current_database() and usename = session_user and pid <> pg_backend_pid()
and left(query, ${compared}) in (${join(messages.map(beginningOf).map(literal))})
and (state <> 'idle' or state_change < clock_timestamp() - interval '5 s')`;

/** As Postgres counts, to which a character of two units is one. */
const beginningOf = (text: string): string => [...text.slice(0, 2 * compared)].slice(0, compared).join('');
