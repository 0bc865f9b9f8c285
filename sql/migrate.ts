/**
 * Applies the numbered migrations of this folder to a database: all that are missing, in one transaction, under a
 * lock, so that a failed one leaves nothing behind and two deploys at once take turns.
 *
 * As a program (`npm run migrate`) it reads `DATABASE_URL` (a connection of the database's owner) and
 * `API_DATABASE_PASSWORD` (set as the password of the roles that log in, when given).
 */
import { fileURLToPath } from 'node:url';
import Postgrator from 'postgrator';
import postgres, { type Sql } from 'postgres';

/** Any constant will do; it only has to be the same for every deploy. */
const migrationLock = 7_203_513_491;

const loginRoles = ['builder_api', 'builder_sweeper'];

export interface Migration {
  version: number;
  name: string;
}

/** Brings the database up to date and answers what was applied. Rejects with the database's error otherwise. */
export async function migrate(sql: Sql, loginPassword?: string): Promise<Migration[]> {
  return await sql.begin(async transaction => {
    await transaction`set local client_min_messages = warning`;
    await transaction`select pg_advisory_xact_lock(${migrationLock})`;
    const postgrator = new Postgrator({
      driver: 'pg',
      migrationPattern: fileURLToPath(new URL('./*.sql', import.meta.url)),
      schemaTable: 'builder.migrations',
      execQuery: async query => ({ rows: await transaction.unsafe(query) }),
    });
    const applied = await postgrator.migrate();
    if (loginPassword !== undefined) {
      for (const role of loginRoles) {
        const [statement] = await transaction<{ text: string }[]>`
          select format('alter role %I password %L', ${role}::text, ${loginPassword}::text) as text`;
        await transaction.unsafe(statement?.text ?? '');
      }
    }
    return applied.map(({ version, name }) => ({ version, name }));
  });
}

async function main(): Promise<void> {
  const { DATABASE_URL: url, API_DATABASE_PASSWORD: password } = process.env;
  if (!url) {
    console.error('DATABASE_URL is not set: it is the connection of the database owner.');
    process.exit(1);
  }
  const sql = postgres(url, { max: 1, connect_timeout: 10, onnotice: () => {} });
  try {
    const applied = await migrate(sql, password);
    for (const { version, name } of applied) {
      console.log(`applied ${version} ${name}`);
    }
    console.log(
      applied.length === 0 ? 'The database is up to date.' : `${applied.length} migrations applied.`,
    );
  } catch (error) {
    console.error(`The migration failed and left nothing behind: ${(error as Error).message}`);
    process.exitCode = 1;
  } finally {
    await sql.end();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await main();
}
