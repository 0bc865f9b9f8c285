/**
 * Mails from workerd to a real SMTP server, and by the binding `send_email`. Miniflare's binding looks at no more than the form
 * of a message, so that what Cloudflare refuses is thrown here, as its documentation has it.
 */
import PostalMime from 'postal-mime';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { copyCertificate } from '../setup/certificate.ts';
import { from, messageId, newMail, useMailer } from './mailer.ts';
import { useRelay } from './relay.ts';

const credentials = { user: 'me@builder.example', password: 'pass: wörd%' };
const mailer = useMailer();

describe('a relay', () => {
  const relay = useRelay(() => ({ certificate: inject('certificate') }));

  it('gets the mail as it was written', async () => {
    const mail = newMail({ body: `${'ü'.repeat(5000)}\n.\n${'x'.repeat(10_000)}`, link: null });
    expect(await mailer.send(relay, [mail])).toEqual([{ is: 'sent' }]);
    const received = relay.received([mail]);
    expect(received).toMatchObject([{ from: from.address, to: [mail.to] }]);
    const { text, messageId: id } = await PostalMime.parse(received[0]?.raw ?? '');
    expect([id, text?.replaceAll('\r\n', '\n').trim()]).toEqual([messageId(mail), mail.body]);
  });

  it('gets several in one session', async () => {
    const { port, seen } = await relay.failing();
    const mails = Array.from({ length: 20 }, () => newMail());
    expect(await mailer.send({ port }, mails)).toEqual(mails.map(() => ({ is: 'sent' })));
    const received = relay.received(mails);
    expect(received.map(({ raw }) => /^Message-ID: (.*)\r$/im.exec(raw)?.[1])).toEqual(mails.map(messageId));
    const [session = [], ...others] = seen();
    expect(others).toEqual([]);
    expect(session.at(-1)).toBe('QUIT');
  });

  const invalidRecipients = ['a@example.com\r\nRCPT TO:<x@evil.example>', 'a@b.test, x@evil.example'];

  it.each(invalidRecipients)('is not asked for %j', async to => {
    const { port, seen } = await relay.failing();
    expect(await mailer.send({ port }, [newMail({ to })])).toMatchObject([{ is: 'refused' }]);
    expect(seen()).toEqual([]);
  });
});

const ways = [
  ['after STARTTLS', 'starttls'],
  ['from the first byte', 'implicit'],
] as const;

describe.each(ways)('TLS %s', (_, tls) => {
  const relay = useRelay(() => ({
    certificate: inject('certificate'),
    login: credentials,
    smtp: { secure: tls === 'implicit' },
  }));

  it('carries login and mail', async () => {
    const mails = [newMail(), newMail()];
    const outcomes = await mailer.send({ port: relay.port, tls, credentials }, mails);
    expect(outcomes).toEqual([{ is: 'sent' }, { is: 'sent' }]);
    const secured = { secure: true, user: credentials.user };
    expect(relay.received(mails)).toMatchObject([secured, secured]);
  });

  it('is refused when the certificate is for another host', async () => {
    const elsewhere = { host: '127.0.0.1', port: relay.port, tls, credentials };
    expect(await mailer.send(elsewhere, [newMail()])).toEqual([
      { is: 'unavailable', reason: expect.stringMatching(/TLS|certificate/i) },
    ]);
  });

  it('with a wrong password sends no mail, and the reason does not show the password', async () => {
    const wrong = { ...credentials, password: 'guessed' };
    const outcomes = await mailer.send({ port: relay.port, tls, credentials: wrong }, [newMail()]);
    expect(outcomes).toEqual([{ is: 'unavailable', reason: '535 login refused' }]);
  });
});

describe('TLS with an untrusted certificate', () => {
  const own = copyCertificate('untrusted');
  afterAll(async () => (await own).remove());
  const relay = useRelay(async () => ({
    certificate: await own,
    login: credentials,
    smtp: { secure: true },
  }));

  it('carries neither login nor mail', async () => {
    const mail = newMail();
    const outcomes = await mailer.send({ port: relay.port, tls: 'implicit', credentials }, [mail]);
    expect(outcomes).toEqual([{ is: 'unavailable', reason: expect.stringMatching(/TLS|certificate/i) }]);
    expect(relay.received([mail])).toEqual([]);
  });
});

const binding = useMailer({ email: { send_email: [{ name: 'EMAIL' }] } });

it('the binding sends a mail', async () => {
  expect(await binding.sendByBinding(newMail({ body: 'ü'.repeat(5000) }))).toEqual({ is: 'sent' });
});

it.each([
  ['E_RECIPIENT_SUPPRESSED', 'refused'],
  ['E_RATE_LIMIT_EXCEEDED', 'unavailable'],
  ['E_CONTENT_TOO_LARGE', 'dead'],
  ['E_DELIVERY_FAILED', 'failed'],
  [undefined, 'failed'],
])('a failure of the binding with the code %s makes a mail %s', async (code, is) => {
  const reason = [code, '… has bounced'].filter(Boolean).join(' ');
  const fails = { message: 'coach@customer.example has bounced', ...(code && { code }) };
  expect(await binding.sendByBinding(newMail(), fails)).toEqual({ is, reason });
});

it('a mail is unanswered when the binding never answers', async () => {
  const times = { attempt: 100, reply: 100, beforeDot: 0 };
  expect(await binding.sendByBinding(newMail(), 'nothing', times)).toEqual({
    is: 'unanswered',
    reason: 'no reply in time to the message, which may have arrived',
  });
});
