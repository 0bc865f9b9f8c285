/** E-mail that is due: which, to which address, how much a day, and until when. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { aNotification, aQuote } from '../setup/rows.ts';
import { useOutbox } from './outbox.ts';
import { asCustomer, asStaff, claimsOf, insert } from './roles.ts';

const o = useOutbox();
const messages = () => o.sql`select body, channel from builder.notifications order by id`;

describe('a move of a quote', () => {
  it('does not make an e-mail due in a quiet session', async () => {
    await o.sql.begin(async own => {
      await own`set local builder.quiet = 'on'`;
      await insert(own, 'notifications', aNotification(o.account, { channel: 'email' }));
    });
    expect(await o.sql`select from builder.deliveries`).toEqual([]);
  });

  it('by its customer is announced at most a hundred times a day, and always recorded', async () => {
    const id = await insert(o.sql, 'quotes', aQuote(o.account));
    await asCustomer(o.sql, claimsOf(o.account), async own => {
      for (let n = 0; n < 220; n++) {
        await own`update builder.quotes set status = ${n % 2 === 0 ? 'submitted' : 'draft'} where id = ${id}`;
      }
    });
    expect(await messages()).toHaveLength(100);
    expect(await o.sql`select from builder.quote_events`).toHaveLength(220);
  });
});

describe('an e-mail', () => {
  it('is due when a notification by e-mail is stored, or becomes one, once', async () => {
    await o.aQuoted();
    await o.anEmail();
    await o.anEmail({ channel: 'in_app' });
    expect(await o.claim()).toHaveLength(1);
    await o.sql`update builder.notifications set channel = 'in_app'`;
    await o.sql`update builder.notifications set channel = 'email'`;
    expect(await o.claim()).toHaveLength(1);
    expect(await o.sql`select from builder.deliveries`).toHaveLength(2);
  });

  it.each<[why: string, make: (id: string) => Promise<unknown>]>([
    ['deleted', id => o.sql`delete from builder.notifications where id = ${id}`],
    [
      'dismissed',
      id =>
        asCustomer(
          o.sql,
          claimsOf(o.account),
          own => own`update builder.notifications_of_customer set dismissed = true where id = ${id}`,
        ),
    ],
    ['expired', id => o.sql`update builder.notifications set expires_at = now() where id = ${id}`],
    ['too old', () => o.sql`update builder.deliveries set queued_at = now() - interval '4 days'`],
    ['unsubscribed', () => o.sql`select builder.unsubscribe_account(${o.account})`],
  ])('is skipped when it is %s', async (why, make) => {
    await o.aQuoted();
    await make(await o.anEmail());
    expect(await o.claim()).toEqual([]);
    expect(await o.states()).toEqual([`skipped: ${why}`]);
  });

  it('is sent although somebody else has dismissed its notification, and not when it is inserted as dismissed', async () => {
    await o.aQuoted();
    await o.anEmail();
    await asStaff(o.sql, {}, own => own`update builder.notifications set dismissed = true`);
    await o.anEmail({ dismissed: true });
    expect(await o.claim()).toHaveLength(1);
    expect(await o.states()).toEqual(['']);
  });

  it('that is skipped does not delay others, however many there are', async () => {
    await o.sql`select builder.unsubscribe_account(${o.account})`;
    await o.sql`insert into builder.notifications (account_id, body, channel, dismissed)
      select ${o.account}, 'Hello', 'email', false from generate_series(1, 200)`;
    o.account = randomUUID();
    await o.aQuoted();
    await o.anEmail();
    expect(await o.claim({ mails: 1 })).toMatchObject([{ account_id: o.account }]);
  });
});

describe('a bound of a day', () => {
  /** Claims so many mails while the account has one address after the other. */
  async function sendTo(addresses: string[], each: number): Promise<(string | undefined)[]> {
    const quote = await o.aQuoted();
    for (const contact_email of addresses) {
      await o.change(quote, { contact_email });
      for (let n = 0; n < each; n++) {
        await o.anEmail();
      }
      await o.claim();
    }
    return (await o.states()).filter(state => state !== '');
  }

  const [ofAddresses, toAddress] = ['too many addresses', 'too many to the address'];
  it.each([
    ['three addresses of an account', ['a@a.test', 'b@a.test', 'c@a.test', 'd@a.test'], 1, [ofAddresses]],
    ['twenty mails to an account', ['a@a.test', 'b@a.test', 'c@a.test'], 7, ['too many to the account']],
    ['ten mails to an address, in any case', ['ann@a.test', 'Ann@A.TEST'], 6, [toAddress, toAddress]],
  ])('is %s, beyond which mails wait', async (_, addresses, each, reasons) => {
    expect(await sendTo(addresses, each)).toEqual(reasons.map(reason => `waiting: ${reason}`));
  });

  it('is MAIL_PER_DAY in all, beyond which mails wait', async () => {
    await o.aQuoted();
    await o.anEmail();
    await o.anEmail();
    expect(await o.claim({ aDay: 1 })).toHaveLength(1);
    expect(await o.states()).toEqual(['', 'waiting: too many in all']);
    await o.makeDue();
    expect(await o.claim({ aDay: 3 })).toHaveLength(2);
  });

  it('counts accounts apart, and its mails wait until the day is over', async () => {
    for (const account of [randomUUID(), randomUUID()]) {
      o.account = account;
      await o.aQuoted();
      for (let n = 0; n < 11; n++) {
        await o.anEmail();
      }
    }
    expect(await o.claim({ mails: 50 })).toHaveLength(20);
    const held = await o.sql`
      select round(extract(epoch from due_at - now()) / 3600)::integer as hours, reason from builder.deliveries where state = 'waiting'`;
    const later = { hours: 24, reason: 'too many to the address' };
    expect(held).toEqual([later, later]);
  });
});
