/** `npm run account -- replace-name` replaces a name in a quote and its offers, whatever its status. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { runProgram } from '../local/program.ts';
import { aQuote } from '../setup/rows.ts';
import { price, useOutbox } from '../sql/outbox.ts';
import { asCustomer, asStaff, claimsOf, insert, update } from '../sql/roles.ts';

const o = useOutbox();
const replace = (...args: string[]) =>
  runProgram('account', ['replace-name', ...args], { DATABASE_URL: o.database.ownerUrl });

const design = {
  text: 'Miami',
  note: 'Line one\nMia Jones, the captain',
  players: [
    { name: 'Mia', number: '7', size: 'YM' },
    { name: 'MIA', number: '8', size: 'YM' },
  ],
  Mia: { label: 'mia’s' },
};
const replaced = (Mia: string, capitals: string) => ({
  text: 'Miami',
  note: `Line one\n${Mia} Jones, the captain`,
  players: [
    { name: Mia, number: '7', size: 'YM' },
    { name: capitals, number: '8', size: 'YM' },
  ],
  [Mia]: { label: `${Mia}’s` },
});

/** Inserts a quote that was submitted by its customer, offered twice, and moved to a status. */
async function aQuoteWith(status: string): Promise<string> {
  const own = { contact_name: 'Mia Jones', customer_notes: 'Call Mia, not Mianne.', customization: design };
  const id = await insert(o.sql, 'quotes', aQuote(o.account, { ...own, contact_email: 'mia@jones.test' }));
  await asCustomer(o.sql, claimsOf(o.account), sql => update(sql, 'quotes', id, { status: 'submitted' }));
  await o.change(id, price);
  await o.change(id, { total_price: 150 });
  await o.sql.begin(async sql => {
    await sql`select set_config('request.rows', 'one', true), set_config('request.compared', 'updated_at,submitted_at,quoted_at', true)`;
    await update(sql, 'quotes', id, { status });
  });
  return id;
}
const state = async (id: string) =>
  (
    await o.sql`
      select q.contact_name, q.customer_notes, q.contact_email, q.customization, q.status, q.total_price, q.approved_at, q.quoted_at,
        (select json_agg(o.customization order by o.number) from builder.quote_offers o where o.quote_id = q.id) as offers,
        (select json_agg(e.event order by e.id) from builder.quote_events e where e.quote_id = q.id) as events,
        (select count(*)::int from builder.notifications) as notifications, builder.has_one_design(q) as one,
        (select json_agg(c) from builder.compare_offers(q, q.total_price) c) as compared
      from builder.quotes q where q.id = ${id}`
  )[0];

it.each([
  'quoted',
  'approved',
  'ordered',
])('a name in a quote that is %s, and in its offers, is corrected', async status => {
  const id = await aQuoteWith(status);
  const before = await state(id);
  expect(before).toMatchObject({ status, offers: [design, design], one: true });
  expect(await replace(id, 'Mia', 'Mila')).toMatchObject({ code: 0, stderr: '' });
  const customization = replaced('Mila', 'MILA');
  expect(await state(id)).toEqual({
    ...before,
    ...{ contact_name: 'Mila Jones', customer_notes: 'Call Mila, not Mianne.', customization },
    ...{
      offers: [customization, customization],
      events: (before?.['events'] as string[]).concat('quote.corrected'),
    },
  });
  const [version] =
    await o.sql`select max(at) > now() - interval '1 minute' as sent from builder.changes where key = ${id}`;
  expect(version).toEqual({ sent: true });
});

it('a name is removed from an approved quote, also from stored responses, and its event does not have it', async () => {
  const id = await aQuoteWith('approved');
  await o.sql`insert into builder.idempotency_keys (caller, key, fingerprint, has_body, response)
    values ('builder_staff', 'one', 'f', true, ${o.sql.json({ body: `[{"id":"${id}","contact_name":"Mia"}]` })})`;
  await o.aWebhook();
  expect(await replace(id, 'Mia', '')).toMatchObject({ code: 0 });
  const rows = await o.sql`
    select q::text from builder.quotes q union all select o::text from builder.quote_offers o
    union all select e::text from builder.quote_events e union all select k::text from builder.idempotency_keys k`;
  expect(JSON.stringify(rows).replaceAll('mia@jones.test', '')).not.toMatch(/\bmia\b/i);
  expect(await o.claimCalls(20)).toMatchObject([{ event: { event: 'quote.corrected', status: 'approved' } }]);
});

