/** Hyperdrive has no database to lead to. */
import { expect, it } from 'vitest';
import { postgresPort } from '../setup/service.ts';
import { use } from '../setup/use.ts';
import { callerOf } from '../setup/wire.ts';
import { startLink } from './link.ts';
import { startWays } from './under-load.ts';

const link = use(() => startLink(postgresPort()), 'stop');
const behind = use(() => startWays(['hyperdrive'], { databasePort: link.port }), 'stop');

it('a database that is down is 58000 in the log, and a 503 until it is back', async () => {
  for (const service of behind.services) {
    const { get } = callerOf(service, service.secretKey);
    await link.refuse();
    service.logs.length = 0;
    expect((await get('/quotes')).status).toBe(503);
    await expect.poll(() => service.logs.join('\n')).toContain('"reason":"58000"');
    await link.resume();
    expect((await get('/quotes')).status).toBe(200);
  }
});
