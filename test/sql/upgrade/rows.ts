/** Rows in every table and every state of a database, as callers, the sweep and deliveries leave them. */
import type { Sql, TransactionSql } from 'postgres';
import { aGraphic, aNotification, aQuote } from '../../setup/rows.ts';
import { asCustomer, asStaff, claimsOf, insert, update } from '../roles.ts';
import { fulfillmentStatuses, statuses } from './states.ts';

export const account = 'c0000000-0000-4000-8000-000000000001';
const everyone = '00000000-0000-0000-0000-000000000000';
const customer = claimsOf(account);
const staff = { sub: 'c0000000-0000-4000-8000-0000000000ff', app_metadata: { role: 'admin' } };
/** The ends of offers are in the future, whenever they are used. */
const ends = '2099-01-01';
const offer = { status: 'quoted', unit_price: 10, total_price: 120, expires_at: ends };

/** The id of the quote of a status, or of another name. */
export const idOf = (name: string): string => {
  const index = names.indexOf(name);
  return `e0000000-0000-4000-8000-${String(index + 1).padStart(12, '0')}`;
};
const names = [...statuses, ...fulfillmentStatuses, 'deleted', 'repriced'];

export async function insertRows(sql: Sql): Promise<void> {
  await sql`update builder.delivery_pace set staff_address = 'desk@builder.test', mail_sent_at = now()`;
  await sql`insert into builder.settings values ('remove_deleted_after', '90 days')`;
  await sql`insert into builder.event_messages (event, language, channel, body) values ('quote.quoted', 'de', 'email', 'Ihr Preis: {total_price}')`;
  await insertWebhooks(sql);
  for (const name of names) {
    await insertQuote(sql, name);
  }
  await insert(
    sql,
    'quotes',
    aQuote(account, { quote_number: 'QT-2020-00001', source: 'csv_import', status: 'ordered' }),
  );
  await insertLibrary(sql);
  await insertNotifications(sql);
  await sql`
    insert into builder.idempotency_keys (caller, key, fingerprint, response, accounts, has_body)
    values (${account}, 'first', 'x', '{"status": 201}', ${`{${account}}`}, true)`;
  await sql`insert into builder.unsubscribed_accounts values ('c0000000-0000-4000-8000-00000000000b')`;
  await sql`insert into builder.refused_addresses values ('gone@customer.test', now(), '550 5.1.1')`;
  await spreadStates(sql);
}

async function insertWebhooks(sql: Sql): Promise<void> {
  const secrets = ['whsec_bm90IGEgc2VjcmV0LCBhIHRlc3Qgb2YgdXBncmFkZXM='];
  const webhooks = [
    { url: 'https://erp.test/hook', secrets },
    { url: 'https://busy.test/hook', secrets, events: ['quote.approved'], failing_since: '2026-11-01' },
    { url: 'https://gone.test/hook', secrets, disabled_at: '2026-11-01', disabled_because: '410' },
  ];
  for (const webhook of webhooks) {
    await insert(sql, 'webhooks', webhook);
  }
}

/** Takes a quote to its state, as its customer and staff do it. */
async function insertQuote(sql: Sql, name: string): Promise<void> {
  const id = idOf(name);
  const as = <T>(work: (own: TransactionSql) => Promise<T>) => asCustomer(sql, customer, work);
  const [next] = await as(own => own`select builder.next_quote_number() as number`);
  const row = aQuote(account, { id, quote_number: next?.['number'], contact_email: 'ann@customer.test' });
  await as(own => insert(own, 'quotes', { ...row, roster_count: 12, size_breakdown: { M: 12 }, colors: {} }));
  const change = (values: object) => asStaff(sql, staff, own => update(own, 'quotes', id, { ...values }));
  if (name === 'draft') {
    return;
  }
  await as(own => update(own, 'quotes', id, { status: 'submitted', company: 'Lions' }));
  if (name === 'submitted') {
    return;
  }
  await change(offer);
  if (name === 'repriced') {
    await change({ ...offer, total_price: 140 });
  } else if (fulfillmentStatuses.includes(name)) {
    await update(sql, 'quotes', id, { status: 'ordered', estimated_delivery_at: ends });
    await change({ fulfillment_status: name });
  } else if (name === 'deleted') {
    await change({ status: 'rejected' });
    await change({ deleted_at: 'now' });
  } else if (name !== 'quoted') {
    await update(sql, 'quotes', id, { status: name });
  }
}

async function insertLibrary(sql: Sql): Promise<void> {
  for (const [index, more] of [
    {},
    { is_active: false },
    { deleted_at: '2026-11-01', tags: ['logo'] },
  ].entries()) {
    const id = `a0000000-0000-4000-8000-00000000000${index + 1}`;
    await asStaff(sql, staff, own =>
      insert(own, 'graphics', aGraphic({ id, code: `LION-${index + 1}`, ...more })),
    );
  }
}

async function insertNotifications(sql: Sql): Promise<void> {
  for (const type of ['info', 'warning', 'error']) {
    for (const channel of ['in_app', 'email']) {
      await asStaff(sql, staff, own =>
        insert(own, 'notifications', aNotification(account, { type, channel, expires_at: ends })),
      );
    }
  }
  const system = await insert(sql, 'notifications', aNotification(everyone, { expires_at: null }));
  await asCustomer(sql, customer, own => own`insert into builder.dismissals values (${system}, ${account})`);
  await insert(sql, 'notifications', aNotification(account, { expires_at: '2026-11-01' }));
}

/** Gives deliveries of each kind every state in turn. */
async function spreadStates(sql: Sql): Promise<void> {
  await sql`
    with numbered as (
      select id, kind, (array['waiting', 'sending', 'sent', 'skipped', 'dead'])[(row_number() over (partition by kind order by id) - 1) % 5 + 1] as state
      from builder.deliveries
    )
    update builder.deliveries d set state = n.state,
      due_at = case when n.state in ('waiting', 'sending') then now() end,
      attempts = case when n.state in ('waiting', 'skipped') then 0 else 1 end,
      claims = case when n.state in ('waiting', 'skipped') then 0 else 1 end,
      attempted_at = case when n.state not in ('waiting', 'skipped') then now() end,
      settled_at = case when n.state not in ('waiting', 'sending') then now() end,
      address = case when d.kind <> 'webhook' then 'ann@customer.test' end,
      reason = case when n.state in ('skipped', 'dead') then 'superseded' end
    from numbered n where n.id = d.id`;
}
