/**
 * Whose rows and columns a caller meets in SQL: row level security by the claims of its token, and grants. The whole list of
 * privileges is in sql/schema.sql, and what they come to in matrix.service.test.ts.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import postgres, { type Sql, type TransactionSql } from 'postgres';
import { beforeEach, describe, expect, it } from 'vitest';
import { anyText } from '../setup/any-text.ts';
import { useDatabase } from '../setup/database.ts';
import { rounds } from '../setup/full-size.ts';
import { aGraphic, aNotification, aQuote } from '../setup/rows.ts';
import { asCustomer, asStaff, claimsOf, everyone, insert, update } from './roles.ts';

const database = useDatabase();
const account = randomUUID();
const team = randomUUID();
const stranger = randomUUID();
const customer = claimsOf(account, team);
const secret = 'Wolves of the north';
const denied = { code: '42501', message: expect.stringMatching(/^permission denied/) };

/** The stranger's quote. */
let id: string;
let own: string;
beforeEach(async () => {
  const { sql } = database;
  await sql`truncate builder.quotes, builder.notifications`;
  id = await insert(sql, 'quotes', aQuote(stranger, { company: secret, quote_number: 'QT-2026-77777' }));
  own = await insert(sql, 'quotes', aQuote(account, { internal_notes: 'margin 30%' }));
  await insert(sql, 'notifications', aNotification(everyone));
});

const attempt = <T>(work: (as: TransactionSql) => Promise<T>): Promise<T> =>
  asCustomer(database.sql, customer, work);
const idsIn = async (as: Sql | TransactionSql): Promise<string[]> =>
  (await as<{ id: string }[]>`select id from builder.quotes order by id`).map(({ id }) => id);

/** The ids of the quotes that a customer with these claims reads, or the code of the refusal. */
const quotesOf = (claims: string): Promise<string[] | string> =>
  database.sql
    .begin(async as => {
      await as`select set_config('role', 'builder_customer', true), set_config('request.jwt.claims', ${claims}, true)`;
      // A message to everyone can neither be dismissed for all nor deleted.
      await as`update builder.notifications set dismissed = true`;
      await as`delete from builder.notifications`;
      return idsIn(as);
    })
    .then(
      ids => ids as string[],
      ({ code }) => code,
    );

describe('the claims of a token', () => {
  const noAccount: [claims: string, refusal?: string][] = [
    ...['', '{}', 'null', '[]', '{"sub":null}', `{"sub":"${everyone}"}`].map((text): [string] => [text]),
    [`{"app_metadata":{"account_ids":["${everyone}"]}}`],
    [`{"app_metadata":["${stranger}"]}`],
    [`{"user_metadata":{"account_ids":["${stranger}"]}}`],
    ['{"role":"service_role","app_metadata":{"role":"admin"}}'],
    ['no JSON', '22P02'],
    [`{"sub":["${stranger}"]}`, '22P02'],
    [`{"sub":"${stranger}' or true --"}`, '22P02'],
    [`{"app_metadata":{"account_ids":"${stranger}"}}`, '22023'],
  ];

  it.each(noAccount)('%j give no account', async (claims, refusal) => {
    expect(await quotesOf(claims)).toEqual(refusal ?? []);
    const [left] = await database.sql`select dismissed from builder.notifications`;
    expect(left).toEqual({ dismissed: false });
  });

  it.each([
    `{"sub":"${account.toUpperCase()}"}`,
    `{"sub":"${stranger}","sub":"${account}"}`,
    `{"sub":"${account}","app_metadata":{"role":"admin","account_ids":["${everyone}"]}}`,
    `{"sub":"${account}","user_metadata":{"role":"admin","account_ids":["${stranger}"]}}`,
  ])('%s give only the own account', async claims => {
    expect(await quotesOf(claims)).toEqual([own]);
  });

  it('give the account of the user and those of its teams, and staff read all', async () => {
    const { sql } = database;
    const teams = await insert(sql, 'quotes', aQuote(team));
    expect(await attempt(idsIn)).toEqual([own, teams].sort());
    expect(await asCustomer(sql, claimsOf(account), idsIn)).toEqual([own]);
    expect(await asStaff(sql, {}, idsIn)).toEqual([id, own, teams].sort());
  });

  it('are gone after the transaction', async () => {
    const connection = postgres(database.apiUrl, { max: 1 });
    try {
      expect(await asCustomer(connection, customer, idsIn)).toEqual([own]);
      const [row] = await connection`
        select current_user::text as role, current_setting('request.jwt.claims', true) as claims`;
      expect(row).toEqual({ role: 'builder_api', claims: '' });
    } finally {
      await connection.end();
    }
  });

  it('show no row of another account, whatever they are', async () => {
    const claim = fc.oneof(
      fc.constantFrom(account, everyone, 'builder_staff', ''),
      fc.uuid(),
      fc.jsonValue(),
    );
    const metadata = fc.record({ account_ids: fc.oneof(claim, fc.array(claim)), role: claim });
    const parts = { sub: claim, role: claim, app_metadata: fc.oneof(claim, metadata) };
    const claims = fc.oneof(
      anyText().filter(text => !text.includes('\0')),
      fc.oneof(fc.jsonValue(), fc.record(parts, { requiredKeys: [] })).map(value => JSON.stringify(value)),
    );
    await fc.assert(
      fc.asyncProperty(claims, async text => {
        const read = await quotesOf(text);
        if (typeof read === 'string') {
          // Malformed JSON, uuid or array.
          expect(read).toMatch(/^(22P02|22023|22P05|54001)$/);
        } else {
          expect(read).toEqual(read.length > 0 && text.includes(account) ? [own] : []);
        }
      }),
      { numRuns: rounds(100, 500) },
    );
  });
});

