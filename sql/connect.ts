/** Connects programs of this machine to the database of a connection string. */
import { readFileSync } from 'node:fs';
import postgres, { type Sql } from 'postgres';
import { fail, ok, type Result } from '../functions/common/failure/result.ts';
import { type DatabaseAddress, readDatabaseUrl } from '../functions/database/database-address.ts';

/** Returns a connection that opens with the first query, or why there can't be one. `seconds` limits the time to connect. */
export function connect(databaseUrl: string, seconds: number): Result<Sql, string> {
  const address = readDatabaseUrl(databaseUrl, 'program');
  if (!address.ok) {
    return address;
  }
  const { url, options, prepare, connectSeconds } = address.value;
  const ssl = sslOf(address.value);
  return ssl.ok
    ? ok(
        postgres(url, {
          ...options,
          ssl: ssl.value,
          max: 1,
          prepare,
          connect_timeout: connectSeconds ?? seconds,
          onnotice: () => {},
        }),
      )
    : ssl;
}

/** Returns the driver's option `ssl`. By itself it would compare a certificate with `localhost` if the host is an address. */
function sslOf({
  url,
  tls,
  rootCertificate,
}: DatabaseAddress): Result<false | 'prefer' | 'require' | object, string> {
  if (tls === 'disable') {
    return ok(false);
  }
  if (tls === 'prefer' || tls === 'require') {
    return ok(tls);
  }
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  try {
    const ca = rootCertificate === undefined ? undefined : readFileSync(rootCertificate);
    return ok({ host, ca, ...(tls === 'verify-ca' && { checkServerIdentity: () => undefined }) });
  } catch (error) {
    return fail(`The file of sslrootcert in DATABASE_URL cannot be read: ${(error as Error).message}.`);
  }
}
