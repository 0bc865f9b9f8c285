import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkWebhookUrl } from '../../functions/delivery/webhook-url.ts';
import { anyText } from '../setup/any-text.ts';
import { rounds } from '../setup/full-size.ts';

const check = (text: string, onLoopback = false) => checkWebhookUrl(text, onLoopback);
const refused = expect.objectContaining({ ok: false, failure: expect.stringMatching(/^its? /) });

describe('a URL that a webhook may have', () => {
  it.each([
    ['https://example.com/hooks?tenant=7', 'https://example.com/hooks?tenant=7'],
    ['https://example.com', 'https://example.com/'],
    ['https://example.com:443/', 'https://example.com/'],
    ['HTTPS://Example.COM/Hooks', 'https://example.com/Hooks'],
    ['https://a-b.c1.example.co/%20', 'https://a-b.c1.example.co/%20'],
    ['https://münchen.de/', 'https://xn--mnchen-3ya.de/'],
    ['https://xn--mnchen-3ya.de/', 'https://xn--mnchen-3ya.de/'],
    // What a name leads to is not known here.
    ['https://10.0.0.1.nip.io/', 'https://10.0.0.1.nip.io/'],
    [`https://example.com/${'x'.repeat(2028)}`, `https://example.com/${'x'.repeat(2028)}`],
  ])('is called by its only spelling: %j', (text, value) => {
    expect(check(text)).toEqual({ ok: true, value });
  });
});

describe('a URL is refused', () => {
  const addresses = [
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0X7F.0.0.1',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '0',
    '0.0.0.0',
    '10.0.0.1',
    '169.254.169.254',
    '0xa9fea9fe',
    '8.8.8.8',
    '1.2.3.4.',
    '[::1]',
    '[::]',
    '[::ffff:10.0.0.1]',
    '[::ffff:a00:1]',
    '[fd00::1]',
    '[fe80::1]',
    '[64:ff9b::a00:1]',
    '[2606:4700::1111]',
    '１２７.０.０.１',
    '①②⑦.0.0.1',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '256.256.256.256',
    '1.2.3.4.5',
    '0x7f.1.example.0x1',
  ];
  it.each(addresses)('when its host is an address: %s', host => {
    expect(check(`https://${host}/`)).toEqual(refused);
    expect(check(`https://${host}:443/`)).toEqual(refused);
    expect(check(`https://${host}/`, true)).toEqual(refused);
  });

  it.each([
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    'a.b.localhost',
    'ｌocalhost',
    'loc%61lhost',
    'loca\u00adlhost',
    'intranet',
    'printer.local',
    'metadata.google.internal',
    'router.home.arpa',
    '1.0.0.127.in-addr.arpa',
    'example.com.',
    'example..com',
    '.example.com',
    '-a.example.com',
    'a-.example.com',
    'a_b.example.com',
    'a,b.example.com',
    "a'b.example.com",
    'a*b.example.com',
    `${'a'.repeat(64)}.example.com`,
    `${'abcdefg.'.repeat(32)}com`,
    'xn--\u0080.com',
    '',
  ])('when its host is no public name: %j', host => {
    expect(check(`https://${host}/`)).toEqual(refused);
  });

  it.each([
    'https://user@example.com/',
    'https://user:password@example.com/',
    'https://:password@example.com/',
    'https://example.com@127.0.0.1/',
    'https://example.com:443@127.0.0.1/',
    'https://127.0.0.1@example.com/',
    'https://example.com%40127.0.0.1/',
    'https://example.com\\@127.0.0.1/',
    'https:\\\\example.com\\',
    'https://example.com#@127.0.0.1/',
    'https://example.com/#',
    'https://example.com/#a',
    'https://example.com:80/',
    'https://example.com:8443/',
    'https://example.com:0/',
    'https://example.com:65536/',
    'http://example.com/',
    'http://example.com:443/',
    'ftp://example.com/',
    'wss://example.com/',
    'javascript://example.com/%0aalert(1)',
    'data:text/plain,https://example.com/',
    'file:///etc/passwd',
    'blob:https://example.com/1',
    'unix:/var/run/docker.sock',
    '//example.com/',
    'example.com',
    '/hooks',
    ' https://example.com/',
    'https://example.com/ ',
    'https://exam\tple.com/',
    'https://example.com/a\r\nhost: other',
    'https://example.com/\0',
    'https://example.com/a b',
    `https://example.com/${'x'.repeat(2029)}`,
    `https://example.com/${'x/../'.repeat(500)}`,
    // It is longer when it is encoded.
    `https://example.com/${'é'.repeat(1000)}`,
    '',
  ])('whatever it is made of: %j', text => {
    expect(check(text)).toEqual(refused);
    expect(check(text, true)).toEqual(refused);
  });
});

