/**
 * Where other programs use the machine, workerd runs for moments only: what the pool is slow to do is not lost.
 *
 * @module-tag full
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { idsOf } from '../costs/processes.ts';
import { untilBlocked } from '../setup/locks.ts';
import { aQuote } from '../setup/rows.ts';
import { startService } from '../setup/service.ts';
import { representation, signIn } from '../setup/wire.ts';

/** Stops a process, but for `milliseconds` each quarter of a second, a few times over. */
async function slowDown(pid: number, milliseconds: number): Promise<void> {
  for (let time = 0; time < 5; time++) {
    process.kill(pid, 'SIGSTOP');
    await sleep(260);
    process.kill(pid, 'SIGCONT');
    const until = performance.now() + milliseconds;
    while (performance.now() < until) {
      // A timer would be late by more than that.
    }
  }
}

const durations = [0.1, 0.5];

it.each(
  durations,
)('workerd runs for %d ms at a time, and gives no request up as lost', async milliseconds => {
  const before = idsOf('workerd');
  // Settings of its own, and so a workerd of its own.
  const service = await startService({ worker: 'all', bindings: { GRAPHICS_CACHE_SECONDS: '1' } });
  onTestFinished(() => service.stop());
  const workerd = idsOf('workerd').filter(pid => !before.includes(pid));
  expect(workerd).toHaveLength(1);
  const account = randomUUID();
  const customer = await signIn(service, { account });
  const { body } = await customer.send('POST', '/quotes?select=id', aQuote(account), representation);
  const change = () => customer.send('PATCH', `/quotes?id=eq.${body[0].id}`, { sport: 'golf' });

  const { changes } = await service.sql.begin(async holder => {
    await holder`select from builder.quotes for update`;
    const changes = Promise.all(Array.from({ length: 80 }, change));
    await untilBlocked(service, 5);
    await slowDown(Number(workerd[0]), milliseconds);
    return { changes };
  });

  // On a machine that really is busy, some have waited for too long.
  const statuses = new Set((await changes).map(({ status }) => status));
  expect([204, 429, 504]).toEqual(expect.arrayContaining([...statuses]));
  expect(statuses).toContain(204);
});
