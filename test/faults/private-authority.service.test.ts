/** A database whose certificate is of an authority that workerd does not know, as those of Supabase and RDS are. */
import { expect, it } from 'vitest';
import { copyCertificate } from '../setup/certificate.ts';
import { type ServiceOptions, startService } from '../setup/service.ts';
import { use } from '../setup/use.ts';
import { callerOf } from '../setup/wire.ts';
import { startCluster } from './cluster.ts';

const certificate = use(() => copyCertificate('untrusted'), 'remove');
const cluster = use(() => startCluster({ tls: certificate }), 'remove');

/** The address of the database over TLS. */
const encrypted = (): string =>
  Object.assign(new URL(cluster.database.apiUrl), { hostname: 'localhost', search: 'sslmode=require' }).href;

async function read(options: ServiceOptions): Promise<{ status: number; logs: string[] }> {
  const database = { ...cluster.database, drop: async () => {} };
  const service = await startService({ database, ...options });
  const { status } = await callerOf(service, service.secretKey).get('/quotes?limit=1');
  await expect.poll(() => service.logs.join('\n')).toContain(`"status":${status}`);
  await service.stop();
  return { status, logs: service.logs };
}

it('a pool is refused by the certificate: 503, and the log says what to do', async () => {
  const { status, logs } = await read({ bindings: { DATABASE_URL: encrypted() } });
  expect(status).toBe(503);
  expect(logs.join('\n')).toContain('"reason":"TLS_FAILED: the certificate is not from a public authority');
  expect(logs.join('\n')).toContain('Hyperdrive supports a private CA');
});

it('Hyperdrive is used where it is bound, in place of the pool', async () => {
  const { status } = await read({ bindings: { DATABASE_URL: encrypted() }, hyperdrive: 'and pool' });
  expect(status).toBe(200);
});
