/** The passwords of the roles that log in. Roles belong to the server, so another of its databases may use them. */
import type { TransactionSql } from 'postgres';
import { connect } from './connect.ts';

export const loginRoles = ['builder_api', 'builder_jobs'];

/** What became of the passwords. */
export interface Passwords {
  /** The roles whose passwords were set. */
  set: string[];
  /** The roles that keep theirs, although a password was given, since other databases use them. */
  kept: string[];
  /** The other databases of the server that have the service's schema. */
  others: string[];
}

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

/**
 * Sets the password of the roles that log in. If other databases of the server use them, sets only the password of those in
 * `lacking`, unless `reset`: the others' services would no longer log in.
 */
export async function setPasswords(
  transaction: TransactionSql,
  password: string,
  { lacking, reset }: { lacking: string[]; reset: boolean },
): Promise<Passwords> {
  const others = await otherDatabases(transaction);
  const set = reset || others.length === 0 ? loginRoles : lacking;
  for (const role of set) {
    const [statement] = await transaction<{ text: string }[]>`
      select format('alter role %I password %L', ${role}::text, ${password}::text) as text`;
    await transaction.unsafe(statement?.text ?? '');
  }
  return { set, kept: loginRoles.filter(role => !set.includes(role)), others };
}

/** Returns the other databases with policies for builder_customer: every user can read pg_shdepend, which has all databases. */
async function otherDatabases(transaction: TransactionSql): Promise<string[]> {
  const rows = await transaction<{ name: string }[]>`
    select distinct datname as name
    from pg_shdepend join pg_database on pg_database.oid = dbid
    where refclassid = 'pg_authid'::regclass and refobjid = to_regrole('builder_customer')
      and datname <> current_database()
    order by 1`;
  return rows.map(({ name }) => name);
}

/** Whether a role can log in with a password at the owner's address. */
export async function logsIn(owner: string, role: string, password: string): Promise<boolean> {
  const url = Object.assign(new URL(owner), { username: role, password: encodeURIComponent(password) }).href;
  const connected = connect(url, 5);
  if (!connected.ok) {
    return false;
  }
  const sql = connected.value;
  const reached = await sql`select 1`.then(
    () => true,
    () => false,
  );
  await sql.end({ timeout: 1 });
  return reached;
}
