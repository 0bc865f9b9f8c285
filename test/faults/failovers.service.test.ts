/** The address of the database leads to another server, or the server there has become read-only. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService } from '../setup/service.ts';
import { aQuote, callerOf } from '../setup/wire.ts';
import { type Pair, startPair } from './pair.ts';
import { endureRounds, rounds } from './rounds.ts';
import { type BothWays, isGood, startBothWays, underLoad } from './under-load.ts';

let pair: Pair;
let both: BothWays;
beforeAll(async () => {
  pair = await startPair();
  both = await startBothWays({ database: pair.database, databasePort: pair.address.port });
});
afterAll(async () => {
  await both.stop();
  await pair.remove();
});

/** Milliseconds. */
const lasts = 100;

describe('good again at once, reads all the time', { timeout: 60_000 }, () => {
  it('after the address led to the standby, whose connections nobody ends', async () => {
    const met = await endureRounds(pair.database, both.services, {
      strike() {
        pair.address.leadTo(pair.standby.port);
        pair.address.cut();
      },
      lasts,
      mend: () => pair.address.leadTo(pair.primary.port),
    });
    expect(met.read).toBeGreaterThan(rounds);
    expect(met.write).toBeGreaterThan(rounds);
  });

  it('after the primary was read-only for a time', async () => {
    const { sql } = pair.database;
    const readOnly = async (value: 'on' | 'off') => {
      await sql.unsafe(`alter system set default_transaction_read_only = ${value}`).catch(() => {});
      await sql`select pg_reload_conf()`;
    };
    const met = await endureRounds(pair.database, both.services, {
      strike: () => readOnly('on'),
      lasts,
      mend: () => readOnly('off'),
    });
    expect(met.read).toBeGreaterThan(rounds);
    expect(met.write).toBeGreaterThan(rounds);
  });
});

it('a worker with READ_REPLICA refuses writes at once, and reads', async () => {
  const { database } = pair;
  const service = await startService({
    database: { ...database, drop: async () => {} },
    databasePort: pair.standby.port,
    bindings: { READ_REPLICA: '1' },
  });
  const account = randomUUID();
  const customer = callerOf(service, service.publishableKey, await service.token({ account }));
  const refused = await customer.send('POST', '/quotes', aQuote(account));
  expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
    405,
    '25006',
    null,
  ]);
  expect(refused.headers.get('allow')).toBe('OPTIONS,GET,HEAD');
  expect((await customer.get('/quotes')).status).toBe(200);
  await service.stop();
});

// The last: the primary does not come back.
it('the primary is killed and the standby promoted: what was acknowledged is there, once', async () => {
  const attempts = await underLoad(pair.database, both.services, async () => {
    await pair.failOver();
  });
  for (const ofService of attempts) {
    expect(ofService.filter(isGood).length).toBeGreaterThan(20);
    expect(ofService.filter(attempt => !isGood(attempt)).length).toBeGreaterThan(0);
  }
});
