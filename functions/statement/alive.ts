import { type Sql, sql } from './sql.ts';

/** The smallest statement to which a new connection replies. */
export const aliveStatement: Sql = sql`select '1' as alive`;
