/**
 * `npm run migrate`: reads `DATABASE_URL` (the connection string of the database's owner) and `API_DATABASE_PASSWORD` (the
 * password of the roles that log in; without it, their passwords are unchanged). With `--reset-password` it sets that password
 * also where other databases of the server use these roles. `--copy` and `--restored` say what the rows of the database come
 * from: see code/copies.sql.
 */
import { parseArgs } from 'node:util';
import { connect } from './connect.ts';
import { describePasswords } from './login-passwords.ts';
import { type MigrateOptions, migrate, type Silenced } from './migrate.ts';
import { endWithReader } from './output.ts';

const usage = 'Usage: npm run migrate [-- [--reset-password] [--copy | --restored]]';

function readArguments(): Pick<MigrateOptions, 'resetPassword' | 'origin'> {
  const flag = { type: 'boolean', default: false } as const;
  try {
    const options = { 'reset-password': flag, copy: flag, restored: flag };
    const { 'reset-password': resetPassword, copy, restored } = parseArgs({ options }).values;
    if (copy && restored) {
      throw new Error(
        '--copy is for a copy beside its original, --restored for one in its place: give one of them.',
      );
    }
    return { resetPassword, origin: copy ? 'copy' : restored ? 'restored' : undefined };
  } catch (error) {
    console.error(`${(error as Error).message} ${usage}`);
    process.exit(1);
  }
}

const describeSilenced = ({ webhooks, deliveries }: Silenced): string =>
  `Webhooks disabled: ${webhooks}. Deliveries skipped: ${deliveries}.`;

async function main(): Promise<void> {
  const options = readArguments();
  const { DATABASE_URL: url, API_DATABASE_PASSWORD: password } = process.env;
  if (!url) {
    console.error("DATABASE_URL is not set. Set it to the connection string of the database's owner.");
    process.exit(1);
  }
  const connected = connect(url, 10);
  if (!connected.ok) {
    console.error(connected.failure);
    process.exit(1);
  }
  if (options.resetPassword && !password) {
    console.error('--reset-password needs API_DATABASE_PASSWORD, the new password.');
    process.exit(1);
  }
  const sql = connected.value;
  try {
    const { applied, passwords, silenced } = await migrate(sql, password, options);
    for (const file of applied) {
      console.log(`applied ${file}`);
    }
    console.log('The database is up to date.');
    if (options.origin === 'restored') {
      console.log('The sequences have moved on by a million, past the numbers that were lost.');
    } else if (silenced) {
      console.log(describeSilenced(silenced));
    }
    console.log((await describePasswords(url, password, passwords)).join('\n'));
  } catch (error) {
    console.error(`The migration failed and changed nothing: ${(error as Error).message}.`);
    process.exitCode = 1;
  } finally {
    await sql.end();
  }
}

endWithReader();
await main();
