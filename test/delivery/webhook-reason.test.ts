import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeResponse } from '../../functions/delivery/reason.ts';
import { createSecret } from '../../functions/delivery/sign.ts';
import { anyText } from '../setup/any-text.ts';
import { rounds } from '../setup/full-size.ts';

const url = 'https://hooks.example.com/services/T0123/B01234567?key=sesame-open&v=2';
const secrets = [createSecret(), createSecret()];
const describe500 = (text: string) => describeResponse(500, text, url);

describe('a reason', () => {
  it.each([
    ['', '500'],
    ['Internal Server Error', '500 Internal Server Error'],
    ['{"error":"bad"}\n', '500 {"error":"bad"}'],
    ['a\r\n\tb\u0000\u0007\u001b[31mc', '500 a b [31mc'],
    ['a\u2028b\u202ec\u200bd\u00a0e', '500 a b c d e'],
    ['x '.repeat(400), `500 ${'x '.repeat(148)}`.trim()],
    [`a${'😀'.repeat(200)}`, `500 a${'😀'.repeat(147)}\ufffd`],
  ])('is the status and the beginning of the answer, on one line: %j', (text, reason) => {
    expect(describe500(text)).toBe(reason);
  });

  it.each([
    ['the URL', `no route for ${url}`, '500 no route for …'],
    ['its path', 'Cannot POST /services/T0123/B01234567', '500 Cannot POST …'],
    ['the last part of its path', 'no such hook: B01234567', '500 no such hook: …'],
    ['a value of its query', 'the key sesame-open is old', '500 the key … is old'],
    ['its host', 'hooks.example.com is down', '500 … is down'],
    ['a secret', `expected ${secrets[0]}`, '500 expected …'],
    ['an old secret without its prefix', `expected ${secrets[1]?.slice(6)}`, '500 expected …'],
    ['a secret as JSON may have it', `{"key":"whsec_${'ab+c\\/'.repeat(8)}="}`, '500 {"key":"…"}'],
    ['a secret as a query has it', `key=whsec_${'ab%2Fc%3D'.repeat(8)}`, '500 …'],
    ['a signature', 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= is wrong', '500 v1,… is wrong'],
    ['an address', 'sent to Jo <jo.doe@example.org>', '500 sent to Jo <…>'],
  ])('leaves out %s that the receiver repeats', (_, text, reason) => {
    expect(describe500(text)).toBe(reason);
  });

  it('is one well-formed line of at most 300 characters, whatever the answer is', () => {
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

  it('takes no long time of any text that is read', () => {
    for (const text of ['@', 'a@', 'a', '<', ' ', '\u0000', 'aA0-']) {
      expect(describe500(text.repeat(2048 / text.length)).length).toBeLessThanOrEqual(300);
    }
  });
});
