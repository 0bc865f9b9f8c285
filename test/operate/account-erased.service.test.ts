/** What erasing an account keeps, waits for, and says when it could not be done. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { runProgram } from '../local/program.ts';
import { useDatabase } from '../setup/database.ts';
import { aNotification, aQuote } from '../setup/rows.ts';
import { insert } from '../sql/roles.ts';

const database = useDatabase();
const erase = (...args: string[]) =>
  runProgram('account', ['erase', ...args], { DATABASE_URL: database.ownerUrl });

const person = {
  ...{
    contact_name: 'Kim Person',
    contact_email: 'kim@person.test',
    contact_phone: '555 Person',
    company: 'Person Ltd',
  },
  ...{
    customer_notes: 'For Person',
    internal_notes: 'Person pays late',
    tool_2d: 'Person',
    techpack_file: 'Person',
  },
  shipping_address: { street: '1 Person Road' },
  billing_address: { street: '2 Person Road' },
  preview_front_url: 'https://cdn.test/Person-front',
  preview_back_url: 'https://cdn.test/Person-back',
  avatar_preview: 'https://cdn.test/Person',
  colors: { primary: 'Person blue' },
  customization: {
    text: 'Person',
    players: [{ name: 'Mia Person', number: '7', size: 'YM' }, { name: 'Ida Person' }],
  },
};
const kept = {
  size_breakdown: { YM: 2 },
  roster_count: 2,
  unit_price: 10,
  total_price: 100,
  event_date: '2026-12-01',
};

/** Inserts an ordered quote of an account, with an offer and its history. */
async function anOrder(account: string): Promise<string> {
  const { sql } = database;
  const id = await insert(sql, 'quotes', { ...aQuote(account, person), ...kept, status: 'quoted' });
  await sql.begin(async own => {
    await own`update builder.quotes set status = 'ordered' where id = ${id}`;
  });
  await insert(sql, 'quote_links', {
    ...{ quote_id: id, account_id: account, may: 'read', created_as: 'sweep', ends_at: '2100-01-01' },
    ...{ label: 'Person', address: 'kim@person.test' },
  });
  await insert(sql, 'quote_events', {
    ...{
      quote_id: id,
      account_id: account,
      event: 'quote.approved',
      status: 'approved',
      previous_status: 'quoted',
      created_as: 'customer',
    },
    ...{ currency: 'USD', link_id: randomUUID(), signer: 'Kim Person', said: 'For Mia Person' },
  });
  return id;
}

it('erasing an account with orders is refused with their number, or keeps number, prices, sizes and dates with --keep-orders', async () => {
  const { sql } = database;
  const account = randomUUID();
  const id = await anOrder(account);
  await insert(sql, 'quotes', aQuote(account, person));
  const count = () => sql`select from builder.quotes where account_id = ${account}`;
  expect(await erase(account, '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('has 1 ordered quotes'),
  });
  expect(await count()).toHaveLength(2);
  expect(await erase(account, '--yes', '--keep-orders')).toMatchObject({ code: 0, stderr: '' });
  const [order] = await sql`
    select to_jsonb(q) as quote, (select json_agg(o) from builder.quote_offers o where o.quote_id = q.id) as offers,
      (select json_agg(e) from builder.quote_events e where e.quote_id = q.id) as events
    from builder.quotes q where account_id = ${account}`;
  expect(order?.['quote']).toMatchObject({ id, quote_number: 'QT-2026-00001', status: 'ordered', ...kept });
  expect(order?.['quote'].customization.players).toEqual([
    { name: 'removed', size: 'YM' },
    { name: 'removed' },
  ]);
  expect(order?.['offers']).toHaveLength(1);
  expect(order?.['events']).toHaveLength(3);
  const answers = order?.['events'].filter(({ link_id }: Record<string, unknown>) => link_id !== null);
  expect(answers).toMatchObject([{ event: 'quote.approved', signer: 'removed', said: null }]);
  expect(await sql`select from builder.quote_links where account_id = ${account}`).toEqual([]);
  expect(JSON.stringify(order)).not.toMatch(/person/i);
  // The order is not listed as if it were left, and its design is the one that was offered.
  expect(await erase(account, '--yes', '--keep-orders')).toMatchObject({ code: 0 });
  const [same] = await sql`
    select (select is_offered from builder.compare_offers(q, q.total_price)) as offered, builder.has_one_design(q) as one
    from builder.quotes q where id = ${id}`;
  expect(same).toEqual({ offered: true, one: true });
});

