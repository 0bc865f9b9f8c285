/**
 * Connections with TLS: their ends are noticed, during the handshake too, and a certificate that is not trusted is named.
 * @module-tag full
 */
import { describe, expect, it } from 'vitest';
import { connect } from '../../sql/connect.ts';
import { copyCertificate } from '../setup/certificate.ts';
import { createDatabase } from '../setup/database.ts';
import { type ServiceOptions, startService } from '../setup/service.ts';
import { use } from '../setup/use.ts';
import { callerOf } from '../setup/wire.ts';
import { startCluster } from './cluster.ts';
import { endNew } from './ends.ts';
import { startLink } from './link.ts';
import { eachTime, endureRounds, type Fault, light } from './under-load.ts';
import { startBothWays } from './ways.ts';

const encrypted = (url: string): string =>
  Object.assign(new URL(url), { hostname: 'localhost', search: 'sslmode=require' }).href;

/** Reads once. Returns the status, and the log that has it. */
async function readOnce(options: ServiceOptions): Promise<[status: number, log: string]> {
  const service = await startService(options);
  const { status } = await callerOf(service, service.secretKey).get('/quotes?limit=1');
  await expect.poll(() => service.logs.join('\n')).toContain(`"status":${status}`);
  await service.stop();
  return [status, service.logs.join('\n')];
}

describe('a certificate that workerd trusts', () => {
  const cluster = use(() => startCluster({ tls: true }), 'remove');
  const link = use(() => startLink(Number(new URL(cluster.database.ownerUrl).port)), 'stop');
  const both = use(() => {
    const { database } = cluster;
    const [apiUrl, jobsUrl] = [encrypted(database.apiUrl), encrypted(database.jobsUrl)];
    return startBothWays({ database: { ...database, apiUrl, jobsUrl }, databasePort: link.port });
  }, 'stop');

  it('encrypts every connection', async () => {
    expect((await both.services[0]?.fetch('/health'))?.status).toBe(200);
    const plain = await cluster.database.sql`
      select from pg_stat_ssl join pg_stat_activity using (pid) where usename = 'builder_api' and not ssl`;
    expect(plain).toHaveLength(0);
  });

  it.each<[how: string, faultOf: () => Fault]>([
    ['when the handshake has begun', () => endNew(link, 'client', 2)],
    ['under way', () => ({ strike: () => link.cut() })],
  ])(`connections with TLS end %s, ${eachTime}`, async (_, faultOf) => {
    await endureRounds(cluster.database, both.services, faultOf(), [light, light]);
  });

  it('a read succeeds when its first connection breaks in the handshake', async () => {
    const { database } = cluster;
    const address = Object.assign(new URL(encrypted(database.apiUrl)), { port: String(link.port) });
    const bindings = { DATABASE_URL: address.href };
    const service = await startService({ worker: 'all', database, bindings });
    let broken = 0;
    link.inspect((from, chunk, { chunks }) => {
      const breaks = broken === 0 && from === 'client' && chunks.client === 2;
      broken += Number(breaks);
      return breaks ? 0 : chunk.length;
    });
    const { status } = await callerOf(service, service.secretKey).get('/quotes?limit=1');
    link.inspect();
    await service.stop();
    expect({ status, broken }).toEqual({ status: 200, broken: 1 });
  });
});

describe('a certificate of a private authority, as those of Supabase and RDS', () => {
  const certificate = use(() => copyCertificate('untrusted'), 'remove');
  const cluster = use(() => startCluster({ tls: certificate }), 'remove');
  const options = (): ServiceOptions => ({
    worker: 'all',
    database: cluster.database,
    bindings: { DATABASE_URL: encrypted(cluster.database.apiUrl) },
  });

  it('that workerd does not know is refused by a pool with 503, and the log says what to do', async () => {
    const [status, log] = await readOnce(options());
    expect(status).toBe(503);
    expect(log).toContain('"reason":"TLS_FAILED: the certificate is not from a public authority');
    expect(log).toContain('Hyperdrive supports a private CA');
  });

  const connectTo = async (host: string, parameters: string): Promise<string> => {
    const url = new URL(cluster.database.ownerUrl);
    const sql = connect(Object.assign(url, { hostname: host, search: parameters }).href, 5);
    if (!sql.ok) {
      return sql.failure;
    }
    const rows = sql.value`select ssl from pg_stat_ssl where pid = pg_backend_pid()`;
    const outcome = await rows.then(
      ([row]) => (row?.['ssl'] ? 'encrypted' : 'plain'),
      error => error.code,
    );
    await sql.value.end({ timeout: 1 });
    return outcome;
  };
  it.each([
    ['localhost', 'sslmode=disable', 'plain'],
    ['localhost', 'sslmode=prefer', 'encrypted'],
    ['localhost', 'sslmode=require', 'encrypted'],
    ['localhost', 'sslmode=no-verify', 'encrypted'],
    ['localhost', 'sslmode=verify-full', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['localhost', 'sslmode=require&channel_binding=require', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['localhost', 'sslmode=require&sslrootcert=<file>', 'encrypted'],
    ['localhost', 'sslmode=verify-full&sslrootcert=<file>', 'encrypted'],
    ['127.0.0.1', 'sslmode=verify-ca&sslrootcert=<file>', 'encrypted'],
    ['127.0.0.1', 'sslmode=verify-full&sslrootcert=<file>', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('is met by a program at %s with %s: %s', async (host, parameters, outcome) => {
    const given = parameters.replace('<file>', encodeURIComponent(certificate.path));
    expect(await connectTo(host, given)).toBe(outcome);
  });
});

it.each([
  ['prefer', 200, ''],
  ['require', 503, '"reason":"NO_TLS"'],
])('a server without TLS, with sslmode=%s, is %i', async (mode, status, reason) => {
  const database = await createDatabase();
  const bindings = { DATABASE_URL: `${database.apiUrl}?sslmode=${mode}` };
  expect(await readOnce({ database, bindings, worker: 'all' })).toEqual([
    status,
    expect.stringContaining(reason),
  ]);
});
