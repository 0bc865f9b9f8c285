/** Why a webhook or a mail failed, as it is stored and logged (one short line without what may be a secret), and what that means. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { describeResponse } from '../../functions/delivery/reason.ts';
import { resultOfFailure, type SmtpFailure } from '../../functions/delivery/smtp-result.ts';
import { anyText } from '../setup/any-text.ts';
import { rounds } from '../setup/full-size.ts';
import { createSecret } from './secret.ts';

const url = 'https://hooks.example.com/services/T0123/B01234567?key=sesame-open&v=2';
const secrets = [createSecret(), createSecret()];
const describe500 = (text: string) => describeResponse(500, text, url);

it.each([
  ['a\r\n\tb\u0000\u0007\u001b[31mc\u2028d\u202ee', '500 a b [31mc d e'],
  ['x '.repeat(400), `500 ${'x '.repeat(148)}`.trim()],
  [`no route for ${url}`, '500 no route for …'],
  [`expected ${secrets[1]?.slice(6)}`, '500 expected …'],
  [`{"key":"whsec_${'ab+c\\/'.repeat(8)}="}`, '500 {"key":"…"}'],
  ['v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= is wrong', '500 v1,… is wrong'],
  ['sent to Jo <jo.doe@example.org>', '500 sent to Jo <…>'],
])('a response %j is stored without keys, addresses and parts of the URL', (text, reason) => {
  expect(describe500(text)).toBe(reason);
});

it('a stored reason is one well-formed line of at most 300 characters, whatever the response is', () => {
  const piece = fc.oneof(anyText(), fc.constantFrom(url, ...secrets, '\n', '😀'));
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 100 }), pieces => {
      const reason = describe500(pieces.join(''));
      expect(reason.length).toBeLessThanOrEqual(300);
      expect(reason).toMatch(/^500/);
      expect(reason).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
      expect(reason.isWellFormed()).toBe(true);
      expect(secrets.filter(secret => reason.includes(secret.slice(6)))).toEqual([]);
      expect(reason).not.toContain('B01234567');
    }),
    { numRuns: rounds(300, 1000) },
  );
});

const to = 'bob.smith@customer.example';
const reply = (at: SmtpFailure['at'], text: string) => resultOfFailure({ at, reply: text, event: '' }, to);

it.each<[is: string, at: SmtpFailure['at'], ...texts: string[]]>([
  ['unavailable', 'recipient', '550 5.4.5 Daily user sending limit exceeded'],
  ['unavailable', 'message', '454 Throttling failure: Daily message quota exceeded.'],
  ['failed', 'recipient', '450 greylisted', '421 4.7.0 closing', '452 4.2.2 mailbox over its message quota'],
  ['failed', 'recipient', '554 5.7.1 relay access denied', '550 relaying denied', '550 5.2.2 mailbox full'],
  ['failed', 'recipient', '554 5.7.1 blocked using zen.spamhaus.org', '550 5.1.8 sender domain not found'],
  ['failed', 'message', '451 4.3.0 local error', '554 5.7.1 spam', '554 no', '552 5.3.4 message too large'],
  ['refused', 'recipient', '550 5.1.1 no such user', '550 user unknown', '553 5.1.3 bad address'],
  ['refused', 'message', '550 5.1.1 no such user after all'],
])('a mail is %s when the relay replies to the %s: %s', (is, at, ...texts) => {
  for (const text of texts) {
    expect(reply(at, text)).toEqual({ is, reason: text });
  }
});

it.each([
  ['550 5.1.1 <bob.smith@customer.example>: no such user', '550 5.1.1 <…>: no such user'],
  ['550 see https://relay.example/?to=bob.smith%40customer.example', '550 see …'],
  [`554 https://api.example/offer?token=${'a'.repeat(36)}.${'B'.repeat(43)} is listed`, '554 … is listed'],
  ['550-5.7.1 first line\n550-5.7.1 second\r\n550 5.7.1 third', '550 5.7.1 first line second third'],
  [`550 ${'x '.repeat(30_000)}`, `550 ${'x '.repeat(148)}`.slice(0, 300)],
])('the reason of a refusal is one line of at most 300 characters and has no address or token: %#', (text, reason) => {
  expect(reply('message', text)).toMatchObject({ reason });
});