it('an order whose design says that it was removed already, and one that names a person only in its offer, are anonymized', async () => {
  const { sql } = database;
  const account = randomUUID();
  const [claimed, offered] = [await anOrder(account), await anOrder(account)];
  const removed = { removed: true, players: [{ name: 'removed', size: 'YM' }] };
  await sql.begin(async own => {
    await own`set local builder.correction = 'on'`;
    await own`update builder.quotes set customization = customization || '{"removed": true}' where id = ${claimed}`;
    await own`
      update builder.quotes set customization = ${sql.json(removed)}, colors = null, contact_name = 'removed' where id = ${offered}`;
  });
  expect(await erase(account, '--yes', '--keep-orders')).toMatchObject({ code: 0, stderr: '' });
  const rows = await sql`
    select q::text as row from builder.quotes q where account_id = ${account}
    union all select o::text from builder.quote_offers o where account_id = ${account}`;
  expect(rows).toHaveLength(4);
  expect(JSON.stringify(rows)).not.toMatch(/person/i);
});

it('erase fails and says what is left when rows are written meanwhile', async () => {
  const { sql } = database;
  const account = randomUUID();
  let writing = true;
  const writer = (async () => {
    while (writing) {
      await insert(sql, 'quotes', aQuote(account));
    }
  })();
  const ended = await erase(account, '--yes');
  writing = false;
  await writer;
  expect(ended).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/not erased, since rows were written meanwhile: .*quotes: \d+/),
  });
});

it('erase waits for a locked row, erases the others, and says which one and who has locked it', async () => {
  const { sql } = database;
  const account = randomUUID();
  const locked = await insert(sql, 'quotes', aQuote(account));
  await insert(sql, 'quotes', aQuote(account));
  await sql.begin(async own => {
    const [{ pid } = {}] =
      await own`select pg_backend_pid() as pid from builder.quotes where id = ${locked} for update`;
    const stderr = expect.stringContaining(`the quote ${locked} has been locked by process ${pid} for 10 s`);
    expect(await erase(account, '--yes')).toEqual({ code: 1, stdout: '', stderr });
  });
  expect(await sql`select id from builder.quotes where account_id = ${account}`).toEqual([{ id: locked }]);
  expect(await erase(account, '--yes')).toMatchObject({ code: 0 });
});

it('erased names are gone from the planner’s statistics', async () => {
  const { sql } = database;
  const account = randomUUID();
  await insert(sql, 'quotes', aQuote(randomUUID(), { contact_name: 'Other' }));
  for (let count = 0; count < 5; count += 1) {
    await insert(sql, 'quotes', aQuote(account, { contact_name: 'Kim Statistics' }));
  }
  await sql`analyze builder.quotes`;
  const stored = () => sql`
    select from pg_stats where schemaname = 'builder' and concat(most_common_vals, histogram_bounds) like '%Statistics%'`;
  expect(await stored()).toHaveLength(1);
  expect(await erase(account, '--yes')).toMatchObject({ code: 0 });
  expect(await stored()).toEqual([]);
});

it('the unsubscribe link of an old mail does not bring the id of an erased account back', async () => {
  const { sql } = database;
  const account = randomUUID();
  const unsubscribed = () => sql`
    select from builder.unsubscribed_accounts, builder.unsubscribe_account(${account}) where account_id = ${account}`;
  await sql`select builder.unsubscribe_account(${account})`;
  expect(await unsubscribed()).toEqual([]);
  await insert(sql, 'notifications', aNotification(account));
  await sql`select builder.unsubscribe_account(${account})`;
  expect(await unsubscribed()).toHaveLength(1);
});

it('each webhook that listens hears account.erased with the id, after which the id is gone from its deliveries', async () => {
  const { sql } = database;
  const account = randomUUID();
  const hooks = [null, ['account.erased'], ['quote.ordered']];
  for (const events of hooks) {
    await sql`insert into builder.webhooks (url, secrets, events) values ('https://erp.test/', '{whsec_x}', ${events})`;
  }
  await insert(sql, 'notifications', aNotification(account));
  expect(await erase(account, '--yes')).toMatchObject({ code: 0 });
  await sql`update builder.deliveries set due_at = now()`;
  const calls = await sql`select message_id, claim, event from builder.claim_calls(10)`;
  const event = {
    event: 'account.erased',
    account_id: account,
    created_at: expect.any(String),
  };
  expect(calls.map(call => call['event'])).toEqual([event, event]);
  for (const { message_id, claim } of calls) {
    await sql`select from builder.settle(${message_id}, ${claim}, 'sent', null, null)`;
  }
  await sql`select builder.prune_deliveries(10)`;
  expect(await sql`select from builder.deliveries where account_id = ${account}`).toEqual([]);
});
