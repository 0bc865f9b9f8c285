/** What `npm start`, `npm run dev` and `npm run token` read from the environment. Starts and writes nothing. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Problem } from './problem.ts';

/** The checkout. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

export interface Settings {
  /** Where the data and the secrets are kept. */
  directory: string;
  port: number;
  /** Bundle again whenever the code changes. */
  watch: boolean;
  /** The connection of a database's owner; without it, an embedded Postgres is started. */
  databaseUrl?: string;
}

/** Takes the program's arguments; throws a Problem when one of them, or PORT or DATABASE_URL, is wrong. */
export function readSettings(args: string[], env = process.env): Settings {
  const { watch, data } = parseArguments(args);
  const { DATABASE_URL: databaseUrl } = env;
  if (databaseUrl && !isPostgresUrl(databaseUrl)) {
    throw new Problem(
      'DATABASE_URL is not an address of Postgres: postgres://user:password@host:port/database.',
    );
  }
  const port = env['PORT'] || '8787';
  if (!/^\d+$/.test(port) || Number(port) > 65_535) {
    throw new Problem(`PORT is "${port}"; it must be a number up to 65535.`);
  }
  return { directory: dataDirectory(data), port: Number(port), watch, ...(databaseUrl && { databaseUrl }) };
}

function isPostgresUrl(text: string): boolean {
  try {
    return /^postgres(ql)?:$/.test(new URL(text).protocol);
  } catch {
    return false;
  }
}

/** The folder an argument `--data` names, or `.local/` in the checkout. */
export const dataDirectory = (given: string | undefined): string => resolve(root, given ?? '.local');

function parseArguments(args: string[]) {
  try {
    const options = { watch: { type: 'boolean', default: false }, data: { type: 'string' } } as const;
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new Problem(`${(error as Error).message} Usage: npm start [-- --data <directory>]`);
  }
}
