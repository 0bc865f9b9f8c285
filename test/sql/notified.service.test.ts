/** Who is notified of what. `npm test -- test/sql/notified -u` writes functions/delivery/NOTIFIED.md. */
import { randomUUID } from 'node:crypto';
import type { TransactionSql } from 'postgres';
import { expect, it } from 'vitest';
import { price, useOutbox } from './outbox.ts';
import { asCustomer, asStaffWithVersion, claimsOf, update } from './roles.ts';
import { useLogin } from './use-login.ts';

const o = useOutbox();
const sweeper = useLogin(() => o.database.jobsUrl, 1);

const past = '2020-01-01T00:00:00Z';
const soon = new Date(Date.now() + 86_400_000).toISOString();
const unpriced = { unit_price: null, total_price: null, quoted_at: null };
const ordered = { status: 'ordered' };
const quoted = { status: 'quoted' };

/** An event, the quote before it, and its change. `how` tells two of a name apart. */
interface Case {
  event: string;
  how?: string;
  before: object;
  change: Record<string, unknown>;
  /** What a customer changes instead. */
  customer?: Record<string, unknown>;
}
const moves = (status: string, before: object, how?: string): Case => ({
  ...{ event: status, before, change: { status } },
  ...(how && { how }),
});
const steps = ['reviewing', 'preparing', 'shipping', 'delivered'];
const cases: Case[] = [
  moves('submitted', { status: 'draft', ...unpriced }),
  moves('submitted', quoted, 'again'),
  { event: 'quoted', before: { status: 'submitted', ...unpriced }, change: { ...price } },
  { event: 'repriced', before: quoted, change: { total_price: 150 } },
  { event: 'end_changed', before: quoted, change: { expires_at: soon } },
  { event: 'changed', before: quoted, change: { roster_count: 12 }, customer: { customer_notes: 'In red' } },
  moves('approved', quoted),
  moves('rejected', quoted),
  moves('cancelled', { status: 'approved' }),
  moves('cancelled', { status: 'draft' }, 'a draft'),
  moves('draft', { status: 'submitted', ...unpriced }),
  { event: 'expiring', before: { ...quoted, expires_at: soon }, change: {} },
  moves('expired', { ...quoted, expires_at: past }),
  moves('expired', { status: 'draft', expires_at: past }, 'a draft'),
  moves('ordered', { status: 'approved' }),
  { event: 'amended', before: ordered, change: { total_price: 150 } },
  { event: 'delivery_changed', before: ordered, change: { estimated_delivery_at: soon } },
  ...steps.map(step => ({ event: step, before: ordered, change: { fulfillment_status: step } })),
  { event: 'deleted', before: { status: 'rejected' }, change: { deleted_at: soon } },
  { event: 'restored', before: { status: 'rejected', deleted_at: past }, change: { deleted_at: null } },
];

type Maker = (id: string, one: Case) => Promise<unknown>;
const changeBy = async (own: TransactionSql, id: string, { change }: Case) =>
  Object.keys(change).length > 0 && update(own, 'quotes', id, change);
const makers: Record<string, Maker> = {
  customer: (id, { customer, ...one }) =>
    asCustomer(o.sql, claimsOf(o.account), own =>
      changeBy(own, id, { ...one, change: customer ?? one.change }),
    ),
  staff: (id, one) => asStaffWithVersion(o.sql, { sub: randomUUID() }, own => changeBy(own, id, one)),
  'the secret key': (id, one) => asStaffWithVersion(o.sql, {}, own => changeBy(own, id, one)),
  'an operator': (id, one) =>
    o.sql.begin(async own => {
      await own`select set_config('request.rows', 'one', true), set_config('request.compared', 'updated_at,submitted_at,quoted_at', true)`;
      await changeBy(own, id, one);
    }),
  link: (id, { event }) =>
    o.sql.begin(async own => {
      const [link] = await own`
        insert into builder.quote_links (quote_id, account_id, may, created_as, ends_at)
        values (${id}, ${o.account}, 'approve', 'customer', ${soon}) returning id`;
      await own`insert into builder.event_messages (event, channel, body) values ('offer_seller', 'in_app', 'Seller Ltd')
        on conflict do nothing`;
      await own`set local role builder_anon`;
      const status = ['approved', 'rejected', 'submitted'].includes(event) ? event : 'draft';
      await own`select builder.answer_offer(${link?.['id']}, ${status}, 1, 125, 'Kim Lee', 'Hello')`;
    }),
  async sweep(_, { event }) {
    if (event === 'expired' || event === 'expiring') {
      const job = { expired: 'expire_quotes', expiring: 'announce_expiring_quotes' }[event];
      await sweeper.unsafe(`select builder.${job}(100)`);
    }
  },
};

