/**
 * Columns of a change that its caller may read and not write. Clients that send whole rows send them as they read them:
 * that is no change. So each must have the value that the row has, when the row is locked for this change.
 */
import { join, type Sql, sql } from './sql.ts';

/**
 * Returns the first value that the change writes, which fails the statement when one of the columns differs: only for rows
 * that match, and for each as it is after waiting for other writers, Postgres evaluates what a SET assigns. `differs` is
 * whether a column differs. The error has the number whose bits are those that do, by their places in `unchanged`.
 */
export function ifUnchanged(unchanged: string[], value: Sql, differs: (name: string) => Sql): Sql {
  if (unchanged.length === 0) {
    return value;
  }
  const bits = unchanged.map((name, place) => sql`case when ${differs(name)} then ${2 ** place} else 0 end`);
  const number = sql`(${join(bits, ' + ')})`;
  return sql`case when ${number} = 0 or builder.expect_number('PG403', ${number}, 0, 0) is null then ${value} end`;
}
