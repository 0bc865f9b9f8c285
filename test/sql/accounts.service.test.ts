/** Whose rows a caller meets: row level security by account, as the database enforces it. */
import { randomUUID } from 'node:crypto';
import postgres, { type Sql, type TransactionSql } from 'postgres';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useDatabase } from '../setup/database.ts';
import { aGraphic, aQuote } from '../setup/rows.ts';
import { asCustomer, asStaff, type Claims, claimsOf, everyone, insert, update } from './roles.ts';

const database = useDatabase();
let sql: Sql;
beforeAll(async () => {
  sql = database.sql;
});

const account = randomUUID();
const team = randomUUID();
const stranger = randomUUID();
const customer = claimsOf(account, team);

const accountIds = (claims: Claims): Promise<string[]> =>
  asCustomer(sql, claims, async as => {
    const [row] = await as<{ ids: string[] }[]>`select builder.account_ids() as ids`;
    return row?.ids ?? [];
  });

const idsIn = async (as: Sql | TransactionSql, table: string): Promise<string[]> =>
  (await as<{ id: string }[]>`select id from builder.${as(table)} order by id`).map(({ id }) => id);

describe('builder.account_ids()', () => {
  it("returns the user's own account and those of its teams, without duplicates", async () => {
    expect((await accountIds(customer)).sort()).toEqual([account, team].sort());
    expect(await accountIds(claimsOf(account, account))).toEqual([account]);
  });

  it('returns the own account for a user without teams', async () => {
    expect(await accountIds({ sub: account })).toEqual([account]);
    expect(await accountIds({ sub: account, app_metadata: {} })).toEqual([account]);
  });

  it('returns nothing without claims', async () => {
    expect(await accountIds({})).toEqual([]);
    const [row] = await sql`select builder.account_ids() as ids, builder.caller_id() as caller`;
    expect(row).toEqual({ ids: [], caller: null });
  });

  it('ignores user_metadata, which users write themselves', async () => {
    expect(await accountIds({ sub: account, user_metadata: { account_ids: [stranger] } })).toEqual([account]);
  });

  it('has no claims to read after the transaction', async () => {
    const connection = postgres(database.apiUrl, { max: 1 });
    try {
      expect(await asCustomer(connection, customer, as => idsIn(as, 'quotes'))).toEqual([]);
      const [row] = await connection`
        select current_user::text as role, current_setting('request.jwt.claims', true) as claims`;
      expect(row).toEqual({ role: 'builder_api', claims: '' });
    } finally {
      await connection.end();
    }
  });
});

