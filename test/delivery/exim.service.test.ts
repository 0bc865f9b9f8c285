/** Mails from workerd to Debian's Exim, over TLS and with a login, into a mailbox. */
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { type Exim, startExim } from './exim.ts';
import { from, messageId, newMail, useMailer } from './mailer.ts';

const login = { user: 'builder', password: 'pass-of-the-relay' };

describe('Exim', { tags: ['exim'] }, () => {
  const mailer = useMailer();
  let exim: Exim;
  beforeAll(async () => {
    exim = await startExim({ certificate: inject('certificate'), login });
  });
  afterAll(() => exim.stop());

  it('takes mails, and a mail program reads in them what was written', async () => {
    const mails = [
      newMail(),
      newMail({ body: `Ü ${'x'.repeat(9998)}`, link: null }),
      newMail({ body: 'Quote\r\n.\r\nBcc: x@evil.example\r\n\r\n制服' }),
    ];
    const relay = { port: exim.port, tls: 'implicit', credentials: login } as const;
    expect(await mailer.send(relay, mails)).toEqual(mails.map(() => ({ is: 'sent' })));
    await vi.waitUntil(async () => (await exim.mailbox()).length === mails.length, { timeout: 30_000 });
    const read = await Promise.all((await exim.mailbox()).map(raw => PostalMime.parse(raw)));
    const written = mails.map(mail => {
      const text = [mail.body.replaceAll('\r\n', '\n'), ...(mail.link ? [mail.link] : [])].join('\n\n');
      return { id: messageId(mail), text, to: [mail.to], from: from.address };
    });
    const shown = read.map(({ messageId: id, text = '', to = [], from: sender, bcc }) => {
      expect(bcc).toBeUndefined();
      const addresses = to.map(({ address }) => address);
      return { id, text: text.replaceAll('\r\n', '\n').trim(), to: addresses, from: sender?.address };
    });
    expect(shown).toEqual(expect.arrayContaining(written));
  });
});
