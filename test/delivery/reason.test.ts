/** Why a webhook failed, as it is stored and logged: one short line, without what may be a secret. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { describeResponse } from '../../functions/delivery/reason.ts';
import { createSecret } from '../../functions/delivery/sign.ts';
import { anyText } from '../setup/any-text.ts';
import { rounds } from '../setup/full-size.ts';

const url = 'https://hooks.example.com/services/T0123/B01234567?key=sesame-open&v=2';
const secrets = [createSecret(), createSecret()];
const describe500 = (text: string) => describeResponse(500, text, url);

it.each([
  ['a\r\n\tb\u0000\u0007\u001b[31mc\u2028d\u202ee', '500 a b [31mc d e'],
  ['x '.repeat(400), `500 ${'x '.repeat(148)}`.trim()],
  [`no route for ${url}`, '500 no route for …'],
  ['no such hook: B01234567', '500 no such hook: …'],
  ['the key sesame-open is old', '500 the key … is old'],
  [`expected ${secrets[1]?.slice(6)}`, '500 expected …'],
  [`{"key":"whsec_${'ab+c\\/'.repeat(8)}="}`, '500 {"key":"…"}'],
  [`key=whsec_${'ab%2Fc%3D'.repeat(8)}`, '500 …'],
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
    { numRuns: rounds(500, 20_000) },
  );
});