describe("a stranger's quote", () => {
  /** Refused, with nothing of the row in what Postgres says. */
  async function refusedSilently(
    work: (as: TransactionSql) => Promise<unknown>,
    code: string,
  ): Promise<void> {
    const error = await attempt(work).then(
      () => ({}) as Record<string, unknown>,
      error => error,
    );
    expect(error).toMatchObject({ code });
    const said = [error['message'], error['detail'], error['where'], error['hint']].join();
    for (const value of [secret, stranger, 'QT-2026-77777']) {
      expect(said).not.toContain(value);
    }
    const rows =
      await database.sql`select account_id, company, deleted_at from builder.quotes where id = ${id}`;
    expect([...rows]).toEqual([{ account_id: stranger, company: secret, deleted_at: null }]);
  }

  it.each([
    "select from builder.quotes where company like 'Wolves%'",
    "select from builder.quotes where company like 'Wolves%' for update",
    "select where exists (select from builder.quotes where company like 'Wolves%')",
    // The policy is checked before a function of the caller's own.
    "select 1 from builder.quotes where 1 / (case when company like 'Wolves%' then 0 else 1 end) = 0",
  ])('is not found by a customer with %s', async query => {
    expect(await attempt(as => as.unsafe(query))).toHaveLength(0);
  });

  it('can be neither changed nor deleted by a customer', async () => {
    const counts = await attempt(async as => [
      await update(as, 'quotes', id, { account_id: account }),
      await update(as, 'quotes', id, { deleted_at: 'now' }),
      (await as`update builder.quotes set company = 'Lions'`).count,
    ]);
    expect(counts).toEqual([0, 0, 1]);
    await refusedSilently(as => as`delete from builder.quotes`, '42501');
  });

  it('cannot be made: a customer writes quotes only into its own accounts', async () => {
    for (const other of [stranger, everyone]) {
      await refusedSilently(as => insert(as, 'quotes', aQuote(other)), '42501');
      await refusedSilently(as => update(as, 'quotes', own, { account_id: other }), '42501');
    }
    expect(await attempt(as => update(as, 'quotes', own, { account_id: team }))).toBe(1);
  });

  it('reveals no value through its id, neither to an insert nor to an upsert', async () => {
    await refusedSilently(as => insert(as, 'quotes', aQuote(account, { id })), '23505');
    await refusedSilently(as => update(as, 'quotes', own, { id }), '42501');
    const upsert = (as: TransactionSql) => as`
      insert into builder.quotes (id, account_id, quote_number, product_id, sport, customization)
      values (${id}, ${account}, 'QT-2026-00001', ${account}, 'soccer', '{}')
      on conflict (id) do update set account_id = excluded.account_id returning company`;
    await refusedSilently(upsert, '42501');
  });
});

describe('internal_notes', () => {
  const values = () => `(id, account_id, quote_number, product_id, sport, customization)
    values ('${own}', '${account}', 'QT-2026-00001', '${account}', 'soccer', '{}')`;

  it.each([
    'select * from builder.quotes',
    'select quotes::text from builder.quotes',
    'select max(internal_notes) from builder.quotes',
    'select id from builder.quotes order by internal_notes',
    'select id from builder.quotes where (quotes).internal_notes is null',
    "select builder.planned_rows('select from builder.quotes where internal_notes is null')",
    "update builder.quotes set company = 'Lions' returning *",
    'update builder.quotes set company = internal_notes',
    "update builder.quotes set company = 'Lions' where internal_notes is null",
    'copy builder.quotes (internal_notes) to stdout',
    'insert into builder.quotes VALUES on conflict (id) do update set company = quotes.internal_notes',
  ])('cannot be read by a customer: %s', async query => {
    const statement = query.replace('VALUES', values());
    await expect(attempt(as => as.unsafe(statement))).rejects.toMatchObject(denied);
  });

  it('is neither in statistics that a customer sees nor in the details of a refused row', async () => {
    await database.sql`analyze builder.quotes`;
    expect(await attempt(as => as`select from pg_stats where schemaname = 'builder'`)).toHaveLength(0);
    const error = await attempt(as => update(as, 'quotes', own, { currency: 'x' })).catch(error => error);
    expect(error).toMatchObject({ code: '23514' });
    expect(`${error.message} ${error.detail}`).not.toContain('margin');
  });
});

it('the code of a graphic is unique among graphics that are not deleted', async () => {
  const { sql } = database;
  const add = () => insert(sql, 'graphics', aGraphic({ code: 'TIGER' }));
  const first = await add();
  await expect(add()).rejects.toMatchObject({ code: '23505' });
  await update(sql, 'graphics', first, { deleted_at: 'now' });
  await add();
  const restoring = update(sql, 'graphics', first, { deleted_at: null });
  await expect(restoring).rejects.toMatchObject({ code: '23505' });
});
