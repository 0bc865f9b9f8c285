/** The variables of the worker on a developer's machine. */
import { execFileSync } from 'node:child_process';
import { loginUrl } from '../../sql/login-passwords.ts';
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
  LIVE_SOCKETS: String(Math.floor(openFiles() / 4)),
});

/** Returns how many files workerd may have open. It takes two for a connection. Node has raised the limit as far as it may. */
function openFiles(): number {
  const limit = execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim();
  return limit === 'unlimited' ? Number.POSITIVE_INFINITY : Number(limit);
}

const deliveryNames = [
  'MAIL_URL',
  'MAIL_FROM',
  'MAIL_REPLY_TO',
  'MAIL_PER_DAY',
  'STAFF_EMAIL',
  'APP_URL',
  'SERVICE_URL',
  'WEBHOOKS_ON_LOOPBACK',
  'OFFER_LINKS',
];

interface DeliveryVariables {
  variables: Record<string, string>;
  /** Whether e-mail goes to the inbox, whose MAIL_URL is known when it is started. */
  hasInbox: boolean;
}

/**
 * Returns the developer's own variables, and for the others those of the demo. Only its e-mail goes to the inbox. Another
 * database may be a copy, and what is due there was promised to somebody: e-mail waits unless there is a MAIL_URL, and webhooks
 * unless DELIVER is `on`.
 */
export function deliveryVariables(port: number, isDemo: boolean, env = process.env): DeliveryVariables {
  const own = Object.fromEntries(deliveryNames.flatMap(name => (env[name] ? [[name, env[name]]] : [])));
  const hasInbox = isDemo && !env['MAIL_URL'];
  const sender = {
    MAIL_FROM: 'Uniform Builder <quotes@builder.example>',
    SERVICE_URL: `http://127.0.0.1:${port}`,
  };
  return {
    variables: {
      WEBHOOKS_ON_LOOPBACK: 'on',
      ...((hasInbox || env['MAIL_URL']) && sender),
      ...(isDemo && { APP_URL: `http://127.0.0.1:${port}/demo#/` }),
      ...own,
      DELIVER: env['DELIVER'] === 'on' || (isDemo && env['DELIVER'] !== 'off') ? 'on' : 'off',
    },
    hasInbox,
  };
}
