/** A sweep that does not run is told. */
import { expect, it } from 'vitest';
import { useService } from '../setup/service.ts';

const service = useService();

it('/health says that the sweep is late when no run has succeeded for three periods, and that it is not after one', async () => {
  // As deployed: on a developer's machine no cron runs, and /health says nothing of it.
  const stateOfSweep = async () => {
    await service.restart({ LOCAL: '0' });
    return ((await (await service.fetch('/health')).json()) as { sweep?: string }).sweep;
  };
  await service.sql`update builder.sweeps set succeeded_at = now() - interval '16 minutes'`;
  expect(await stateOfSweep()).toBe('late');
  await service.restart({ LOCAL: '1' });
  await service.sweep();
  expect(await stateOfSweep()).toBe('ok');
});
