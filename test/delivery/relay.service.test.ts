/** Mails from workerd to a real SMTP server. */
import PostalMime from 'postal-mime';
import { describe, expect, inject, it } from 'vitest';
import { from, messageId, newMail, useMailer } from './mailer.ts';
import { useRelay } from './relay.ts';

const credentials = { user: 'me@builder.example', password: 'pass: wörd%' };
const mailer = useMailer();

describe('a relay that takes everything', () => {
  const relay = useRelay(() => ({}));

  it('gets the mail as it was written', async () => {
    const mail = newMail();
    expect(await mailer.send(relay, [mail])).toEqual([{ is: 'sent' }]);
    const { received } = await relay.report();
    expect(received).toMatchObject([{ from: from.address, to: [mail.to] }]);
    const { subject, text, headers } = await PostalMime.parse(received[0]?.raw ?? '');
    expect(subject).toBe('Quote QT-2026-00042 has a price.');
    expect(text?.trim()).toBe(`${mail.body}\n\n${mail.link}`);
    expect(headers).toContainEqual(expect.objectContaining({ key: 'message-id', value: messageId(mail) }));
  });

  it('gets several in one session', async () => {
    await relay.fail();
    const mails = Array.from({ length: 20 }, () => newMail());
    expect(await mailer.send(relay, mails)).toEqual(mails.map(() => ({ is: 'sent' })));
    const { received, connections } = await relay.report();
    expect(received.map(({ raw }) => /^Message-ID: (.*)\r$/im.exec(raw)?.[1])).toEqual(mails.map(messageId));
    expect(connections).toBe(1);
  });

  it('gets a text of 10,000 bytes in one line, and one of dots', async () => {
    await relay.fail();
    const bodies = ['x'.repeat(10_000), Array(2000).fill('.').join('\n'), `${'ü'.repeat(5000)}\r\n.\r\n`];
    await mailer.send(
      relay,
      bodies.map(body => newMail({ body, link: null })),
    );
    const { received } = await relay.report();
    const texts = await Promise.all(received.map(async ({ raw }) => (await PostalMime.parse(raw)).text));
    expect(texts.map(text => text?.trim())).toEqual(bodies.map(body => body.replaceAll('\r\n', '\n').trim()));
  });

  it.each([
    'a@example.com\r\nRCPT TO:<x@evil.example>',
    'a@example.com, x@evil.example',
    'a@bücher.example',
    '"x@evil.example"@example.com',
  ])('is not asked for %j', async to => {
    await relay.fail();
    expect(await mailer.send(relay, [newMail({ to })])).toMatchObject([{ is: 'dead', refuses: true }]);
    expect(await relay.report()).toMatchObject({ received: [], connections: 0 });
  });
});

describe.each([
  ['after STARTTLS', 'starttls'],
  ['from the first byte', 'implicit'],
] as const)('TLS %s', (_, tls) => {
  const relay = useRelay(() => ({
    certificate: inject('certificate'),
    login: credentials,
    smtp: { secure: tls === 'implicit' },
  }));

  it('carries login and mail', async () => {
    const outcomes = await mailer.send({ port: relay.directPort, tls, credentials }, [newMail(), newMail()]);
    expect(outcomes).toEqual([{ is: 'sent' }, { is: 'sent' }]);
    const { received } = await relay.report();
    expect(received).toMatchObject([
      { secure: true, user: credentials.user },
      { secure: true, user: credentials.user },
    ]);
  });

  it('is refused when the certificate is another host’s', async () => {
    const outcomes = await mailer.send({ host: '127.0.0.1', port: relay.directPort, tls, credentials }, [
      newMail(),
    ]);
    expect(outcomes).toEqual([{ is: 'unavailable', reason: expect.any(String) }]);
  });

  it('does not help a wrong password, which the reason keeps', async () => {
    const wrong = { ...credentials, password: 'guessed' };
    const [outcome] = await mailer.send({ port: relay.directPort, tls, credentials: wrong }, [newMail()]);
    expect(outcome).toEqual({ is: 'unavailable', reason: expect.stringMatching(/^535.* login refused$/) });
  });
});

describe.each([
  ['after STARTTLS', 'starttls'],
  ['from the first byte', 'implicit'],
] as const)('TLS %s, with a certificate that nobody vouches for,', (_, tls) => {
  const relay = useRelay(() => ({ login: credentials, smtp: { secure: tls === 'implicit' } }));

  it('gets neither login nor mail', async () => {
    const outcomes = await mailer.send({ port: relay.directPort, tls, credentials }, [newMail()]);
    expect(outcomes).toEqual([{ is: 'unavailable', reason: expect.any(String) }]);
    expect((await relay.report()).received).toEqual([]);
  });
});
