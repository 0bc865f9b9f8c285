/** A message is what a mail program shows: opened here by another's parser. */
import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { expect, it } from 'vitest';
import { compose, type Mail, subjectOf } from '../../functions/delivery/compose.ts';
import type { MailSettings } from '../../functions/delivery/mail-settings.ts';
import { anyText } from '../setup/any-text.ts';
import { rounds } from '../setup/full-size.ts';

const relay = { host: 'relay.example.com', port: 465, tls: 'implicit' } as const;
const settings: MailSettings = {
  via: { is: 'smtp', relay },
  from: { name: 'Uniform Builder', address: 'quotes@builder.example' },
  appUrl: 'https://app.example.com/',
};
const mail: Mail = {
  messageId: '5f0c2a9b-e1d4-4773-9b6e-0d2f7a1c3e55',
  to: 'coach@customer.example',
  greeting: null,
  body: 'Quote QT-2026-00042 has a price.\n\nIt is valid for 30 days.',
  link: '/quotes/42',
  language: 'en',
  unsubscribe: 'https://api.example.com/unsubscribe/c0000000-0000-4000-8000-000000000001.abc',
};

const textOf = async (changed: Partial<Mail> = {}, others: Partial<MailSettings> = {}) =>
  Buffer.from(await compose({ ...mail, ...changed }, { ...settings, ...others })).toString('latin1');

/** The message as a mail program reads it, with its headers by their names in small letters. */
async function open(changed?: Partial<Mail>, others?: Partial<MailSettings>) {
  const email = await PostalMime.parse(await textOf(changed, others));
  const headers = Object.fromEntries(email.headers.map(({ key, value }) => [key, value]));
  return { ...email, headers, names: email.headers.map(({ key }) => key).sort() };
}

const usualNames = [
  ...['auto-submitted', 'content-type', 'date', 'from', 'list-unsubscribe', 'list-unsubscribe-post'],
  ...['message-id', 'mime-version', 'subject', 'to'],
];

it('a mail has its text plain and as HTML, with the link to the application', async () => {
  const { subject, text, html, from, to } = await open();
  expect(subject).toBe('Quote QT-2026-00042 has a price.');
  expect(text?.trim()).toBe(`${mail.body}\n\nhttps://app.example.com/quotes/42`);
  expect(html).toContain('<p dir="auto">It is valid for 30 days.</p>');
  expect(html).toContain('<a href="https://app.example.com/quotes/42">https://app.example.com/quotes/42</a>');
  expect(from).toMatchObject(settings.from);
  expect(to).toEqual([{ name: '', address: mail.to }]);
});

it('a mail about an offer has its link in the line that says so, and no dollar or brace of it is special', async () => {
  const url = 'https://api.example.com/offer?token=a.$&$1';
  const line = 'Öffnen: {offer_url} <{offer_url}>';
  const { text, html } = await open({ offer: { line, url } });
  expect(text?.trim()).toBe(`${mail.body}\n\nÖffnen: ${url} <${url}>\n\nhttps://app.example.com/quotes/42`);
  const escaped = url.replace('&', '&#38;');
  const anchor = `<a href="${escaped}">${escaped}</a>`;
  expect(html).toContain(`<p dir="auto">Öffnen: ${anchor} &#60;${anchor}&#62;</p>`);
});

it.each([
  ['de_at', ' lang="de-AT"'],
  ['zh-hant-tw', ' lang="zh-Hant-TW"'],
  ['ar-EG', ' lang="ar-EG" dir="rtl"'],
  ['Deutsch (Österreich)', ''],
])('the HTML of a mail whose language is %j begins with <html%s>', async (language, attributes) => {
  expect((await open({ language })).html).toMatch(
    new RegExp(`^<!doctype html>\\s+<html${attributes}><head>`),
  );
});

it('a mail has the headers of a notification that can be unsubscribed, and no others', async () => {
  const { headers, names } = await open();
  expect(names).toEqual(usualNames);
  expect(headers).toMatchObject({
    'message-id': `<${mail.messageId}@builder.example>`,
    'auto-submitted': 'auto-generated',
    'list-unsubscribe': `<${mail.unsubscribe}>`,
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
  });
});

