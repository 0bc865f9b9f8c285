/**
 * `npm run migrate`: reads `DATABASE_URL` (the connection string of the database's owner) and `API_DATABASE_PASSWORD` (the
 * password of the roles that log in, which is set where they have none). With `--reset-password` it replaces the one that they
 * have. `--copy` and `--restored` say what the rows of the database come from: see code/copies.sql. `--copy` has no undo, so
 * without `--yes` it only says what it would change.
 */
import { parseArgs } from 'node:util';
import type { Sql } from 'postgres';
import { connect } from './connect.ts';
import { describePasswords, type Passwords } from './login-passwords.ts';
import { type MigrateOptions, migrate, previewCopy, type Silenced } from './migrate.ts';
import { endWithReader } from './output.ts';

const usage = 'Usage: npm run migrate [-- [--reset-password] [--copy --yes | --restored]]';

interface Given extends Pick<MigrateOptions, 'resetPassword' | 'origin'> {
  isConfirmed: boolean;
}

function readArguments(): Given {
  const flag = { type: 'boolean', default: false } as const;
  try {
    const options = { 'reset-password': flag, copy: flag, restored: flag, yes: flag };
    const { 'reset-password': resetPassword, copy, restored, yes } = parseArgs({ options }).values;
    if (copy && restored) {
      throw new Error(
        '--copy is for a copy beside its original, --restored for one in its place: give one of them.',
      );
    }
    if (yes && !copy) {
      throw new Error('--yes is only for --copy.');
    }
    return { resetPassword, isConfirmed: yes, origin: copy ? 'copy' : restored ? 'restored' : undefined };
  } catch (error) {
    console.error(`${(error as Error).message} ${usage}`);
    process.exit(1);
  }
}

const describeSilenced = ({ webhooks, deliveries }: Silenced): string =>
  `Webhooks disabled: ${webhooks}. Deliveries skipped: ${deliveries}.`;

/** Says which database it is and what would change in it. */
async function askForConfirmation(sql: Sql, url: string): Promise<void> {
  const { webhooks, deliveries, connections } = await previewCopy(sql);
  const { hostname, port, pathname, username } = new URL(url);
  const place = `${decodeURIComponent(pathname.slice(1))} at ${hostname}:${port || 5432}, as ${decodeURIComponent(username)}`;
  console.error(
    [
      `The database ${place}:`,
      `  webhooks to disable: ${webhooks}`,
      `  deliveries to skip for good: ${deliveries}`,
      `  connections of the service: ${connections}`,
      'Nothing was changed. If this is the copy and not its original, run it again with --yes.',
    ].join('\n'),
  );
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { isConfirmed, ...options } = readArguments();
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
    if (options.origin === 'copy' && !isConfirmed) {
      await askForConfirmation(sql, url);
      return;
    }
    // A restore is adapted once, so with another password it is not adapted yet.
    const checkPasswords = async (given: Passwords | undefined): Promise<void> => {
      const { refused } =
        options.origin === 'restored' ? await describePasswords(url, password, given) : { refused: [] };
      if (refused.length > 0) {
        throw new Error(refused.join(' '));
      }
    };
    const { applied, passwords, silenced } = await migrate(sql, password, { ...options, checkPasswords });
    for (const file of applied) {
      console.log(`applied ${file}`);
    }
    console.log('The database is up to date.');
    if (options.origin === 'restored') {
      console.log('The sequences have moved on by a million, past the numbers that were lost.');
    } else if (silenced) {
      console.log(describeSilenced(silenced));
    }
    const { lines, refused } = await describePasswords(url, password, passwords);
    for (const line of lines) {
      console.log(line);
    }
    for (const line of refused) {
      console.error(line);
      process.exitCode = 1;
    }
  } catch (error) {
    console.error(
      `The migration failed and changed nothing: ${(error as Error).message.replace(/\.$/, '')}.`,
    );
    process.exitCode = 1;
  } finally {
    await sql.end();
  }
}

endWithReader();
await main();
