/** The Postgres of the tests: that of `npm start`, or another version, which POSTGRES names (15, 16 or 17). */
import { createRequire } from 'node:module';
import {
  builtinLocale,
  type PostgresOptions,
  type PostgresServer,
  startPostgres,
} from '../../functions/local/postgres.ts';

/** Before 17, Postgres has no locale of its own, and takes that of the machine. */
const machineLocale = ['--locale=C', '--lc-ctype=C.UTF-8'];

/** Those before the version of `npm start`. */
const others = {
  15: { package: 'postgres-15', locale: machineLocale },
  16: { package: 'postgres-16', locale: machineLocale },
  17: { package: 'postgres-17', locale: builtinLocale },
};

export type Version = keyof typeof others | 18;

/** All versions that the service supports. */
export const versions: readonly Version[] = [15, 16, 17, 18];

const chosen = (): Version => {
  const named = Number(process.env['POSTGRES'] ?? 18);
  const version = versions.find(one => one === named);
  if (version === undefined) {
    throw new Error(`POSTGRES is ${process.env['POSTGRES']}; it can be ${versions.join(', ')}.`);
  }
  return version;
};

export function startTestPostgres(
  options: Omit<PostgresOptions, 'version'>,
  version = chosen(),
): Promise<PostgresServer> {
  if (version === 18) {
    return startPostgres(options);
  }
  const { package: name, locale } = others[version];
  return startPostgres({
    ...options,
    version: { embedded: createRequire(import.meta.url).resolve(name), locale },
  });
}
