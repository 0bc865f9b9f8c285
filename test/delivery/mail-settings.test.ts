/** What the operator sets for e-mail is usable, or one sentence says what is wrong with it. */
import { describe, expect, it } from 'vitest';
import type { Env } from '../../functions/common/env.ts';
import { readMailSettings } from '../../functions/delivery/mail-settings.ts';

const SERVICE_URL = 'https://api.example.com';
const SECRET_KEY = 'sb_secret_0123456789abcdef';
const MAIL_FROM = 'Uniform Builder <quotes@example.com>';
const binding = { send: async () => ({ messageId: '' }) };

/** The relay that a MAIL_URL names. */
function relayOf(MAIL_URL: string) {
  const settings = readMailSettings({ MAIL_URL, MAIL_FROM, SERVICE_URL, SECRET_KEY });
  return settings.ok && settings.value?.via.is === 'smtp' ? settings.value.via.relay : settings;
}

describe('the relay', () => {
  it.each([
    ['smtps://relay.example.com', 465, 'implicit'],
    ['smtps://relay.example.com:465', 465, 'implicit'],
    ['smtps://relay.example.com:2465', 2465, 'implicit'],
    ['smtp://relay.example.com:465', 465, 'implicit'],
    ['smtp://relay.example.com', 587, 'starttls'],
    ['smtp://relay.example.com:2525/', 2525, 'starttls'],
    ['smtp://192.0.2.1:587', 587, 'starttls'],
    ['smtp://127.0.0.1:2525', 2525, 'none'],
    ['smtp://localhost:2525', 2525, 'none'],
    ['smtp://localhost.example.com:2525', 2525, 'starttls'],
    ['smtps://localhost:2465', 2465, 'implicit'],
  ])('of %s is reached at %i by TLS %s', (url, port, tls) => {
    expect(relayOf(url)).toMatchObject({ port, tls });
  });

  it('of [::1] is reached at ::1', () => {
    expect(relayOf('smtp://[::1]:2525')).toEqual({ host: '::1', port: 2525, tls: 'none' });
  });

  it('gets the user and the password as they are behind their percent-encoding', () => {
    expect(relayOf('smtps://me%40example.com:p%3Aa%2Fss@relay.example.com')).toEqual({
      host: 'relay.example.com',
      port: 465,
      tls: 'implicit',
      credentials: { user: 'me@example.com', password: 'p:a/ss' },
    });
  });

  it.each([
    ['port 25', 'smtp://relay.example.com:25', /port 25, which Cloudflare blocks.*587/],
    ['port 25 of this machine', 'smtp://127.0.0.1:25', /port 25/],
    ['another protocol', 'https://relay.example.com', /not of the form smtps:/],
    ['no URL', 'relay.example.com', /not of the form/],
    ['no host', 'smtp://', /not of the form/],
    ['a port alone', 'smtp://:587', /not of the form/],
    ['a name with line ends', 'smtp://relay%0d%0aRCPT:587', /not of the form/],
    ['a path', 'smtp://relay.example.com/queue', /after the host/],
    ['options', 'smtp://relay.example.com?tls=none', /after the host/],
    ['a user without a password', 'smtp://me:@relay.example.com', /a user and a password/],
    ['a user alone', 'smtp://me@relay.example.com', /a user and a password/],
    ['a password alone', 'smtp://:secret@relay.example.com', /a user and a password/],
    ['a password that is not encoded', 'smtp://me:100%@relay.example.com', /percent-encoded/],
    ['NUL in a password', 'smtp://me:a%00b@relay.example.com', /a user and a password/],
  ])('is refused with %s', (_, url, sentence) => {
    expect(relayOf(url)).toEqual({ ok: false, failure: expect.stringMatching(sentence) });
  });

  it('with credentials has TLS, unless it is this machine’s', () => {
    for (const host of ['relay.example.com', '10.0.0.1', '[2001:db8::1]', '127.0.0.2', 'LOCALHOST.example']) {
      for (const protocol of ['smtp', 'smtps']) {
        expect(relayOf(`${protocol}://user:password@${host}:2525`)).not.toMatchObject({ tls: 'none' });
      }
    }
  });

  it('is told in no failure what the password is', () => {
    for (const url of [
      'smtp://me:s3cret@h/x',
      'smtp://me:s3cret@h:25',
      'ftp://me:s3cret@h',
      's3cret',
      'smtp://me:s3cret%@h',
    ]) {
      expect(JSON.stringify(relayOf(url))).not.toContain('s3cret');
    }
  });
});

