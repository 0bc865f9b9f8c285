/** To which address an e-mail goes, and what becomes of it while there is none. */
import { randomUUID } from 'node:crypto';
import type { TransactionSql } from 'postgres';
import { describe, expect, it, onTestFinished } from 'vitest';
import { address, useOutbox } from './outbox.ts';
import { asCustomer, asStaff, claimsOf, update } from './roles.ts';

const o = useOutbox();

describe('the address of a mail', () => {
  const unknown = ['refused', '550 5.1.1 no such user'] as const;

  it('is the contact of the quote that the mail is about', async () => {
    await o.aQuoted({ contact_email: 'other@customer.test' });
    await o.anOffer({ quoted_at: null, contact_email: 'bob@customer.test' });
    expect(await o.claim()).toMatchObject([{ address: 'bob@customer.test' }]);
  });

  it('that is missing or refused makes the mail wait until the contact is corrected', async () => {
    const id = await o.anOffer({ contact_email: null });
    expect(await o.claim()).toEqual([]);
    expect(await o.states()).toEqual(['waiting: no address']);
    await o.change(id, { contact_email: 'wrong@customer.test' });
    const [first] = await o.claim();
    expect(await o.settle(first, unknown)).toMatchObject([{ state: 'waiting' }]);
    await o.makeDue();
    expect(await o.claim()).toEqual([]);
    expect(await o.states()).toEqual(['waiting: 550 5.1.1 no such user']);
    await o.change(id, { contact_email: address });
    expect(await o.claim()).toMatchObject([{ address }]);
  });

  it('that is half typed, as a draft may hold it, makes the mail wait as a missing one does', async () => {
    const unpriced = { status: 'draft', unit_price: null, total_price: null };
    const id = await o.aQuoted({ ...unpriced, contact_email: 'bob@cust' });
    await o.change(id, { status: 'rejected' });
    await o.anEmail();
    expect(await o.claim()).toEqual([]);
    expect(await o.states()).toEqual(['waiting: no address', 'waiting: no address']);
  });

  it('that was corrected while the relay refused it gets the mail within a minute', async () => {
    const id = await o.anOffer({ contact_email: 'wrong@customer.test' });
    const [first] = await o.claim();
    await o.change(id, { contact_email: address });
    const [settled] = await o.settle(first, unknown);
    expect(settled?.retry_in).toBeLessThanOrEqual(60);
    await o.makeDue();
    expect(await o.claim()).toMatchObject([{ address }]);
  });

  it('is the contact of a quote that staff created as ordered', async () => {
    await o.aQuoted({ status: 'ordered', source: 'admin_created', quoted_at: null });
    expect(await o.claim()).toMatchObject([{ address }]);
    await o.anEmail();
    expect((await o.claim()).at(-1)).toMatchObject({ address });
  });

  it('that was refused and never corrected ends the mail after three days, with the reason', async () => {
    await o.anOffer();
    const [first] = await o.claim();
    await o.settle(first, unknown);
    await o.sql`update builder.deliveries set queued_at = now() - interval '3 days', due_at = now()`;
    expect(await o.claim()).toEqual([]);
    expect(await o.states()).toEqual(['dead: too old: 550 5.1.1 no such user']);
  });

  it('and the body of a webhook are those of the account that has the quote now', async () => {
    await o.aWebhook();
    const now = randomUUID();
    await o.change(await o.anOffer(), { account_id: now });
    const [mail, call] = await o.claim();
    expect(mail).toMatchObject({ account_id: now, address });
    expect(call?.event).toMatchObject({ account_id: now });
  });

  it.each([
    'staff',
    'customer',
  ])('is the contact of a quote without a price only if staff did it: %s', async by => {
    const unpriced = { quoted_at: null, unit_price: null, total_price: null };
    const id = await o.aQuoted({ status: 'submitted', ...unpriced });
    await o.say('quote.cancelled', { body: 'Cancelled', channel: 'email' }, { audience: 'actor' });
    const change = (own: TransactionSql) => update(own, 'quotes', id, { status: 'cancelled' });
    await (by === 'staff' ? asStaff(o.sql, {}, change) : asCustomer(o.sql, claimsOf(o.account), change));
    expect(await o.claim()).toMatchObject(by === 'staff' ? [{ address }] : []);
  });

  it('is never one that only the customer has chosen, and first a confirmed one', async () => {
    const stranger = { contact_email: 'stranger@other.test' };
    const unpriced = { quoted_at: null, unit_price: null, total_price: null };
    await o.aQuoted({ status: 'submitted', ...unpriced, ...stranger });
    await o.aQuoted({ status: 'draft', ...stranger });
    await o.anEmail();
    expect(await o.claim()).toEqual([]);
    expect(await o.states()).toEqual(['waiting: no address']);
    await o.sql.unsafe(
      'create schema auth; create table auth.users (id uuid, email text, email_confirmed_at timestamptz)',
    );
    onTestFinished(async () => void (await o.sql`drop schema auth cascade`));
    await o.sql`insert into auth.users values (${o.account}, 'confirmed@customer.test', now())`;
    await o.aQuoted();
    await o.anEmail();
    expect(await o.claim()).toMatchObject([{ address: 'confirmed@customer.test' }]);
  });
});

