/** The variables of the worker on a developer's machine. */
import { loginUrl } from './database.ts';
import type { Secrets } from './secrets.ts';

/**
 * Returns them; `owner` is the connection string of the database's owner. The users of a login service whose key set is named
 * by JWKS_URL are accepted beside those of `npm run token`. READ_KEY is a read key, if one is wanted.
 */
export const variablesOf = (
  owner: string,
  secrets: Secrets,
  { JWKS_URL, READ_KEY } = process.env,
): Record<string, string> => ({
  DATABASE_URL: loginUrl(owner, 'builder_api', secrets.loginPassword),
  JOBS_DATABASE_URL: loginUrl(owner, 'builder_jobs', secrets.loginPassword),
  PUBLISHABLE_KEY: secrets.publishableKey,
  SECRET_KEY: secrets.secretKey,
  ...(READ_KEY && { READ_KEY }),
  JWT_SECRET: secrets.jwtSecret,
  ...(JWKS_URL && { JWKS_URL }),
  LOCAL: '1',
});
