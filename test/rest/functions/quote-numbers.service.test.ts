/** `POST /rest/v1/rpc/next_quote_number`. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { everyone } from '../../../schema/everyone.ts';
import { clientOf, expectData, expectError } from '../../clients/supabase.ts';
import { aQuote } from '../../setup/rows.ts';
import { useService } from '../../setup/service.ts';
import { type Caller, callerOf, signIn } from '../../setup/wire.ts';

const path = '/rpc/next_quote_number';
const year = new Date().getUTCFullYear();
const service = useService();
let customer: Caller;
let token: string;
beforeAll(async () => {
  token = await service.token({ account: randomUUID() });
  customer = callerOf(service, service.publishableKey, token);
});

describe('the next quote number', () => {
  it('begins the year with 00001', async () => {
    const first = await customer.send('POST', path, {});
    expect(first).toMatchObject({ status: 200, body: `QT-${year}-00001` });
  });

  it('is the result of supabase.rpc(), alone, as a single object, and as CSV; a refused format uses none', async () => {
    const next = () => clientOf(service, service.publishableKey, token).rpc('next_quote_number');
    const number = `QT-${year}-\\d{5}`;
    const only = expect.stringMatching(new RegExp(`^${number}$`));
    expectData(await next(), only);
    expectData(await next().single(), only);
    expectData(await next().maybeSingle(), only);
    expectData(await next().stripNulls(), only);
    expectData(await next().csv(), expect.stringMatching(new RegExp(`^pgrst_scalar\n${number}$`)));
    const before = (await customer.send('POST', path)).body;
    expectError(await next().explain(), 406, 'PGRST107', /vnd\.pgrst\.plan\+text/);
    expectError(await next().geojson(), 406, 'PGRST107', /application\/geo\+json/);
    expect((await customer.send('POST', path)).body).toBe(numberAfter(before, 1));
  });

  it('is not used by a call that is rolled back', async () => {
    const trial = await clientOf(service, service.publishableKey, token).rpc('next_quote_number').rollback();
    expect((await customer.send('POST', path)).body).toBe(trial.data);
    const { headers } = await customer.send('POST', path, undefined, { prefer: 'tx=rollback' });
    expect(headers.get('preference-applied')).toBe('tx=rollback');
  });

  const numberAfter = (number: string, steps: number) =>
    `QT-${year}-${String(Number(number.slice(-5)) + steps).padStart(5, '0')}`;
  const quotesOf = (account: string, numbers: string[], more: object = {}) =>
    numbers.map(quote_number => aQuote(account, { quote_number, ...more }));

  it('skips numbers that staff supplied, of drafts and deleted quotes too', async () => {
    const last = (await customer.send('POST', path)).body;
    const staff = callerOf(service, service.secretKey);
    const taken = [1, 2, 3].map(step => numberAfter(last, step));
    await staff.send('POST', '/quotes', quotesOf(randomUUID(), taken.slice(0, 1)));
    await staff.send('POST', '/quotes', quotesOf(randomUUID(), taken.slice(1), { status: 'ordered' }));
    await staff.send('DELETE', `/quotes?quote_number=eq.${taken[2]}`);
    expect((await customer.send('POST', path)).body).toBe(numberAfter(last, 4));
  });

  it('ignores numbers that customers chose, so that they can’t exhaust them for others', async () => {
    const last = (await customer.send('POST', path)).body;
    const account = randomUUID();
    const chooser = await signIn(service, { account });
    const chosen = [1, 2, 3].map(step => numberAfter(last, step));
    expect((await chooser.send('POST', '/quotes', quotesOf(account, chosen))).status).toBe(201);
    expect((await customer.send('POST', path)).body).toBe(numberAfter(last, 1));
  });

  it('is given to a customer at most 5,000 times a year', async () => {
    const account = randomUUID();
    const greedy = await signIn(service, { account });
    await greedy.send('POST', path);
    await service.sql`update builder.customer_quote_numbers set taken = 4999 where user_id = ${account}`;
    expect((await greedy.send('POST', path)).status).toBe(200);
    const { status, body } = await greedy.send('POST', path);
    expect([status, body.code]).toEqual([429, 'PT429']);
    expect(body.message).toContain('5000 quote numbers');
    expect((await customer.send('POST', path)).status).toBe(200);
  });

  it('is given to all anonymous accounts together at most 5,000 times a year', async () => {
    const anonymous = async () => {
      const holder = { account: randomUUID(), claims: { is_anonymous: true } };
      return signIn(service, holder);
    };
    await (await anonymous()).send('POST', path);
    await service.sql`update builder.customer_quote_numbers set taken = 4999 where user_id = ${everyone}`;
    expect((await (await anonymous()).send('POST', path)).status).toBe(200);
    const { status, body } = await (await anonymous()).send('POST', path);
    expect([status, body.code]).toEqual([429, 'PT429']);
    expect(body.message).toBe(`Anonymous accounts have taken all of their 5000 quote numbers of ${year}`);
    expect((await customer.send('POST', path)).status).toBe(200);
  });

  it('is found after 40,000 taken ones, in time', async () => {
    // Where a trigger notes the number of an import.
    await service.sql`insert into builder.imported_quote_numbers
      select builder.format_quote_number(${year}, n) from generate_series(1, 40000) n on conflict do nothing`;
    expect(await customer.send('POST', path)).toMatchObject({ status: 200, body: `QT-${year}-40001` });
  });

  it('is never the same for two callers at once', async () => {
    const callers = await Promise.all([1, 2, 3].map(() => signIn(service, { account: randomUUID() })));
    const calls = callers.flatMap(caller => Array.from({ length: 20 }, () => caller.send('POST', path)));
    const replies = await Promise.all(calls);
    const numbers = replies.map(({ body }) => body);
    expect(replies.every(({ status }) => status === 200)).toBe(true);
    expect(new Set(numbers).size).toBe(60);
  });

  it('after 94999 is for staff, whose numbers end with 99999', async () => {
    const staff = callerOf(service, service.secretKey);
    await service.sql`update builder.quote_numbers set last_number = 94998`;
    expect(await customer.send('POST', path)).toMatchObject({ status: 200, body: `QT-${year}-94999` });
    const message = `All quote numbers for customers of ${year} are taken`;
    expect(await customer.send('POST', path)).toMatchObject({
      status: 409,
      body: { code: 'PT409', message },
    });
    expect(await staff.send('POST', path)).toMatchObject({ status: 200, body: `QT-${year}-95000` });
    await service.sql`update builder.quote_numbers set last_number = 99999`;
    const { status, body } = await staff.send('POST', path);
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'PT409', message: `All quote numbers of ${year} are taken` });
  });
});

it('the function is for signed-in callers, is called with POST, and takes no arguments and no Idempotency-Key', async () => {
  const anonymous = await callerOf(service, service.publishableKey).send('POST', path);
  expect([anonymous.status, anonymous.body.code]).toEqual([401, '42501']);
  const read = await customer.get(path);
  expect([read.status, read.body.code, read.headers.get('allow')]).toEqual([405, 'PGRST101', 'OPTIONS,POST']);
  const argued = await customer.send('POST', path, { year: 2020 });
  expect([argued.status, argued.body.code]).toEqual([404, 'PGRST202']);
  const keyed = await customer.send('POST', path, undefined, { 'idempotency-key': randomUUID() });
  expect(keyed).toMatchObject({
    status: 400,
    body: { code: 'PT400', details: 'The function next_quote_number does not take it.' },
  });
});
