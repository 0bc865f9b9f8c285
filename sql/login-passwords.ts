/** The passwords of the roles that log in. Roles belong to the server, so another of its databases may use them. */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import postgres, { type TransactionSql } from 'postgres';
import { connect } from './connect.ts';

export const loginRoles = ['builder_api', 'builder_jobs'];

/** The roles that the first migration grants, and those whose passwords are set. */
const sharedRoles = [
  'builder_anon',
  'builder_customer',
  'builder_staff',
  'builder_reader',
  'builder_live',
  ...loginRoles,
];

/**
 * Throws if this is a new database and another owner has created the server's roles: since Postgres 16, only a member with the
 * admin option may grant a role or set its password.
 */
export async function refuseRolesOfOthers(transaction: TransactionSql): Promise<void> {
  const rows = await transaction<{ role: string; user: string }[]>`
    select rolname as role, quote_ident(current_user) as user from pg_roles
    where rolname = any (${sharedRoles}) and not pg_has_role(oid, 'member with admin option')
      and to_regnamespace('builder') is null and current_setting('server_version_num')::int >= 160000
    order by array_position(${sharedRoles}, rolname::text)`;
  if (rows[0]) {
    const roles = rows.map(({ role }) => role).join(', ');
    throw new Error(
      `another owner has created the roles of this server. As that owner or a superuser: grant ${roles} to ${rows[0].user} with admin option; then run it again`,
    );
  }
}

/** How a password is sent: as a SCRAM verifier, which may stand in the server's log, or as it is. */
export type PasswordForm = 'verifier' | 'plain';

/** What became of the passwords. */
export interface Passwords {
  /** How those that were set were sent. */
  form: PasswordForm;
  /** The roles whose passwords were set. */
  set: string[];
  /** The roles that keep theirs, although a password was given, since the service logs in with it. */
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
 * Sets the password of the roles that log in and have none (`lacking`), or of all with `reset`: a service that uses their
 * passwords could no longer log in. Throws when the password is not of ASCII.
 */
export async function setPasswords(
  transaction: TransactionSql,
  password: string,
  { lacking, reset, form }: { lacking: string[]; reset: boolean; form: PasswordForm },
): Promise<Passwords> {
  const others = await otherDatabases(transaction);
  const set = reset ? loginRoles : lacking;
  const problem = findProblemOf(password);
  if (set.length > 0 && problem !== undefined) {
    throw new Error(problem);
  }
  for (const role of set) {
    const sent = form === 'plain' ? password : scramVerifier(password);
    const [statement] = await transaction<{ text: string }[]>`
      select format('alter role %I password %L', ${role}::text, ${sent}::text) as text`;
    await transaction.unsafe(statement?.text ?? '');
  }
  return { form, set, kept: loginRoles.filter(role => !set.includes(role)), others };
}

/** Returns why a password cannot be set. SASLprep (RFC 4013), which not every driver knows, changes characters beyond ASCII. */
export const findProblemOf = (password: string): string | undefined =>
  /^[ -~]*$/.test(password)
    ? undefined
    : 'API_DATABASE_PASSWORD may have only letters, digits, punctuation and spaces of ASCII';

/** Returns what Postgres stores of a password in ASCII: RFC 5803, in the form of Postgres's chapter on `pg_authid`. */
export function scramVerifier(password: string): string {
  const iterations = 4096;
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64');
  const serverKey = hmac('Server Key').toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}

/**
 * Whether an error of `alter role`, or of the commit after it, may be the refusal of a verifier: by Neon, or by a server that
 * checks the strength of passwords.
 */
export const mayRefuseVerifiers = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && /^(?:0A|22|28|P0|XX)/.test(error.code);

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

/** Describes what became of the passwords. `refused`: what to do where a role has another password than the given one. */
export async function describePasswords(
  url: string,
  password = '',
  passwords?: Passwords,
): Promise<{ lines: string[]; refused: string[] }> {
  if (passwords === undefined) {
    const unchanged = `The passwords of ${loginRoles.join(', ')} are unchanged: API_DATABASE_PASSWORD is not set.`;
    return { lines: [unchanged], refused: [] };
  }
  const { form, set, kept } = passwords;
  const lines = set.length > 0 ? [`The password of ${set.join(', ')} is now API_DATABASE_PASSWORD.`] : [];
  if (set.length > 0 && form === 'plain') {
    lines.push(
      'The server refuses SCRAM verifiers, so it was sent as plain text: a log of statements may have it.',
    );
  }
  const refused: string[] = [];
  for (const role of kept) {
    const reply = await tryLogin(url, role, password);
    if (reply === 'refused') {
      refused.push(role);
    } else {
      lines.push(
        reply === 'accepted'
          ? `API_DATABASE_PASSWORD is the password of ${role} already.`
          : `${role} keeps its password. Whether that is API_DATABASE_PASSWORD is unknown, since a login failed: ${reply.failed}.`,
      );
    }
  }
  return { lines, refused: refused.length > 0 ? [adviseOnRefusal(refused.join(', '), passwords)] : [] };
}

const adviseOnRefusal = (roles: string, { others }: Passwords): string =>
  `API_DATABASE_PASSWORD is not the password of ${roles}, and was not set${
    others.length > 0 ? `: this server's ${others.join(', ')} also use it` : ''
  }. Use the one that you kept. To set this one, for example after a restore without passwords, run ` +
  'npm run migrate -- --reset-password, and then update each Hyperdrive configuration that has another one.';

/** The beginning of a user's name at Supabase's pooler, which expects the project behind it. */
const pooledUser = /^[^.]+(?=\.\w+$)/;

/** Returns the connection string of a role for the database of another user's. */
export function loginUrl(owner: string, role: string, password: string): string {
  const url = new URL(owner);
  const isPooled = url.hostname.endsWith('.pooler.supabase.com');
  const username = isPooled ? url.username.replace(pooledUser, role) : role;
  return Object.assign(url, { username, password: encodeURIComponent(password) }).href;
}

/** Tries whether a role can log in with a password at the owner's address. */
export async function tryLogin(
  owner: string,
  role: string,
  password: string,
): Promise<'accepted' | 'refused' | { failed: string }> {
  const connected = connect(loginUrl(owner, role, password), 5);
  if (!connected.ok) {
    return { failed: connected.failure };
  }
  const sql = connected.value;
  try {
    await sql`select 1`;
    return 'accepted';
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    // 28P01 and 28000; a role without a password is refused like a wrong password.
    return code?.startsWith('28') ? 'refused' : { failed: message || String(code) };
  } finally {
    await sql.end({ timeout: 1 });
  }
}
