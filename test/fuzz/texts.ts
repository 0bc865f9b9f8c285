/** Texts and numbers that programs often mishandle. */
import fc from 'fast-check';
import { payloads } from '../injection/payloads.ts';
import { anyText } from '../setup/any-text.ts';
import { weighted } from './arbitraries.ts';

const signs = String.raw`null true {} " "a,b" \\ % _ * ( (((( {a,b} {{1},{2,3}} [1,2) [1,"2",null] !!!!a [[:alpha:]] (a)\1 a{1,300}`;
const words =
  '{"a":{"b":[1,2,{"c":null}]}} __proto__ constructor ctid tableoid e\u0301 İıſK 🦤👩‍👩‍👧‍👦 \u{10ffff}';
const invisible = '\t \u0000 \u0001\u001f\u007f\u0080 \ud800 \udfff\ud800 \ufeff \u200b\u200d \u202e\u2066';
const spaced = ['', 'cat & dog | !bird', 'a <-> b'];
const odd = fc.constantFrom(...[signs, words, invisible].flatMap(texts => texts.split(' ')), ...spaced);

const numbers = '0 -0 1 -1 1.5 007 1e3 1e400 1e-400 1e131071 9007199254740993 2147483648 -2147483649';
const oddNumbers = '9223372036854775808 123456789012345678901234567890 NaN Infinity 0x1F 1_000 ٣';
export const anyNumber = fc.constantFrom('', ...numbers.split(' '), ...oddNumbers.split(' '));

export const anyTime = fc.constantFrom(
  '2026-06-01T10:00:00Z',
  '2026-02-30',
  '0000-00-00',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:60+14:00',
  '4714-11-24 BC',
  'infinity',
  'now',
  'yesterday allballs',
  '10:00',
  '2026-06-01T10:00:00[Europe/Berlin]',
);

/** Rarely of kilobytes. */
export const oddText: fc.Arbitrary<string> = weighted(
  [60, odd],
  [40, fc.constantFrom(...payloads)],
  [20, anyNumber],
  [10, anyTime],
  [15, fc.string({ unit: 'binary-ascii', maxLength: 12 })],
  [15, anyText({ maxLength: 12 })],
  [10, fc.tuple(odd, fc.constantFrom('', ',', '.', ' '), odd).map(parts => parts.join(''))],
  [3, fc.tuple(anyText({ minLength: 1, maxLength: 1 }), fc.nat(12)).map(([one, n]) => one.repeat(1 << n))],
);

const inserted = weighted(
  [4, fc.constant('')],
  [2, fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 1 })],
  [2, fc.constantFrom(...`'"\\(),.%&=}]-`)],
  [1, oddText],
);

/** Removes, repeats, changes or inserts characters, so that a valid text becomes almost valid. */
export const mutated = (texts: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(texts, fc.noBias(fc.nat()), inserted, fc.constantFrom(-1, 0, 1, 1, 9))
    .map(([valid, place, added, removed]) => {
      const at = place % (valid.length + 1);
      return valid.slice(0, at) + added + valid.slice(Math.max(0, at + removed));
    });
