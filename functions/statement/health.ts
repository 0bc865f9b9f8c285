import { type Sql, sql } from './sql.ts';

/** The least that shows a database answers. */
export const healthStatement: Sql = sql`select '1' as healthy`;
