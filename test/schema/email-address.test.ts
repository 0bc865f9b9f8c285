/** A contact's address, and what mail is sent to: exactly one address, which every server reads alike. */
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { emailAddress, mailableAddress } from '../../schema/email-address.ts';
import { anyText } from '../setup/any-text.ts';
import { rounds } from '../setup/full-size.ts';

const long = (length: number) => 'a'.repeat(length);

describe('an address', () => {
  it.each([
    'coach@example.com',
    'first.last+quotes@mail.example.co.uk',
    "o'brien@example.com",
    '!#$%&*+/=?^_`{|}~-@example.com',
    'a@xn--bcher-kva.example',
    `${long(64)}@example.com`,
    `a@${long(63)}.example`,
    `a@${`${long(61)}.`.repeat(4)}abcd`,
  ])('is %s', text => {
    expect(mailableAddress(text)).toBe(text);
    expect(v.is(emailAddress.format, text)).toBe(true);
  });

  it.each([
    ['a@bücher.example', 'a@xn--bcher-kva.example'],
    ['a@例え.テスト', 'a@xn--r8jz45g.xn--zckzah'],
    ['a@MÜNCHEN.example', 'a@xn--mnchen-3ya.example'],
  ])('%s is mailed as %s', (text, mailed) => {
    expect(mailableAddress(text)).toBe(mailed);
    expect(v.is(emailAddress.format, text)).toBe(true);
  });

  it.each([
    ['nothing', ''],
    ['no address', 'coach'],
    ['nothing before the @', '@example.com'],
    ['nothing behind it', 'coach@'],
    ['a second command', 'a@example.com\r\nRCPT TO:<x@evil.example>'],
    ['a second header', 'a@example.com\nBcc: x@evil.example'],
    ['a line end', 'a@example.com\n'],
    ['two addresses', 'a@example.com, x@evil.example'],
    ['two addresses without a space', 'a@example.com,x@evil.example'],
    ['two with a semicolon', 'a@example.com;x@evil.example'],
    ['a second @', 'a@b@example.com'],
    ['a parameter of the command', 'a@example.com> NOTIFY=SUCCESS'],
    ['a display name', 'Coach <a@example.com>'],
    ['brackets', '<a@example.com>'],
    ['a quoted local part', '"a b"@example.com'],
    ['a quoted recipient', '"x@evil.example"@example.com'],
    ['a comment', 'a(x)@example.com'],
    ['a route', '@evil.example:a@example.com'],
    ['a local path of old', 'evil.example!a@example.com, '],
    ['a raw local part in UTF-8', 'bücher@example.com'],
    ['an IP address in wide digits', 'a@１２７.0.0.１'],
    ['a dot of another script as its end', 'a@bücher。'],
    ['a wide space', 'a@bü\u2003cher.example'],
    ['NUL', 'a\0@example.com'],
    ['a space', 'a b@example.com'],
    ['a space around', ' a@example.com'],
    ['an IP address', 'a@[192.0.2.1]'],
    ['an IP address without brackets', 'a@192.0.2.1'],
    ['a domain of one label', 'root@localhost'],
    ['an empty label', 'a@example..com'],
    ['a dot at the end', 'a@example.com.'],
    ['a label that begins with -', 'a@-example.com'],
    ['a dot at the beginning', '.a@example.com'],
    ['two dots', 'a..b@example.com'],
    ['a long local part', `${long(65)}@example.com`],
    ['a long label', `a@${long(64)}.example`],
    ['a long domain', `a@${`${long(61)}.`.repeat(4)}abcde`],
  ])('is not %s', (_, text) => {
    expect(mailableAddress(text)).toBeUndefined();
    expect(v.is(emailAddress.format, text)).toBe(false);
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
    { numRuns: rounds(2000, 20_000) },
  );
});

it('what usual addresses are made of is an address', () => {
  fc.assert(
    fc.property(fc.emailAddress(), address => {
      expect(mailableAddress(address)).toBe(address);
    }),
    { numRuns: rounds(300, 3000) },
  );
});