describe('the settings', () => {
  it.each<[string, Env, object | undefined]>([
    ['nothing is set', {}, undefined],
    ['nothing is set but the application', { APP_URL: 'https://app.example.com' }, undefined],
    [
      'there is a relay',
      { MAIL_URL: 'smtps://relay.example.com', MAIL_FROM },
      { from: { name: 'Uniform Builder', address: 'quotes@example.com' }, via: { is: 'smtp' } },
    ],
    ['there is a binding', { EMAIL: binding, MAIL_FROM }, { via: { is: 'binding' } }],
    ['there are both', { EMAIL: binding, MAIL_URL: 'smtps://a.example', MAIL_FROM }, { via: { is: 'smtp' } }],
  ])('are there when they should be: %s', (_, env, settings) => {
    const read = readMailSettings({ SERVICE_URL, SECRET_KEY, ...env });
    expect(read).toEqual({
      ok: true,
      value: settings && expect.objectContaining({ from: expect.anything() }),
    });
    expect(read).toMatchObject({ value: settings });
  });

  it.each([
    ['quotes@example.com', { name: '', address: 'quotes@example.com' }],
    ['<quotes@example.com>', { name: '', address: 'quotes@example.com' }],
    ['"Jerseys, Inc." <quotes@example.com>', { name: 'Jerseys, Inc.', address: 'quotes@example.com' }],
    ['Müller & Söhne <quotes@example.com>', { name: 'Müller & Söhne', address: 'quotes@example.com' }],
  ])('have the sender of %s', (from, sender) => {
    expect(readMailSettings({ EMAIL: binding, MAIL_FROM: from, SERVICE_URL, SECRET_KEY })).toMatchObject({
      value: { from: sender },
    });
  });

  it.each<[string, Env, RegExp]>([
    ['a relay and nobody whom it is from', { MAIL_URL: 'smtps://a.example' }, /^MAIL_FROM is not set/],
    ['a binding and nobody whom it is from', { EMAIL: binding }, /^MAIL_FROM is not set/],
    ['nothing that sends', { MAIL_FROM }, /neither MAIL_URL nor the binding EMAIL/],
    ['a sender without an address', { EMAIL: binding, MAIL_FROM: 'Uniform Builder' }, /^MAIL_FROM is not/],
    ['two senders', { EMAIL: binding, MAIL_FROM: 'a@example.com, b@example.com' }, /^MAIL_FROM is not/],
    [
      'a sender with a header',
      { EMAIL: binding, MAIL_FROM: 'A\r\nBcc: x <a@example.com>' },
      /^MAIL_FROM is not/,
    ],
    [
      'an endless name',
      { EMAIL: binding, MAIL_FROM: `${'a'.repeat(101)} <a@example.com>` },
      /^MAIL_FROM is not/,
    ],
    [
      'two for replies',
      { EMAIL: binding, MAIL_FROM, MAIL_REPLY_TO: 'a@b.example,c@d.example' },
      /^MAIL_REPLY_TO/,
    ],
    [
      'two for the staff',
      { EMAIL: binding, MAIL_FROM, STAFF_EMAIL: 'a@b.example,c@d.example' },
      /^STAFF_EMAIL/,
    ],
    [
      'a script as the application',
      { EMAIL: binding, MAIL_FROM, APP_URL: 'javascript:alert(1)' },
      /^APP_URL/,
    ],
    ['no address of this service', { EMAIL: binding, MAIL_FROM, SERVICE_URL: '' }, /^SERVICE_URL/],
    ['nothing to sign links with', { EMAIL: binding, MAIL_FROM, SECRET_KEY: '' }, /^SECRET_KEY/],
    ['no URL as the application', { EMAIL: binding, MAIL_FROM, APP_URL: 'app.example.com' }, /^APP_URL/],
  ])('are refused with %s', (_, env, sentence) => {
    expect(readMailSettings({ SERVICE_URL, SECRET_KEY, ...env })).toEqual({
      ok: false,
      failure: expect.stringMatching(sentence),
    });
  });
});