describe('http://127.0.0.1 with a port', () => {
  it('is allowed by a setting alone', () => {
    expect(check('http://127.0.0.1:9000/hook')).toEqual(refused);
    expect(check('http://127.0.0.1:9000/hook', true)).toEqual({
      ok: true,
      value: 'http://127.0.0.1:9000/hook',
    });
    expect(check('https://example.com/', true)).toMatchObject({ ok: true });
  });

  it.each([
    'http://127.0.0.1/',
    'http://127.0.0.1:80/',
    'http://127.0.0.2:9000/',
    'http://localhost:9000/',
    'http://[::1]:9000/',
    'http://0.0.0.0:9000/',
    'http://10.0.0.1:9000/',
    'http://example.com:9000/',
    'http://user@127.0.0.1:9000/',
    'http://127.0.0.1:9000/#a',
    'ws://127.0.0.1:9000/',
    'https://127.0.0.1:9000/',
  ])('and nothing else on this machine or near it is: %s', text => {
    expect(check(text, true)).toEqual(refused);
  });
});

describe('whatever the text is', () => {
  const pieces = fc.constantFrom(
    ...['https://', 'http://', 'example.com', 'localhost', '127.0.0.1', '0x7f', '[::1]', 'user', '%31'],
    ...['@', ':', '443', '/', '\\', '#', '?', '.', '。', '\t', '%', 'xn--', '\u00ad', '１'],
  );
  const text = fc.oneof(
    fc.array(pieces, { maxLength: 8 }).map(parts => parts.join('')),
    fc
      .array(fc.oneof(pieces, anyText({ maxLength: 3 })), { maxLength: 8 })
      .map(parts => `https://${parts.join('')}`),
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    anyText(),
  );

  it('what is allowed is https to a name, on 443, with nothing else in it, and stays so', () => {
    fc.assert(
      fc.property(text, text => {
        const checked = check(text);
        if (checked.ok) {
          const url = new URL(checked.value);
          const { protocol, port, username, password, hash, href, hostname } = url;
          expect({ protocol, port, username, password, hash, href }).toEqual({
            protocol: 'https:',
            port: '',
            username: '',
            password: '',
            hash: '',
            href: checked.value,
          });
          expect(hostname).toMatch(/^(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*$/);
          expect(check(checked.value)).toEqual(checked);
        }
      }),
      { numRuns: rounds(2000, 100_000) },
    );
  });

  it('a spelling of an address is refused', () => {
    const part = fc.nat(255).chain(n => fc.constantFrom(`${n}`, `0x${n.toString(16)}`, `0${n.toString(8)}`));
    const spelling = fc.oneof(
      fc.array(part, { minLength: 1, maxLength: 4 }).map(parts => parts.join('.')),
      fc.nat(2 ** 32 - 1).chain(n => fc.constantFrom(`${n}`, `0x${n.toString(16)}`, `0${n.toString(8)}`)),
      fc.ipV4Extended(),
      fc.ipV6().map(address => `[${address}]`),
    );
    fc.assert(
      fc.property(spelling, fc.constantFrom('', '.'), fc.constantFrom('', ':443'), (host, dot, port) => {
        expect(check(`https://${host}${dot}${port}/`, true)).toEqual(refused);
      }),
      { numRuns: rounds(500, 20_000) },
    );
  });
});
