/** What mail is sent to: exactly one address, which every server reads alike. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mailableAddress } from '../../schema/email-address.ts';
import { anyText } from '../setup/any-text.ts';
import { rounds } from '../setup/full-size.ts';

const long = (length: number) => 'a'.repeat(length);

describe('an address', () => {
  it.each([
    ...['coach@example.com', 'first.last+quotes@mail.example.co.uk', '!#$%&*+/=?^_`{|}~-@example.com'],
    ...[`${long(64)}@example.com`, `a@${long(63)}.example`, `a@${`${long(61)}.`.repeat(4)}abcd`],
  ])('is %s', text => {
    expect(mailableAddress(text)).toBe(text);
  });

  it.each([
    ['a@bücher.example', 'a@xn--bcher-kva.example'],
    ['a@例え.テスト', 'a@xn--r8jz45g.xn--zckzah'],
    ['a@MÜNCHEN.example', 'a@xn--mnchen-3ya.example'],
  ])('%s is mailed as %s', (text, mailed) => {
    expect(mailableAddress(text)).toBe(mailed);
  });

  it.each([
    ...['', 'coach', '@example.com', 'coach@', 'a@example.com\n', 'a b@example.com', 'a\0@example.com'],
    ...['a@example.com\r\nRCPT TO:<x@evil.example>', 'a@example.com\nBcc: x@evil.example'],
    ...['a@example.com, x@evil.example', 'a@example.com;x@evil.example', 'a@b@example.com'],
    ...['a@example.com> NOTIFY=SUCCESS', 'Coach <a@example.com>', '"x@evil.example"@example.com'],
    ...['a(x)@example.com', '@evil.example:a@example.com', 'bücher@example.com', 'a@１２７.0.0.１'],
    ...['a@bü\u2003cher.example', 'a@[192.0.2.1]', 'a@192.0.2.1', 'root@localhost', 'a@example..com'],
    ...['a@example.com.', 'a@-example.com', '.a@example.com', 'a..b@example.com', `${long(65)}@example.com`],
    ...[`a@${long(64)}.example`, `a@${`${long(61)}.`.repeat(4)}abcde`],
  ])('is not %j', text => {
    expect(mailableAddress(text)).toBeUndefined();
  });
});

it('whatever is an address is one line of ASCII with one @, and nothing that ends an argument of SMTP', () => {
  const near = fc.string({ unit: fc.constantFrom(...'aZ9.-_@<>,;:"\\()[] \r\n\t\0é') });
  fc.assert(
    fc.property(fc.oneof(near, anyText()), fc.constantFrom('', '@example.com'), (text, end) => {
      const address = text + end;
      const mailed = mailableAddress(address);
      if (mailed !== undefined) {
        expect(mailed).toMatch(/^[!#-'*+\-./-9=?A-Z^-~]+@[a-zA-Z0-9.-]+$/);
      }
    }),
    { numRuns: rounds(2000, 5000) },
  );
});

it('what usual addresses are made of is an address', () => {
  fc.assert(
    fc.property(fc.emailAddress(), address => {
      expect(mailableAddress(address)).toBe(address);
    }),
    { numRuns: rounds(300, 1000) },
  );
});
