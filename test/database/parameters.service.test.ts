/**
 * What the connection strings of hosting providers have besides host and login: it works, or is refused by its name.
 * https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-PARAMKEYWORDS
 */
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { readDatabaseUrl } from '../../functions/database/database-address.ts';
import { readSettings } from '../../functions/local/settings.ts';
import { connect } from '../../sql/connect.ts';
import { startService } from '../setup/service.ts';
import { callerOf } from '../setup/wire.ts';

const { ownerUrl, template } = inject('postgres');
const withParameters = (parameters: string): string => {
  const url = Object.assign(new URL(ownerUrl), { pathname: template, search: parameters });
  return url.href;
};

it.each([
  ['sslmode=prefer&channel_binding=prefer', 'libpq'],
  ['pgbouncer=true&connection_limit=1&pool_timeout=5', 'Supabase, for Prisma'],
  ['connect_timeout=7&application_name=migration', 'Neon'],
  ['options=-c%20statement_timeout%3D9000', 'libpq'],
])('a program connects with %s (%s)', async parameters => {
  const sql = connect(withParameters(parameters), 5);
  expect(sql).toMatchObject({ ok: true });
  if (sql.ok) {
    const [row] = await sql.value`
      select current_setting('application_name') as name, current_setting('statement_timeout') as timeout`;
    const { connect_timeout, prepare } = sql.value.options as unknown as Record<string, unknown>;
    await sql.value.end();
    expect({ ...row, connect_timeout, prepare }).toEqual({
      prepare: !parameters.includes('pgbouncer'),
      name: parameters.includes('application_name') ? 'migration' : 'postgres.js',
      timeout: parameters.includes('statement_timeout') ? '9s' : '0',
      connect_timeout: parameters.includes('connect_timeout') ? 7 : 5,
    });
  }
});

it("sends Neon's endpoint to the server, which is Neon's proxy", () => {
  const address = readDatabaseUrl(
    'postgres://u:p@host/db?sslmode=require&options=endpoint%3Dep-a',
    'program',
  );
  expect(address.ok && new URL(address.value.url).search).toBe('?options=endpoint%3Dep-a');
});

describe('the TLS mode', () => {
  const read = (parameters: string) => {
    const address = readDatabaseUrl(`postgres://u:p@host/db?${parameters}`, 'program');
    return address.ok ? [address.value.tls, address.value.rootCertificate] : address.failure;
  };

  it.each([
    ['', 'disable', undefined],
    ['sslmode=allow', 'prefer', undefined],
    ['sslmode=no-verify', 'require', undefined],
    ['sslmode=require&channel_binding=require', 'verify-full', undefined],
    ['sslmode=require&sslrootcert=ca.pem', 'verify-ca', 'ca.pem'],
    ['sslmode=verify-full&sslrootcert=ca.pem', 'verify-full', 'ca.pem'],
    ['sslmode=require&sslrootcert=system', 'verify-full', undefined],
  ])('of %j is %s', (parameters, tls, certificate) => {
    expect(read(parameters)).toEqual([tls, certificate]);
  });
});

describe('a connection string is refused', () => {
  it.each([
    ['sslmode=verify', 'sslmode with a value that is not supported: use disable, allow,'],
    ['sslcert=client.pem', 'sslcert, which is not supported: client certificates work only over Hyperdrive.'],
    ['constructor=x', 'constructor, which is not supported: remove it.'],
  ])('with %s, by name and without its password', (parameters, sentence) => {
    const address = readDatabaseUrl(`postgres://owner:s3cr3t@host/db?${parameters}`, 'program');
    expect(address.ok ? '' : address.failure).toContain(`DATABASE_URL has the parameter ${sentence}`);
    expect(address).not.toMatchObject({ failure: expect.stringContaining('s3cr3t') });
  });

  it.each([
    ['sslmode=verify-full&sslrootcert=ca.pem', 'sslrootcert, and a Worker trusts only public'],
    ['pgbouncer=true', "pgbouncer, and a Worker's own pool needs sessions of its own"],
  ])('by npm start with %s, which its worker cannot do', (parameters, sentence) => {
    const DATABASE_URL = `postgres://u:p@host/db?${parameters}`;
    expect(() => readSettings([], { DATABASE_URL })).toThrow(`DATABASE_URL has the parameter ${sentence}`);
  });

  it('when the file of sslrootcert cannot be read', () => {
    const url = withParameters(`sslmode=verify-full&sslrootcert=${join('nowhere', 'ca.pem')}`);
    expect(connect(url, 5)).toEqual({
      ok: false,
      failure: expect.stringMatching(/^The file of sslrootcert in DATABASE_URL cannot be read: ENOENT/),
    });
  });
});

it('the pool of a worker answers 503 when its connection string is refused, and the log says why', async () => {
  const service = await startService({ worker: 'all' });
  await service.restart({ DATABASE_URL: `${service.database.apiUrl}?pgbouncer=true` });
  const { status } = await callerOf(service, service.secretKey).get('/graphics?limit=1');
  await expect
    .poll(() => service.logs.join('\n'))
    .toContain('"reason":"DATABASE_URL has the parameter pgbouncer, and a Worker');
  await service.restart({ DATABASE_URL: `${service.database.apiUrl}?sslmode=prefer&channel_binding=prefer` });
  const again = await callerOf(service, service.secretKey).get('/graphics?limit=1');
  await service.stop();
  expect([status, again.status]).toEqual([503, 200]);
});
