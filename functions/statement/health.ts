import { type Sql, sql } from './sql.ts';

/** The smallest statement to which a working database replies. */
export const healthStatement: Sql = sql`select '1' as healthy`;