/** Returns what is sent when somebody changes a quote; undefined when they can't. */
async function notifiedOf(maker: Maker, one: Case): Promise<string | undefined> {
  o.account = randomUUID();
  const id = await o.aQuoted(one.before);
  const known = await o.sql`
    update builder.quote_events set created_at = now() - interval '9 days' where quote_id = ${id} returning id`;
  await maker(id, one).catch(error => expect(['42501', 'PT409']).toContain(error.code));
  const events = await o.sql`
    select event from builder.quote_events where quote_id = ${id} and id > ${Math.max(0, ...known.map(row => Number(row['id'])))}`;
  if (events.length === 0) {
    return undefined;
  }
  expect(events).toEqual([{ event: `quote.${one.event}` }]);
  const [got = {}] = await o.sql`
    select (select count(*) from builder.notifications where account_id = ${o.account})::integer as app,
      count(*) filter (where kind = 'email')::integer as mail, count(*) filter (where kind = 'staff_email')::integer as staff,
      count(*) filter (where kind = 'webhook')::integer as webhook
    from builder.deliveries where quote_id = ${id}`;
  expect(Math.max(...Object.values(got))).toBe(1);
  return Object.keys(got)
    .filter(way => got[way] === 1)
    .join(', ');
}

const pageParts = {
  customer: 'By the customer',
  link: 'By a link',
  staff: 'By staff, a secret key or psql',
  sweep: 'By the sweep',
};

it('each change notifies whoever did not make it, and the webhooks: functions/delivery/NOTIFIED.md', async () => {
  await o.claim({ mails: 0, staff: 'sales@builder.test' });
  await o.aWebhook();
  /** Of each maker, the events by what they send. */
  const sent: Record<string, Record<string, string[]>> = {
    customer: {},
    link: {},
    staff: {},
    sweep: {},
  };
  for (const one of cases) {
    const cells: Record<string, string | undefined> = {};
    for (const [name, maker] of Object.entries(makers)) {
      cells[name] = await notifiedOf(maker, one);
    }
    expect([cells['the secret key'], cells['an operator']]).toEqual([cells['staff'], cells['staff']]);
    const event = [`\`quote.${one.event}\``, one.how && `(${one.how})`].filter(Boolean).join(' ');
    for (const [maker, events] of Object.entries(sent)) {
      const ways = cells[maker];
      if (ways) {
        events[ways] = [...(events[ways] ?? []), event];
      }
    }
  }
  const part = ([maker, title]: [string, string]) => {
    const lines = Object.entries(sent[maker] ?? {}).map(
      ([ways, events]) => `- ${ways}: ${events.join(', ')}\n`,
    );
    return `\n## ${title}\n\n${lines.join('')}`;
  };
  const page = `# Who is notified

For operators: what does each change send? A test writes this page. \`app\` is a notification in the account's application, \`mail\` its
e-mail, \`staff\` an e-mail to \`STAFF_EMAIL\`, and \`webhook\` a call of each webhook.
${Object.entries(pageParts).map(part).join('')}`;
  await expect(page).toMatchFileSnapshot('../../functions/delivery/NOTIFIED.md');
});