describe('a change of a quote', () => {
  const busy = ['failed', '451 4.7.1 try later'] as const;
  const attempts = async () =>
    (await o.sql`select attempts from builder.deliveries order by id limit 1`)[0]?.['attempts'];

  it.each<[what: string, change: (n: number) => Record<string, unknown>]>([
    ['its contact', n => ({ contact_email: `ann+${n}@customer.test` })],
    ['its deletion and restoration', n => ({ deleted_at: n % 2 === 0 ? '2026-02-01' : null })],
  ])('in %s repeats no mail that failed, however often it changes', async (_, change) => {
    const id = await o.anOffer();
    await o.settle((await o.claim())[0], busy);
    for (let n = 0; n < 10; n++) {
      await o.change(id, change(n));
      await o.claim();
    }
    expect(await attempts()).toBe(1);
  });

  it('in its contact makes no mail of another quote of the account due', async () => {
    const [first, other] = [
      await o.anOffer({ contact_email: null }),
      await o.anOffer({ contact_email: null }),
    ];
    await o.anEmail();
    expect(await o.claim()).toEqual([]);
    await o.change(other, { contact_email: address });
    const due = o.sql`select quote_id from builder.deliveries where due_at <= now()`;
    expect(await due).toEqual([{ quote_id: other }]);
    await o.change(first, { contact_email: address });
    expect(await o.claim()).toMatchObject([{ address }, { address }]);
  });

  it('in its restoration makes due what waited for that', async () => {
    const id = await o.anOffer();
    await o.change(id, { deleted_at: '2026-02-01' });
    const bodies = async () => (await o.claim()).map(({ body }) => body?.split('\n')[0]);
    expect(await bodies()).toEqual(['Your quote QT-2026-00001 was deleted by us.']);
    expect((await o.states())[0]).toBe('waiting: quote deleted');
    await o.change(id, { deleted_at: null });
    expect(await bodies()).toEqual([
      'Your quote QT-2026-00001 has its price: $125.00.',
      'Your quote QT-2026-00001 was restored by us.',
    ]);
  });
});

it('an address that was refused gets no mail for a week, in any case', async () => {
  const quote = await o.aQuoted();
  await o.anEmail();
  const [claimed] = await o.claim();
  await o.settle(claimed, ['refused', '550']);
  await o.change(quote, { contact_email: 'aNN@customer.test' });
  await o.anEmail();
  expect(await o.claim()).toEqual([]);
  expect(await o.states()).toEqual(['waiting: 550', 'waiting: refused address']);
  await o.sql`update builder.refused_addresses set refused_at = now() - interval '8 days' where address like 'ann@%'`;
  await o.anEmail();
  expect(await o.claim()).toHaveLength(1);
});
