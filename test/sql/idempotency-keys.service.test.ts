/** The records of Idempotency-Keys: whose they are, and when they go. */
import { randomUUID } from 'node:crypto';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useDatabase } from '../setup/database.ts';
import { type As, asAnon, asCustomer, claimsOf } from './roles.ts';

const database = useDatabase();
let sql: Sql;
let sweeper: Sql;
beforeAll(async () => {
  sql = database.sql;
  sweeper = postgres(database.sweeperUrl, { max: 1 });
});
afterAll(async () => {
  await sweeper.end();
});

it('a statement with an Idempotency-Key runs as its caller with the rights of that caller, and not for an anonymous one', async () => {
  const denied = { code: '42501', message: expect.stringMatching(/^permission denied/) };
  const runOnce = async (as: As, statement: string, key = randomUUID()) =>
    (
      await as(
        sql,
        claimsOf(randomUUID()),
        own => own`select builder.run_once(${key}, 'f', ${statement}, '{}') as answer`,
      )
    )[0]?.['answer'];
  const statement = 'select current_user::text as name, txid_current()::text as id';
  expect(await runOnce(asCustomer, statement)).toMatchObject({ name: 'builder_customer' });
  const deletion = 'delete from builder.idempotency_keys returning 1';
  await expect(runOnce(asCustomer, deletion)).rejects.toMatchObject(denied);
  await expect(runOnce(asAnon, 'select 1')).rejects.toMatchObject(denied);
});

it('prune_idempotency_keys removes records that are a day old in batches, except locked ones', async () => {
  const prune = async (batch: number): Promise<number> =>
    (await sweeper`select builder.prune_idempotency_keys(${batch}) as pruned`)[0]?.['pruned'];
  await sql`truncate builder.idempotency_keys`;
  await sql`
    insert into builder.idempotency_keys (caller, key, fingerprint, created_at)
    select 'someone', n::text, 'f', now() - n * interval '8 hours' from generate_series(1, 8) n`;
  await sql.begin(async holder => {
    await holder`select from builder.idempotency_keys where key = '8' for update`;
    expect([await prune(4), await prune(4), await prune(4)]).toEqual([4, 1, 0]);
  });
  expect(await prune(4)).toBe(1);
  const left = await sql`select key from builder.idempotency_keys order by key`;
  expect(left.map(({ ['key']: key }) => key)).toEqual(['1', '2']);
});