describe("a customer and a stranger's quote", () => {
  let id: string;
  const secret = 'Wolves of the north';
  beforeEach(async () => {
    await sql`delete from builder.quotes`;
    id = await insert(sql, 'quotes', aQuote(stranger, { company: secret, quote_number: 'QT-2026-77777' }));
  });
  const untouched = async () => {
    const rows = await sql`select id, account_id, company, deleted_at from builder.quotes`;
    expect([...rows]).toEqual([{ id, account_id: stranger, company: secret, deleted_at: null }]);
  };
  const attempt = <T>(work: (as: TransactionSql) => Promise<T>): Promise<T> =>
    asCustomer(sql, customer, work);
  /** Refused, with nothing of the row in what Postgres says. */
  async function refusedSilently(
    work: (as: TransactionSql) => Promise<unknown>,
    code: string,
  ): Promise<void> {
    const error: Record<string, unknown> = await attempt(work).then(
      () => ({}),
      error => error,
    );
    expect(error).toMatchObject({ code });
    for (const value of [secret, stranger, 'QT-2026-77777']) {
      expect([error['message'], error['where'], error['hint']].join()).not.toContain(value);
    }
    expect(error['detail']).toBeUndefined();
    await untouched();
  }

  it("the customer sees its own and its team's quotes, and staff see all", async () => {
    const own = await insert(sql, 'quotes', aQuote(account));
    const teams = await insert(sql, 'quotes', aQuote(team));
    expect(await asCustomer(sql, customer, as => idsIn(as, 'quotes'))).toEqual([own, teams].sort());
    expect(await asCustomer(sql, claimsOf(account), as => idsIn(as, 'quotes'))).toEqual([own]);
    expect(await asCustomer(sql, {}, as => idsIn(as, 'quotes'))).toEqual([]);
    expect(await asStaff(sql, {}, as => idsIn(as, 'quotes'))).toEqual([id, own, teams].sort());
  });

  it.each([
    'select id from builder.quotes',
    'select id from builder.quotes for update',
    "select from builder.quotes where company like 'Wolves%'",
    'select from builder.quotes group by company',
    'select count(*) from builder.quotes having count(*) > 0',
    'select where exists (select from builder.quotes)',
  ])('does not find it by %s', async query => {
    await expect(attempt(as => as.unsafe(query))).resolves.toHaveLength(0);
    await expect(asStaff(sql, {}, as => as.unsafe(query))).resolves.toHaveLength(1);
  });

  it('does not evaluate its own functions on it: the policy comes first', async () => {
    const probe = attempt(
      as =>
        as`select 1 from builder.quotes where 1 / (case when company like 'Wolves%' then 0 else 1 end) = 1`,
    );
    await expect(probe).resolves.toHaveLength(0);
  });

  it('can neither change nor delete it', async () => {
    const counts = await attempt(async as => [
      await update(as, 'quotes', id, { company: 'Lions' }),
      await update(as, 'quotes', id, { account_id: account }),
      await update(as, 'quotes', id, { deleted_at: 'now' }),
      (await as`update builder.quotes set company = 'Lions'`).count,
    ]);
    expect(counts).toEqual([0, 0, 0, 0]);
    await untouched();
    await refusedSilently(as => as`delete from builder.quotes`, '42501');
  });

  it("creates no quote in a stranger's account, nor for everyone", async () => {
    for (const other of [stranger, everyone]) {
      await refusedSilently(as => insert(as, 'quotes', aQuote(other)), '42501');
    }
  });

  it("moves its quotes between its own accounts, but not to a stranger's", async () => {
    const own = await insert(sql, 'quotes', aQuote(account));
    const moving = attempt(as => update(as, 'quotes', own, { account_id: stranger }));
    await expect(moving).rejects.toMatchObject({ code: '42501' });
    expect(await attempt(as => update(as, 'quotes', own, { account_id: team }))).toBe(1);
  });

  it('learns no value of it from a duplicate id', async () => {
    await refusedSilently(as => insert(as, 'quotes', aQuote(account, { id })), '23505');
    const draft = (as: TransactionSql) => insert(as, 'quotes', aQuote(account));
    await refusedSilently(async as => update(as, 'quotes', await draft(as), { id }), '42501');
  });

  it('can neither take it over nor read it by an upsert', async () => {
    const upsert = (action: string) => (as: TransactionSql) =>
      as`
      insert into builder.quotes (id, account_id, quote_number, product_id, sport, customization)
      values (${id}, ${account}, 'QT-2026-00001', ${account}, 'soccer', '{}')
      on conflict (id) do ${as.unsafe(action)} returning company`;
    await refusedSilently(upsert('update set account_id = excluded.account_id'), '42501');
    await expect(attempt(upsert('nothing'))).resolves.toHaveLength(0);
    await untouched();
  });
});

describe('graphics', () => {
  it('a code is unique among graphics that are not deleted', async () => {
    const code = 'TIGER';
    const first = await insert(sql, 'graphics', aGraphic({ code }));
    await expect(insert(sql, 'graphics', aGraphic({ code }))).rejects.toMatchObject({ code: '23505' });
    await update(sql, 'graphics', first, { deleted_at: 'now' });
    await insert(sql, 'graphics', aGraphic({ code }));
    await expect(update(sql, 'graphics', first, { deleted_at: null })).rejects.toMatchObject({
      code: '23505',
    });
  });
});
