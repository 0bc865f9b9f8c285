/** Which URLs a webhook may have: https to a public name on port 443, and with a setting http://127.0.0.1 with a port. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkWebhookUrl } from '../../functions/delivery/webhook-url.ts';
import { anyText } from '../setup/any-text.ts';
import { rounds } from '../setup/full-size.ts';

const check = (text: string, onLoopback = false) => checkWebhookUrl(text, onLoopback);
const refused = expect.objectContaining({ ok: false, failure: expect.stringMatching(/^its? /) });

it.each([
  ['https://example.com', 'https://example.com/'],
  ['HTTPS://Example.COM/Hooks?tenant=7', 'https://example.com/Hooks?tenant=7'],
  ['https://münchen.de/%20', 'https://xn--mnchen-3ya.de/%20'],
  [`https://example.com/${'x'.repeat(2028)}`, `https://example.com/${'x'.repeat(2028)}`],
])('a webhook may have %j, which is called by its only spelling', (text, value) => {
  expect(check(text)).toEqual({ ok: true, value });
});

const hosts = [
  // Names that are not public, and texts that are no names. The property below tries addresses.
  ...['localhost', 'localhost.', 'ｌocalhost', 'intranet', 'printer.local', 'metadata.google.internal'],
  ...['1.0.0.127.in-addr.arpa', 'example.com.', 'a_b.example.com', `${'abcdefg.'.repeat(32)}com`, ''],
];

it.each([
  ...hosts.map(host => `https://${host}/`),
  ...['https://user@example.com/', 'https://example.com\\@127.0.0.1/', 'https://example.com/#'],
  ...['https://example.com:80/', 'http://example.com/', 'http://127.0.0.1/', 'http://127.0.0.2:9000/'],
  ...['http://localhost:9000/', 'http://user@127.0.0.1:9000/', '', 'https://exam\tple.com/'],
  `https://example.com/${'x'.repeat(2029)}`,
  // It is longer when it is encoded, and shorter when it is parsed.
  ...[`https://example.com/${'é'.repeat(1000)}`, `https://example.com/${'x/../'.repeat(500)}`],
])('a webhook may not have %j, on this machine either', text => {
  expect(check(text)).toEqual(refused);
  expect(check(text, true)).toEqual(refused);
});

it('a webhook may have http://127.0.0.1 with a port only where a setting allows it', () => {
  const url = 'http://127.0.0.1:9000/hook';
  expect(check(url)).toEqual(refused);
  expect(check(url, true)).toEqual({ ok: true, value: url });
  expect(check('https://example.com/', true)).toMatchObject({ ok: true });
});

const pieces = fc.constantFrom(
  ...['https://', 'http://', 'example.com', 'localhost', '127.0.0.1', '0x7f', '[::1]', 'user', '%31'],
  ...['@', ':', '443', '/', '\\', '#', '?', '.', '。', '\t', '%', 'xn--', '\u00ad', '１'],
);

it('a text is accepted only as https to a name on port 443 with nothing else in it, whatever it is', () => {
  const some = (piece: fc.Arbitrary<string>) =>
    fc.array(piece, { maxLength: 8 }).map(parts => parts.join(''));
  const rest = some(fc.oneof(pieces, anyText({ maxLength: 3 })));
  const urls = fc.webUrl({ withFragments: true, withQueryParameters: true });
  const text = fc.oneof(
    some(pieces),
    rest.map(end => `https://${end}`),
    urls,
    anyText(),
  );
  fc.assert(
    fc.property(text, text => {
      const checked = check(text);
      if (checked.ok) {
        const { protocol, port, username, password, hash, href, hostname } = new URL(checked.value);
        const rest = { port: '', username: '', password: '', hash: '', href: checked.value };
        expect({ protocol, port, username, password, hash, href }).toEqual({ protocol: 'https:', ...rest });
        expect(hostname).toMatch(/^(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*$/);
        expect(check(checked.value)).toEqual(checked);
      }
    }),
    { numRuns: rounds(1000, 3000) },
  );
});

it('no spelling of an address is accepted', () => {
  const spelled = (n: number) => fc.constantFrom(`${n}`, `0x${n.toString(16)}`, `0${n.toString(8)}`);
  const spelling = fc.oneof(
    fc.array(fc.nat(255).chain(spelled), { minLength: 1, maxLength: 4 }).map(parts => parts.join('.')),
    fc.nat(2 ** 32 - 1).chain(spelled),
    fc.ipV4Extended(),
    fc.ipV6().map(address => `[${address}]`),
  );
  fc.assert(
    fc.property(spelling, fc.constantFrom('', '.'), fc.constantFrom('', ':443'), (host, dot, port) => {
      expect(check(`https://${host}${dot}${port}/`, true)).toEqual(refused);
    }),
    { numRuns: rounds(300, 1000) },
  );
});
