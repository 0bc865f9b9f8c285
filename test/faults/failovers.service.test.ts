/**
 * The address of the database leads to another server, or the server there has become read-only.
 *
 * @module-tag full
 */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { eachTime, sample } from '../setup/full-size.ts';
import { aQuote } from '../setup/rows.ts';
import { startService } from '../setup/service.ts';
import { use } from '../setup/use.ts';
import { signIn } from '../setup/wire.ts';
import { startPair } from './pair.ts';
import { endureRounds, type Fault, timeout } from './under-load.ts';
import { startAllWays } from './ways.ts';

const pair = use(startPair, 'remove');
const all = use(() => startAllWays({ database: pair.database, databasePort: pair.address.port }), 'stop');

/** Milliseconds. */
const lasts = 100;

const faults: [what: string, fault: Fault][] = [
  [
    'the primary is killed and the standby promoted, which gets a standby of its own',
    { strike: () => pair.killPrimary(), mend: () => pair.promote() },
  ],
  [
    'the address leads to the standby for a time, whose connections nobody ends',
    {
      strike() {
        pair.address.leadTo(pair.standby?.port ?? 0);
        pair.address.cut();
      },
      lasts,
      mend: () => pair.address.leadTo(pair.primary.port),
    },
  ],
  [
    'the primary is read-only for a time',
    { strike: () => setReadOnly('on'), lasts, mend: () => setReadOnly('off') },
  ],
];

async function setReadOnly(value: 'on' | 'off'): Promise<void> {
  const { sql } = pair.database;
  await sql.unsafe(`alter system set default_transaction_read_only = ${value}`).catch(() => {});
  await sql`select pg_reload_conf()`;
}

it.each(sample(1, faults))(`%s, ${eachTime}`, { timeout }, async (_, fault) => {
  await endureRounds(pair.database, all.services, { prepare: () => pair.complete(), ...fault });
});

it('a worker with READ_REPLICA refuses writes at once, and reads', async () => {
  await pair.complete();
  const service = await startService({
    database: pair.database,
    databasePort: pair.standby?.port ?? 0,
    bindings: { READ_REPLICA: '1' },
  });
  const account = randomUUID();
  const customer = await signIn(service, { account });
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
