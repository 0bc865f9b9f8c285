/** Hyperdrive has no database to lead to. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { postgresPort } from '../setup/service.ts';
import { callerOf } from '../setup/wire.ts';
import { type Link, startLink } from './link.ts';
import { type Services, startWays } from './under-load.ts';

let link: Link;
let behind: Services;
beforeAll(async () => {
  link = await startLink(postgresPort());
  behind = await startWays(['hyperdrive'], { databasePort: link.port });
});
afterAll(async () => {
  await behind.stop();
  await link.stop();
});

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
