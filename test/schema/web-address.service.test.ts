/** What a URL, a link and a text that may be linked is: the same for the API and for the database. */
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { parseUrl } from '../../functions/delivery/web-address.ts';
import type { ColumnType } from '../../schema/column-type.ts';
import { text } from '../../schema/types.ts';
import { link, noScript, url } from '../../schema/web-address.ts';
import { anyText } from '../setup/any-text.ts';
import { useDatabase } from '../setup/database.ts';
import { rounds } from '../setup/full-size.ts';

const database = useDatabase();

const base = 'https://app.test';
const urls = [
  ...['https://cdn.test/a.png', 'HTTP://cdn.test', 'https://cdn.test:8443/a%20b.png?x=1&y=%0A#top'],
  ...['http://127.0.0.1:8788/demo/eagle.svg', 'http://[::1]/a', 'https://bücher.test/ü.png', 'https://a/"<>'],
];
const paths = ['/', '/quotes/42', '/quotes?id=eq.42#price', '/a//b', '/münchen'];
const scripts = [
  ...['javascript:alert(1)', 'JavaScript:alert(1)', ' javascript:alert(1)', 'java\tscript:alert(1)'],
  ...['\u0001javascript:alert(1)', 'j\na\nvascript\r:alert(1)', '\u00a0javascript:alert(1)'],
  ...['vbscript:msgbox(1)', ' VBScript:x', 'vb\tscript:x', 'data:text/html,<script>alert(1)</script>'],
  ...['DATA:text/html;base64,PHNjcmlwdD4=', 'da\nta:image/svg+xml,<svg/>', 'data:,a', 'data:image/png+xml,a'],
];
const others = [
  ...['', ' ', 'a.png', 'ftp://a.test/a', 'mailto:a@a.test', 'file:///etc/passwd', 'blob:https://a.test/1'],
  ...['data:image/png;base64,iVBORw0KGgo=', 'Data:image/jpeg,a', 'https:', 'https://', 'https:/a.test'],
  ...[
    'https:///a.test',
    'https://?a',
    'http:a.test',
    'https:\\\\a.test',
    'https://a.test/\n',
    '\nhttps://a.test',
  ],
  ...['https://a.test/a b', ' https://a.test', 'https://a.test\u3000', '\ufeffhttps://a.test'],
  ...['https://a.test/\u0085', 'https://a.test/\u202egnp.exe', 'https://a.test\\@b.test'],
];
const otherPaths = [
  ...[
    '//a.test',
    '/\\a.test',
    '/\t/a.test',
    '/\n',
    ' /quotes',
    '/a b',
    '\\\\a.test',
    '\\a',
    'quotes/42',
    '../a',
  ],
  ...['?a', '#a'],
];

const inSql = async (check: string, texts: string[]): Promise<boolean[]> => {
  const found = await database.sql<{ taken: boolean }[]>`
    select builder.${database.sql(check)}(text) as taken
    from unnest(${texts}::text[]) with ordinality as given (text, place) order by place`;
  return found.map(({ taken }) => taken);
};

const types: [name: string, type: ColumnType<string>, check: string, taken: string[], refused: string[]][] = [
  ['a URL', url, 'is_url', urls, [...paths, ...otherPaths, ...scripts, ...others]],
  ['a link', link, 'is_link', [...urls, ...paths], [...otherPaths, ...scripts, ...others]],
  [
    'a text that may be linked',
    noScript(text(2048)),
    'is_no_script',
    [...urls, ...paths, ...otherPaths, ...others],
    scripts,
  ],
];

/** Texts like those above, in any combination and with any characters between. */
const pieces = fc.constantFrom(
  ...[
    'http',
    'HTTPS',
    'java',
    'script',
    'data:',
    'image/',
    'png',
    ';',
    ',',
    ':',
    '/',
    '//',
    '\\',
    '?',
    '#',
    '.',
    'a',
    'é',
    '\u{1f600}',
  ],
  ...'\t\n\u0001 !\u007f\u009f\u00a0\u00a1\u00ad\u1680\u200b\u200f\u2010\u2027\u202e\u2030\u205e\u2070\u3000\ufeffſİı',
);
const texts = fc.array(fc.oneof({ weight: 9, arbitrary: pieces }, { weight: 1, arbitrary: anyText() }), {
  maxLength: 8,
});
const starts = fc.constantFrom(
  '',
  '',
  'https://',
  'http://a',
  '/',
  'javascript:',
  'vbscript:',
  'data:',
  'data:image/webp',
);
const address = fc
  .tuple(starts, texts)
  .map(([start, rest]) => `${start}${rest.join('')}`.replaceAll('\0', ''));

describe.each(types)('%s', (_, type, check, taken, refused) => {
  it('may be each of these, and none of those, for the API and in the database', async () => {
    const given = [...taken, ...refused];
    const expected = given.map((_, index) => index < taken.length);
    const here = given.map(text => v.is(type.format, text));
    const there = await inSql(check, given);
    const wrong = given.filter((_, n) => here[n] !== expected[n] || there[n] !== expected[n]);
    expect(wrong).toEqual([]);
  });

  it('is for Postgres what it is for the API, whatever the text', async () => {
    const given = fc.sample(address, rounds(2000, 5000)).filter(text => text.isWellFormed());
    const here = given.map(text => v.is(type.format, text));
    const there = await inSql(check, given);
    expect(given.filter((_, index) => here[index] !== there[index])).toEqual([]);
    expect(new Set(here)).toEqual(new Set([true, false]));
  });
});

it('a link or a URL leads a browser nowhere but to http or https, and a path to the application itself', () => {
  fc.assert(
    fc.property(address, address => {
      if (v.is(link.format, address) && parseUrl(address, base)) {
        const { protocol, origin } = new URL(address, base);
        expect(protocol).toMatch(/^https?:$/);
        expect(address.startsWith('/') ? origin : base).toBe(base);
      }
      if (v.is(noScript(text(2048)).format, address) && parseUrl(address, base)) {
        const { protocol, pathname } = new URL(address, base);
        expect(protocol).not.toMatch(/^(?:javascript|vbscript):$/);
        expect(protocol === 'data:' ? pathname : 'image/').toMatch(/^image\/(?!svg)/i);
      }
    }),
    { numRuns: rounds(2000, 5000) },
  );
});
