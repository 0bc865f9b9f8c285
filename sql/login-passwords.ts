/** The passwords of the roles that log in. */
import type { TransactionSql } from 'postgres';

export const loginRoles = ['builder_api', 'builder_jobs'];

/**
 * Returns the roles that log in and have no password. Only a superuser can see whether a role has one. For other users,
 * returns the roles that do not exist yet, since the transaction that creates a role also sets its password.
 */
export async function withoutPassword(transaction: TransactionSql): Promise<string[]> {
  const [may] = await transaction`select has_table_privilege('pg_authid', 'select') as see`;
  const rows =
    may?.['see'] === true
      ? await transaction`select rolname as name from pg_authid where rolpassword is not null`
      : await transaction`select rolname as name from pg_roles`;
  const names = rows.map(({ name }) => name);
  return loginRoles.filter(role => !names.includes(role));
}

export async function setPassword(transaction: TransactionSql, password: string): Promise<void> {
  for (const role of loginRoles) {
    const [statement] = await transaction<{ text: string }[]>`
      select format('alter role %I password %L', ${role}::text, ${password}::text) as text`;
    await transaction.unsafe(statement?.text ?? '');
  }
}
