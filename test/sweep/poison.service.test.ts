/** Quotes that fail are skipped, and the others expire in the same run. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aQuote } from '../setup/rows.ts';
import { useService } from '../setup/service.ts';
import { insert } from '../sql/roles.ts';

const service = useService();
beforeAll(async () => {
  // Quotes that this rule refuses to expire, as one of ours might some day.
  await service.sql.unsafe(`
    create function builder.poison() returns trigger language plpgsql as $$
    begin
      if new.sport = 'wrong' then
        raise check_violation using message = 'poison';
      end if;
      return new;
    end $$;
    create trigger poison before update on builder.quotes for each row execute function builder.poison();`);
});
afterAll(async () => {
  await service.sql.unsafe('drop function builder.poison() cascade');
});
beforeEach(async () => {
  await service.sql`truncate builder.quotes, builder.notifications cascade`;
  service.logs.length = 0;
});

const due = (account: string, more: object = {}): Promise<string> =>
  insert(service.sql, 'quotes', aQuote(account, { expires_at: '2020-01-01', ...more }));
const later = { expires_at: '2020-01-02' };

async function expired(): Promise<string[]> {
  const rows = await service.sql<{ id: string }[]>`select id from builder.quotes where status = 'expired'`;
  return rows.map(({ id }) => id).sort();
}

async function sweepAndReadLog(): Promise<Record<string, unknown>> {
  const isLogged = () => service.logs.find(line => line.includes('"event":"sweep"'));
  await service.sweep();
  await expect.poll(isLogged).toBeDefined();
  return JSON.parse(isLogged() ?? '');
}

describe('the sweep', () => {
  it('expires what is due of others, and of the account itself, and names what failed', async () => {
    const account = randomUUID();
    const wrong = await due(account, { sport: 'wrong', ...later });
    const own = await due(account);
    const others = [await due(randomUUID(), later), await due(randomUUID(), later)];
    expect(await sweepAndReadLog()).toMatchObject({ expired: 3, code: '23514', left: wrong });
    expect(await expired()).toEqual([own, ...others].sort());
  });

  it('goes on behind more poison than a batch holds, of others and of the account itself', async () => {
    const account = randomUUID();
    await service.sql`
      insert into builder.quotes (account_id, quote_number, product_id, sport, customization, expires_at)
      select ${account}, 'QT-2026-00001', gen_random_uuid(), 'wrong', '{}', '2020-01-01' from generate_series(1, 1100)`;
    const good = [await due(randomUUID(), later), await due(account, later)];
    expect(await sweepAndReadLog()).toMatchObject({ expired: 2, code: '23514' });
    expect(await expired()).toEqual(good.sort());
  });
});

const many = 40;

it(`${many} due quotes of 240,000 values each delay no other quote`, { timeout: 300_000 }, async () => {
  await service.sql`
    insert into builder.quotes (
      account_id, quote_number, product_id, sport, customization, expires_at, status, unit_price, total_price
    )
    select ${randomUUID()}, 'QT-2026-00001', gen_random_uuid(), 'baseball', made.up, '2020-01-01', 'quoted', 1, 5
    from (
      select jsonb_build_object('values', jsonb_agg(value % 10)) as up from generate_series(1, 240000) value
    ) made, generate_series(1, ${many}::int)`;
  const other = await due(randomUUID(), later);
  await sweepAndReadLog();
  expect(await expired()).toContain(other);
  expect(await expired()).toHaveLength(many + 1);
});