it('a name in an answer by a link is replaced or removed, with its message and for whom the link is', async () => {
  const id = await aQuoteWith('approved');
  const [link] = await o.sql`
    insert into builder.quote_links (quote_id, account_id, may, label, created_as, ends_at)
    values (${id}, ${o.account}, 'approve', 'For Mia', 'customer', '2100-01-01') returning id`;
  const event = { quote_id: id, account_id: o.account, event: 'quote.approved', status: 'approved' };
  const answer = {
    created_as: 'customer',
    currency: 'USD',
    link_id: link?.['id'],
    signer: 'Mia',
    said: 'Mia says yes',
  };
  await o.sql`insert into builder.quote_events ${o.sql({ ...event, ...answer })}`;
  const answers = async () =>
    (
      await o.sql`
        select e.signer, e.said, l.label, n.body from builder.quote_events e join builder.quote_links l on l.id = e.link_id
          join builder.deliveries d on d.event_id = e.id join builder.notifications n on n.id = d.notification_id`
    )[0];
  await replace(id, 'Mia', 'Mila');
  expect(await answers()).toMatchObject({ signer: 'Mila', said: 'Mila says yes', label: 'For Mila' });
  expect(await replace(id, 'Mila', '')).toMatchObject({ code: 0 });
  const removed = await answers();
  expect(removed).toMatchObject({ signer: 'removed', label: 'For' });
  expect(JSON.stringify(removed)).not.toMatch(/\b(?:Mia|Mila)\b/);
  expect(await replace(id, 'removed', 'é'.repeat(300))).toMatchObject({ code: 0 });
  expect(await answers()).toMatchObject({ signer: 'é'.repeat(50) });
});

it('a quote has as many designs as before, also where one of them is stored nowhere', async () => {
  const id = await insert(o.sql, 'quotes', aQuote(o.account, { customization: design }));
  await asCustomer(o.sql, claimsOf(o.account), sql => update(sql, 'quotes', id, { status: 'submitted' }));
  await o.sql.begin(async sql => {
    await sql`select set_config('request.rows', 'one', true), set_config('request.compared', 'updated_at,submitted_at,quoted_at', true)`;
    await update(sql, 'quotes', id, { customization: { text: 'Other, without Mia' } });
  });
  const digests = async () =>
    (
      await o.sql`select design_digest from builder.quote_events where quote_id = ${id} and design_digest is not null`
    ).map(row => row['design_digest']);
  const before = await digests();
  expect(new Set(before).size).toBe(2);
  await replace(id, 'Mia', 'Mila');
  const after = await digests();
  expect(new Set([...before, ...after]).size).toBe(4);
  expect(await state(id)).toMatchObject({ one: false });
});

it.each([
  [
    'Ann',
    'Ann-Marie, Ann_Marie, Marie-Ann, O’Ann and Anna; Ann’s, ANN',
    'Ann-Marie, Ann_Marie, Marie-Ann, O’Ann and Anna; Bea’s, BEA',
  ],
  ["O'Brien", "O’Brien, O'Brien-Jones", "Bea, O'Brien-Jones"],
  ['Jose\u0301', 'Jos\u00e9 and Jose\u0301', 'Bea and Bea'],
])('%s is a name, and not a part of another one', async (name, notes, corrected) => {
  const id = await insert(o.sql, 'quotes', aQuote(o.account, { customer_notes: notes }));
  expect(await replace(id, name, 'Bea')).toMatchObject({ code: 0 });
  expect(await state(id)).toMatchObject({ customer_notes: corrected });
});

it.each([
  ['of no quote', randomUUID(), 'Mia', 'There is no quote'],
  ['that is not there', '', 'Nobody', 'have that name as a word of its own'],
  ['that is empty', '', ' ', 'The name to replace is empty'],
])('a name %s is refused with a sentence', async (_, quote, name, sentence) => {
  const id = quote || (await insert(o.sql, 'quotes', aQuote(o.account)));
  expect(await replace(id, name, 'x')).toMatchObject({ code: 1, stderr: expect.stringContaining(sentence) });
});

it.each([
  'builder_customer',
  'builder_staff',
])('SQL as %s does not get past the rules by the setting of a correction', async role => {
  const id = await aQuoteWith('approved');
  const as = role === 'builder_staff' ? asStaff : asCustomer;
  const change = as(o.sql, claimsOf(o.account), async sql => {
    await sql`set local builder.correction = 'on'`;
    return update(sql, 'quotes', id, { roster_count: 99 });
  });
  await expect(change).rejects.toMatchObject({ code: expect.stringMatching('PT409|42501') });
});
