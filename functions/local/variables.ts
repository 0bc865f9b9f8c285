/** The variables of the worker on a developer's machine. */
import { loginUrl } from './database.ts';
import type { Secrets } from './secrets.ts';

/** Returns them; `owner` is the connection string of the database's owner. */
export const variablesOf = (owner: string, secrets: Secrets): Record<string, string> => ({
  DATABASE_URL: loginUrl(owner, 'builder_api', secrets.loginPassword),
  SWEEPER_DATABASE_URL: loginUrl(owner, 'builder_sweeper', secrets.loginPassword),
  DELIVERER_DATABASE_URL: loginUrl(owner, 'builder_deliverer', secrets.loginPassword),
  PUBLISHABLE_KEY: secrets.publishableKey,
  SECRET_KEY: secrets.secretKey,
  JWT_SECRET: secrets.jwtSecret,
  LOCAL: '1',
});
