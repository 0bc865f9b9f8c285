/** What the operator sets for e-mail is usable, or one sentence says what is wrong with it. */
import { expect, it } from 'vitest';
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

it.each([
  ['smtps://relay.example.com', 465, 'implicit'],
  ['smtp://relay.example.com:465', 465, 'implicit'],
  ['smtp://user:password@[2001:db8::1]:2525', 2525, 'starttls'],
  ['smtp://127.0.0.1:2525', 2525, 'none'],
])('MAIL_URL %s is reached at port %i with TLS %s', (url, port, tls) => {
  expect(relayOf(url)).toMatchObject({ port, tls });
});

it('MAIL_URL has an IPv6 address in brackets, and user and password percent-encoded', () => {
  expect(relayOf('smtp://[::1]:2525')).toEqual({ host: '::1', port: 2525, tls: 'none' });
  const credentials = { user: 'me@example.com', password: 'p:a/ss' };
  expect(relayOf('smtps://me%40example.com:p%3Aa%2Fss@relay.example.com')).toMatchObject({ credentials });
});

it.each([
  ['smtp://127.0.0.1:25', /port 25, which Cloudflare blocks.*587/],
  ['smtp://me:s3cret@h/x', /after the host/],
  ['smtp://me@relay.example.com', /a user and a password/],
  ['smtp://me:s3cret%@h', /percent-encoded/],
])('MAIL_URL %s is refused with a sentence that shows no password', (url, sentence) => {
  expect(relayOf(url)).toEqual({ ok: false, failure: expect.stringMatching(sentence) });
  expect(JSON.stringify(relayOf(url))).not.toContain('s3cret');
});

it.each<[string, Env, object | undefined]>([
  ['nothing is set', {}, undefined],
  ['there is a binding', { EMAIL: binding, MAIL_FROM }, { via: { is: 'binding' } }],
  ['there are both', { EMAIL: binding, MAIL_URL: 'smtps://a.example', MAIL_FROM }, { via: { is: 'smtp' } }],
])('mail is configured or off: %s', (_, env, value) => {
  expect(readMailSettings({ SERVICE_URL, SECRET_KEY, ...env })).toMatchObject({ ok: true, value });
});

it.each([
  ['"Jerseys, Inc." <quotes@example.com>', { name: 'Jerseys, Inc.', address: 'quotes@example.com' }],
])('MAIL_FROM %s is a sender', (from, sender) => {
  const settings = readMailSettings({ EMAIL: binding, MAIL_FROM: from, SERVICE_URL, SECRET_KEY });
  expect(settings).toMatchObject({ value: { from: sender } });
});

it.each<[Env, RegExp]>([
  [{ MAIL_URL: 'smtps://a.example' }, /^MAIL_FROM is not set/],
  [{ MAIL_FROM }, /neither MAIL_URL nor the binding EMAIL/],
  [{ EMAIL: binding, MAIL_FROM: 'A\r\nBcc: x <a@example.com>' }, /^MAIL_FROM is not/],
  [{ EMAIL: binding, MAIL_FROM, MAIL_REPLY_TO: 'a@b.example,c@d.example' }, /^MAIL_REPLY_TO/],
  [{ EMAIL: binding, MAIL_FROM, APP_URL: 'javascript:alert(1)' }, /^APP_URL/],
  [{ EMAIL: binding, MAIL_FROM, SERVICE_URL: '' }, /^SERVICE_URL/],
])('the settings of mail are refused with a sentence: %j', (env, sentence) => {
  const failure = expect.stringMatching(sentence);
  expect(readMailSettings({ SERVICE_URL, SECRET_KEY, ...env })).toEqual({ ok: false, failure });
});
