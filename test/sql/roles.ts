/** Work done as the roles a request runs as, with the service's plan out of the way. */
import type { Sql, TransactionSql } from 'postgres';
import { collections } from '../../schema/collections.ts';

/** What the service puts into request.jwt.claims: the verified claims of the access token. */
export interface Claims {
  sub?: string;
  app_metadata?: { role?: string; account_ids?: string[] | null };
}

export type Work<T> = (sql: TransactionSql) => Promise<T>;
/** One transaction as one role; an error undoes it and rejects. */
export type As = <T>(sql: Sql, claims: Claims, work: Work<T>) => Promise<T>;

const asRole =
  (role: string): As =>
  async <T>(sql: Sql, claims: Claims, work: Work<T>): Promise<T> =>
    (await sql.begin(async transaction => {
      await transaction`
        select set_config('role', ${role}, true), set_config('request.jwt.claims', ${JSON.stringify(claims)}, true)`;
      return await work(transaction);
    })) as T;

/** Staff whose statement compares all that names what they read of one row, as the service says it. */
export const asStaffWithVersion: As = (sql, claims, work) =>
  asStaff(sql, claims, async transaction => {
    await transaction`select set_config('request.rows', 'one', true),
      set_config('request.compared', 'updated_at,submitted_at,quoted_at', true)`;
    return work(transaction);
  });
export const asCustomer = asRole('builder_customer');
export const asStaff = asRole('builder_staff');

/** Returns the claims of a signed-in customer with a personal account and, perhaps, teams. */
export const claimsOf = (account: string, ...teams: string[]): Claims => ({
  sub: account,
  app_metadata: { account_ids: teams },
});

type Row = Record<string, unknown>;

const keyOf = (table: string): string => collections.find(({ name }) => name === table)?.primaryKey ?? 'id';

/** Inserts a row as whoever `sql` is and returns its key. The values go in as JSON, as a request's do. */
export async function insert(sql: Sql | TransactionSql, table: string, row: Row): Promise<string> {
  const columns = sql(Object.keys(row));
  const [inserted] = await sql<{ key: string }[]>`
    insert into builder.${sql(table)} (${columns})
    select ${columns} from json_populate_record(null::builder.${sql(table)}, ${JSON.stringify(row)}::text::json)
    returning ${sql(keyOf(table))} as key`;
  return inserted?.key ?? '';
}

/** Sets columns of the row with a key, if it also meets a condition, and returns how many rows that changed. */
export async function update(
  sql: Sql | TransactionSql,
  table: string,
  key: string,
  values: Row,
  and = sql``,
): Promise<number> {
  const assignments = Object.keys(values).map(name => sql`${sql(name)} = given.${sql(name)}`);
  const { count } = await sql`
    update builder.${sql(table)} target
    set ${assignments.flatMap((assignment, index) => (index > 0 ? [sql`, `, assignment] : [assignment]))}
    from json_populate_record(null::builder.${sql(table)}, ${JSON.stringify(values)}::text::json) given
    where target.${sql(keyOf(table))} = ${key} ${and}`;
  return count;
}
