/** What was deleted is removed for good once the owner says after how long. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { aGraphic, aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { insert } from '../sql/roles.ts';

const service = useService();
const old = '2020-01-01T00:00:00Z';

beforeEach(async () => {
  await service.sql`truncate builder.quotes, builder.graphics cascade`;
  await service.sql`delete from builder.settings where name = 'remove_deleted_after'`;
});

const ids = async (): Promise<string[]> => {
  const rows = await service.sql<{ id: string }[]>`
    select id from builder.quotes union all select id from builder.graphics`;
  return rows.map(({ id }) => id).sort();
};

describe('quotes and graphics that were deleted', () => {
  it('stay for ever while the owner has set nothing', async () => {
    const quote = await insert(service.sql, 'quotes', aQuote(randomUUID(), { deleted_at: old }));
    await service.sweep();
    expect(await ids()).toEqual([quote]);
  });

  it('are removed after the owner’s setting, with their history, and newer ones and others stay', async () => {
    const quote = await insert(service.sql, 'quotes', aQuote(randomUUID()));
    await service.sql`update builder.quotes set deleted_at = ${old} where id = ${quote}`;
    await insert(service.sql, 'graphics', aGraphic({ deleted_at: old }));
    const kept = [
      await insert(service.sql, 'quotes', aQuote(randomUUID())),
      await insert(service.sql, 'quotes', aQuote(randomUUID(), { deleted_at: new Date().toISOString() })),
      await insert(service.sql, 'graphics', aGraphic()),
    ];
    await service.sql`insert into builder.settings values ('remove_deleted_after', '90 days')`;
    await service.sweep();
    expect(await ids()).toEqual(kept.sort());
    expect(await service.sql`select from builder.quote_events where quote_id = ${quote}`).toHaveLength(0);
  });
});

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
