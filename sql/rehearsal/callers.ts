/** What the callers of the service meet in a database: each its own rows, and the rules. Everything is undone. */
import type { Sql, TransactionSql } from 'postgres';
import { collections } from '../../schema/collections.ts';
import { sweepJobs } from '../../schema/sweep-jobs.ts';

class Undone extends Error {}

/** What was not as it must be; nothing is a database that can be put to work. */
export async function checkCallers(sql: Sql): Promise<string[]> {
  const wrong: string[] = [];
  await sql
    .begin(async transaction => {
      await becomeAble(transaction);
      for (const [name, holds] of Object.entries(checks)) {
        const held = await transaction.savepoint(async attempt => await holds(attempt)).catch(() => false);
        if (!held) {
          wrong.push(name);
        }
        await transaction`reset role`;
      }
      throw new Undone();
    })
    .catch(error => {
      if (!(error instanceof Undone)) {
        throw error;
      }
    });
  return wrong;
}

/** Who owns roles without being a superuser may make itself a member, and is none after the transaction. */
async function becomeAble(transaction: TransactionSql): Promise<void> {
  await transaction`
    do $$
    begin
      if not (select rolsuper from pg_roles where rolname = current_user) then
        execute format('grant builder_anon, builder_customer, builder_staff, builder_sweeper to %I', current_user);
      end if;
    end
    $$`;
}

async function become(transaction: TransactionSql, role: string, account?: string): Promise<void> {
  const claims = JSON.stringify(account === undefined ? {} : { sub: account });
  await transaction`select set_config('role', ${role}, true), set_config('request.jwt.claims', ${claims}, true)`;
}

const count = async (transaction: TransactionSql, where: string): Promise<number> =>
  Number((await transaction.unsafe(`select count(*) as n from builder.${where}`))[0]?.['n']);

/** The account that has most quotes, and how many. */
async function busiest(transaction: TransactionSql): Promise<{ account: string; quotes: number }> {
  const [row] = await transaction<{ account: string; quotes: number }[]>`
    select account_id as account, count(*)::int as quotes from builder.quotes group by 1 order by 2 desc limit 1`;
  return row ?? { account: 'c0000000-0000-4000-8000-000000000001', quotes: 0 };
}

async function isRefused(transaction: TransactionSql, statement: string): Promise<boolean> {
  const outcome = transaction.savepoint(attempt => attempt.unsafe(statement));
  return await outcome.then(
    () => false,
    ({ code }) => code === '42501',
  );
}

/** System rows are everyone's. */
async function readsItsOwn(transaction: TransactionSql, table: string): Promise<boolean> {
  const { account } = await busiest(transaction);
  const own = `${table} where account_id in ('${account}', builder.everyone())`;
  const expected = await count(transaction, own);
  await become(transaction, 'builder_customer', account);
  return (await count(transaction, table)) === expected;
}

export const checks: Record<string, (transaction: TransactionSql) => Promise<boolean>> = {
  async 'anyone reads the active graphics and no others'(transaction) {
    const active = await count(transaction, 'graphics where is_active and deleted_at is null');
    await become(transaction, 'builder_anon');
    return (await count(transaction, 'graphics')) === active;
  },
  async 'nobody reads quotes without an account'(transaction) {
    await become(transaction, 'builder_anon');
    return await isRefused(transaction, 'select id from builder.quotes');
  },
  ...Object.fromEntries(
    collections
      .filter(({ columns }) => 'account_id' in columns)
      .map(({ name }) => [
        `a customer reads the ${name} of its account and no others`,
        (transaction: TransactionSql) => readsItsOwn(transaction, name),
      ]),
  ),
  async 'a customer reads no internal notes'(transaction) {
    await become(transaction, 'builder_customer', (await busiest(transaction)).account);
    return await isRefused(transaction, 'select internal_notes from builder.quotes');
  },
  async 'a customer writes a draft, submits it and then cannot change its sport'(transaction) {
    const { account } = await busiest(transaction);
    await become(transaction, 'builder_customer', account);
    const [quote] = await transaction<{ id: string }[]>`
      insert into builder.quotes (account_id, quote_number, product_id, sport, customization)
      values (${account}, builder.next_quote_number(), ${account}, 'baseball', '{}') returning id`;
    const id = quote?.id ?? '';
    const [moved] = await transaction`
      update builder.quotes set status = 'submitted' where id = ${id} returning submitted_at is not null as stamped`;
    const closed = await isRefused(
      transaction,
      `update builder.quotes set sport = 'golf' where id = '${id}'`,
    );
    return moved?.['stamped'] === true && closed;
  },
  async 'staff read all quotes'(transaction) {
    const all = await count(transaction, 'quotes');
    await become(transaction, 'builder_staff');
    return (await count(transaction, 'quotes')) === all;
  },
  async 'a new notification has an id that no other has'(transaction) {
    await become(transaction, 'builder_staff');
    const { account } = await busiest(transaction);
    await transaction`insert into builder.notifications (account_id, body, dismissed) values (${account}, 'x', false)`;
    return true;
  },
  async 'the sweep runs'(transaction) {
    await become(transaction, 'builder_sweeper');
    for (const job of sweepJobs) {
      await transaction`select builder.${transaction(job.function)}(10)`;
    }
    return true;
  },
};
