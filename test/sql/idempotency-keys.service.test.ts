/** The records of Idempotency-Keys: whose they are, and when they go. */
import { randomUUID } from 'node:crypto';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../setup/database.ts';
import { type As, asAnon, asCustomer, type Claims, claimsOf } from './roles.ts';

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

const [ann, _bob] = [claimsOf(randomUUID()), claimsOf(randomUUID())];
const denied = { code: '42501', message: expect.stringMatching(/^permission denied/) };

/** Runs a statement under a key, and returns what the record says. */
async function runOnce(as: As, claims: Claims, key: string, statement: string, fingerprint = 'f') {
  const rows = await as(
    sql,
    claims,
    transaction => transaction`select builder.run_once(${key}, ${fingerprint}, ${statement}, '{}') as answer`,
  );
  return rows[0]?.['answer'];
}

describe('a statement with an Idempotency-Key', () => {
  it('runs as its caller the first time, and returns the record after that', async () => {
    const key = randomUUID();
    const statement = 'select current_user::text as name, txid_current()::text as id';
    const first = await runOnce(asCustomer, ann, key, statement);
    expect(first).toMatchObject({ name: 'builder_customer' });
    expect(await runOnce(asCustomer, ann, key, statement)).toEqual(first);
    await expect(
      runOnce(asCustomer, ann, randomUUID(), 'delete from builder.idempotency_keys returning 1'),
    ).rejects.toMatchObject(denied);
  });

  it('is not available to an anonymous caller', async () => {
    await expect(runOnce(asAnon, {}, randomUUID(), 'select 1')).rejects.toMatchObject(denied);
  });
});

describe('prune_idempotency_keys', () => {
  const prune = async (batch: number): Promise<number> =>
    (await sweeper`select builder.prune_idempotency_keys(${batch}) as pruned`)[0]?.['pruned'];

  it('removes records that are a day old in batches, except locked ones', async () => {
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
});
