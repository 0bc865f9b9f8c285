/** Claims that the service would have refused, put before the policies themselves: they open nothing there either. */
import { randomUUID } from 'node:crypto';
import type { Sql, TransactionSql } from 'postgres';
import { beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../setup/database.ts';
import { aNotification, aQuote } from '../setup/rows.ts';
import { everyone, insert } from './roles.ts';

const account = randomUUID();
const stranger = randomUUID();

const database = useDatabase();
let sql: Sql;
let own: string;
beforeAll(async () => {
  sql = database.sql;
  own = await insert(sql, 'quotes', aQuote(account));
  await insert(sql, 'quotes', aQuote(stranger));
  await insert(sql, 'quotes', aQuote(everyone));
  await insert(sql, 'notifications', aNotification(everyone));
});

/** As a customer whose claims are this text. */
const asHolder = async <T>(claims: string, work: (as: TransactionSql) => Promise<T>): Promise<T> =>
  (await sql.begin(async as => {
    await as`select set_config('role', 'builder_customer', true), set_config('request.jwt.claims', ${claims}, true)`;
    return await work(as);
  })) as T;

/** The ids of the quotes that its holder meets; or the code of the refusal. */
const quotesMet = (claims: string): Promise<string[] | string> =>
  asHolder(claims, async as =>
    (await as<{ id: string }[]>`select id from builder.quotes`).map(({ id }) => id),
  ).catch(({ code }) => code);

/** How many notifications its holder dismisses and deletes. */
const noticesChanged = (claims: string): Promise<number[] | string> =>
  asHolder(claims, async as => [
    (await as`update builder.notifications set dismissed = true`).count,
    (await as`delete from builder.notifications`).count,
  ]).catch(({ code }) => code);

const invalidText = '22P02';
const notAList = '22023';
const noAccount: [claims: string, refusal?: string][] = [
  [''],
  ['{}'],
  ['null'],
  ['[]'],
  ['"x"'],
  ['{"sub":null}'],
  [`{"sub":"${everyone}"}`],
  [`{"app_metadata":{"account_ids":["${everyone}"]}}`],
  [`{"sub":"${everyone}","app_metadata":{"account_ids":["${everyone}","${everyone}"]}}`],
  [`{"app_metadata":["${stranger}"]}`],
  [`{"app_metadata":"${stranger}"}`],
  [`{"account_ids":["${stranger}"]}`],
  [`{"user_metadata":{"account_ids":["${stranger}"]}}`],
  ['{"role":"builder_staff"}'],
  ['{"role":"service_role","app_metadata":{"role":"admin"}}'],
  ['no JSON', invalidText],
  ['{"sub":""}', invalidText],
  ['{"sub":"me"}', invalidText],
  [`{"sub":["${stranger}"]}`, invalidText],
  [`{"sub":"${stranger}' or true --"}`, invalidText],
  ['{"app_metadata":{"account_ids":["*"]}}', invalidText],
  [`{"app_metadata":{"account_ids":[["${stranger}"]]}}`, invalidText],
  [`{"app_metadata":{"account_ids":"${stranger}"}}`, notAList],
  [`{"app_metadata":{"account_ids":{"0":"${stranger}"}}}`, notAList],
];

describe('a customer with the claims', () => {
  it.each(noAccount)('%s sees no quote and changes no notification', async (claims, refusal) => {
    expect(await quotesMet(claims)).toEqual(refusal ?? []);
    expect(await noticesChanged(claims)).toEqual(refusal ?? [0, 0]);
  });

  it.each([
    `{"sub":"${account}"}`,
    `{"sub":"${account.toUpperCase()}"}`,
    `{"sub":"${stranger}","sub":"${account}"}`,
    `{"sub":"${account}","app_metadata":{"role":"admin","account_ids":["${everyone}"]}}`,
    `{"sub":"${account}","user_metadata":{"role":"admin","account_ids":["${stranger}"]}}`,
  ])('%s sees only its own quote', async claims => {
    expect(await quotesMet(claims)).toEqual([own]);
    expect(await noticesChanged(claims)).toEqual([0, 0]);
  });

  it('of the nil uuid, which addresses everyone, creates no quote for it', async () => {
    const claims = `{"sub":"${everyone}","app_metadata":{"account_ids":["${everyone}"]}}`;
    await expect(asHolder(claims, as => insert(as, 'quotes', aQuote(everyone)))).rejects.toMatchObject({
      code: '42501',
    });
  });
});
