/** The settings of `npm start`, `npm run dev` and `npm run token`, from arguments and the environment. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readDatabaseUrl } from '../database/database-address.ts';
import { Problem, parseArguments } from './program.ts';

/** The root of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

export interface StartSettings {
  /** The directory of the data and the secrets. */
  directory: string;
  port: number;
  /** Whether to bundle again when the code changes. */
  watch: boolean;
  /** The connection string of a database's owner; without it, an embedded Postgres is started. */
  databaseUrl?: string;
}

/** Reads the settings. Throws a Problem when an argument, PORT or DATABASE_URL is invalid. */
export function readSettings(args: string[], env = process.env): StartSettings {
  const options = { watch: { type: 'boolean', default: false }, data: { type: 'string' } } as const;
  const usage = 'Usage: [PORT=<number>] npm start [-- --data <directory>]';
  const { watch, data } = parseArguments({ args, options }, usage).values;
  const { DATABASE_URL: databaseUrl } = env;
  // The service connects by the same parameters.
  const address = databaseUrl ? readDatabaseUrl(databaseUrl, 'worker') : undefined;
  if (address?.ok === false) {
    throw new Problem(address.failure);
  }
  const port = env['PORT'] || '8787';
  if (!/^\d+$/.test(port) || Number(port) > 65_535) {
    throw new Problem(`PORT is "${port}"; it must be a number up to 65535.`);
  }
  return {
    directory: dataDirectory(data),
    port: Number(port),
    watch,
    ...(databaseUrl && { databaseUrl }),
  };
}

/** Returns the directory of the argument `--data`, by default `.local/` in the repository. */
export const dataDirectory = (data: string | undefined): string => resolve(root, data ?? '.local');