it('a mail names the address for replies if it is another, and by Resend has its idempotency key', async () => {
  const replyTo = 'sales@builder.example';
  expect((await open({}, { replyTo })).replyTo).toEqual([{ name: '', address: replyTo }]);
  const at = (host: string) => open({}, { via: { is: 'smtp', relay: { ...relay, host } } });
  expect((await at('smtp.resend.com')).headers['resend-idempotency-key']).toBe(mail.messageId);
  expect((await at('notresend.com')).names).toEqual(usualNames);
});

it('a mail begins with its greeting, and its subject is the first line after it', async () => {
  const { subject, text, html } = await open({ greeting: 'Guten Tag,' });
  expect(subject).toBe('Quote QT-2026-00042 has a price.');
  expect(text).toMatch(/^Guten Tag,\s+Quote QT-2026-00042 has a price\./);
  expect(html).toContain('<p dir="auto">Guten Tag,</p>');
});

it('HTML in the text of a mail is shown as text', async () => {
  const body = `<script>alert("1")</script> & <img src=x onerror='y'>`;
  const { html, text } = await open({ body });
  expect(html).not.toMatch(/<script|<img/);
  expect(html).toContain('&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62; &#38; &#60;img');
  expect(text).toContain(body);
});

it.each([
  ['is the first line that has text', '\n  \r\n One \r\nTwo', 'One'],
  ['has at most 120 characters', '😀'.repeat(121), `${'😀'.repeat(119)}…`],
  ['has no encoded word', '=?utf-8?Q?evil?=', '= ?utf-8?Q?evil?='],
])('the subject of a mail %s', (_, body, subject) => {
  expect(subjectOf(body)).toBe(subject);
});

it.each([
  ['quotes?id=eq.42#top', 'https://app.example.com/quotes?id=eq.42#top'],
  ['https://elsewhere.example/"><script>', 'https://elsewhere.example/%22%3E%3Cscript%3E'],
])('the link %s leads to %s', async (link, href) => {
  const { text, html } = await open({ link });
  expect(text).toContain(`\n\n${href}\n`);
  expect(html).toContain(`<a href="${href}">`);
});

const app = 'https://app.example.com';
it.each([
  ['/builder', '/quotes/42', '/builder/quotes/42'],
  ['/builder?tenant=7', '/quotes?id=42', '/builder/quotes?tenant=7&id=42'],
  ['/builder/#/', '/quotes/42?tab=sizes', '/builder/#/quotes/42?tab=sizes'],
  ['/builder', 'https://elsewhere.example/quotes/42', 'https://elsewhere.example/quotes/42'],
])('where the application is at %s, the link %s leads to %s', async (at, link, target) => {
  const { text } = await open({ link }, { appUrl: `${app}${at}` });
  expect(text).toContain(`\n\n${new URL(target, app)}\n`);
});

it.each([
  ...['javascript:alert(1)', 'https://user:password@a.example/', ''],
])('the link %j is left out', async link => {
  const { text, html } = await open({ link });
  expect(text?.trim()).toBe(mail.body);
  expect(html).not.toContain('<a');
});

const parts = ['\r\n', '\n', '\r', '\0', 'Bcc: x@evil.example', '.', ' ', 'a', 'ü', '<', '>', ',', '"'];

it('no text adds a header or a recipient to a mail, or breaks a line of SMTP', async () => {
  const smuggling = fc.array(fc.constantFrom(...parts)).map(chosen => chosen.join(''));
  const text = fc.oneof(smuggling, anyText({ maxLength: 300 }));
  await fc.assert(
    fc.asyncProperty(text, text, text, async (body, link, name) => {
      const given = [{ body, link }, { from: { ...settings.from, name } }] as const;
      const raw = await textOf(...given);
      expect(raw).toMatch(/^[\r\n\t -~]*$/);
      expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
      expect(Math.max(...raw.split('\r\n').map(line => line.length))).toBeLessThanOrEqual(998);
      const { names, to, from } = await open(...given);
      expect(names).toEqual(usualNames.filter(it => it !== 'subject' || subjectOf(body) !== ''));
      expect(to).toEqual([{ name: '', address: mail.to }]);
      expect(from?.address).toBe(settings.from.address);
    }),
    { numRuns: rounds(40, 100) },
  );
});

it.each([
  ['lines of one dot', Array(5000).fill('.').join('\n')],
  ['lines that begin with From, with dots and with umlauts', 'From me\n.\n..\n.From\nü'],
])('a text arrives whole: %s', async (_, body) => {
  expect((await open({ body, link: null })).text?.replaceAll('\r\n', '\n').trim()).toBe(body);
});
