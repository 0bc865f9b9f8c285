/** Mails from workerd to a real SMTP server. */
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
    const mail = newMail();
    expect(await mailer.send(relay, [mail])).toEqual([{ is: 'sent' }]);
    const received = await relay.received([mail]);
    expect(received).toMatchObject([{ from: from.address, to: [mail.to] }]);
    const { subject, text, messageId: id } = await PostalMime.parse(received[0]?.raw ?? '');
    expect({ subject, id }).toEqual({ subject: 'Quote QT-2026-00042 has a price.', id: messageId(mail) });
    expect(text?.trim()).toBe(`${mail.body}\n\n${mail.link}`);
  });

  it('gets several in one session', async () => {
    const { port, seen } = await relay.failing();
    const mails = Array.from({ length: 20 }, () => newMail());
    expect(await mailer.send({ port }, mails)).toEqual(mails.map(() => ({ is: 'sent' })));
    const received = await relay.received(mails);
    expect(received.map(({ raw }) => /^Message-ID: (.*)\r$/im.exec(raw)?.[1])).toEqual(mails.map(messageId));
    const [session = [], ...others] = await seen();
    expect(others).toEqual([]);
    expect(session.at(-1)).toBe('QUIT');
  });

  it('gets a text of 10,000 bytes in one line, and one of dots', async () => {
    const bodies = ['x'.repeat(10_000), Array(2000).fill('.').join('\n'), `${'ü'.repeat(5000)}\r\n.\r\nend`];
    const mails = bodies.map(body => newMail({ body, link: null }));
    await mailer.send(relay, mails);
    const received = await relay.received(mails);
    const texts = await Promise.all(received.map(async ({ raw }) => (await PostalMime.parse(raw)).text));
    const unix = (text = '') => text.replaceAll('\r\n', '\n').trim();
    expect(texts.map(unix)).toEqual(bodies.map(unix));
  });

  it.each([
    'a@example.com\r\nRCPT TO:<x@evil.example>',
    'a@example.com, x@evil.example',
    'bücher@example.com',
    '"x@evil.example"@example.com',
  ])('is not asked for %j', async to => {
    const { port, seen } = await relay.failing();
    expect(await mailer.send({ port }, [newMail({ to })])).toMatchObject([{ is: 'refused' }]);
    expect(await seen()).toEqual([]);
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
    expect(await relay.received(mails)).toMatchObject([secured, secured]);
  });

  it('shows a connection that ended as soon as one in clear', async () => {
    const mails = [newMail({ to: 'cut@customer.example' }), newMail()];
    const outcomes = await mailer.send({ port: relay.port, tls, credentials }, mails);
    const lost = expect.stringMatching(/^(Connection closed unexpectedly|Network connection lost\.)$/);
    expect(outcomes).toEqual([{ is: 'failed', reason: lost }, { is: 'sent' }]);
  });

  it('is refused when the certificate is another host’s', async () => {
    const elsewhere = { host: '127.0.0.1', port: relay.port, tls, credentials };
    expect(await mailer.send(elsewhere, [newMail()])).toEqual([
      { is: 'unavailable', reason: expect.stringMatching(/TLS|certificate/i) },
    ]);
  });

  it('does not help a wrong password, of which the reason says nothing', async () => {
    const wrong = { ...credentials, password: 'guessed' };
    expect(await mailer.send({ port: relay.port, tls, credentials: wrong }, [newMail()])).toEqual([
      { is: 'unavailable', reason: '535 login refused' },
    ]);
  });
});

describe.each(ways)('TLS %s, with a certificate that nobody vouches for,', (_, tls) => {
  const own = copyCertificate('untrusted');
  afterAll(async () => (await own).remove());
  const relay = useRelay(async () => ({
    certificate: await own,
    login: credentials,
    smtp: { secure: tls === 'implicit' },
  }));

  it('gets neither login nor mail', async () => {
    const mail = newMail();
    expect(await mailer.send({ port: relay.port, tls, credentials }, [mail])).toEqual([
      { is: 'unavailable', reason: expect.stringMatching(/TLS|certificate/i) },
    ]);
    expect(await relay.received([mail])).toEqual([]);
  });
});
