/** Texts and numbers that programs often mishandle. */
import { payloads } from '../injection/payloads.ts';
import type { Chance } from './chance.ts';

const odd = [
  '',
  ' ',
  '\t',
  '\u0000',
  'a\u0000b',
  '\u0001\u001f\u007f\u0080',
  '\ud800',
  '\udfff\ud800',
  '\ufeff',
  '\ufffe',
  '\u200b\u200d',
  '\u202e\u2066',
  'e\u0301',
  '\u00e9',
  '\u1100\u1161\u11a8',
  'İıſK',
  '🦤👩‍👩‍👧‍👦',
  '\u{10ffff}',
  'null',
  'NULL',
  'undefined',
  'true',
  '[]',
  '{}',
  '{',
  '"',
  '"a,b"',
  "'",
  '\\',
  '\\\\',
  '%',
  '%%',
  '_',
  '*',
  '**',
  '(',
  ')',
  '((((',
  '{a,b}',
  '{"a","b"}',
  '{{1},{2,3}}',
  '[1,2)',
  '[2026-01-01,2026-12-31]',
  '{"a":1}',
  '{"a":{"b":[1,2,{"c":null}]}}',
  '[1,"2",null]',
  'cat & dog | !bird',
  'a <-> b',
  '!!!!a',
  '(?i)a+',
  '[[:alpha:]]',
  '(a)\\1',
  '[',
  'a{1,300}',
  '__proto__',
  'constructor',
  'toString',
  'ctid',
  'xmin',
  'tableoid',
  'oid',
];

const numbers = [
  '0',
  '-0',
  '1',
  '-1',
  '1.5',
  '007',
  '+7',
  '1e3',
  '1e400',
  '-1e400',
  '1e-400',
  '1e131071',
  '9007199254740993',
  '2147483647',
  '2147483648',
  '-2147483649',
  '9223372036854775807',
  '9223372036854775808',
  '123456789012345678901234567890',
  'NaN',
  'Infinity',
  '-Infinity',
  '0x1F',
  '1_000',
  '٣',
  '１',
  '',
];

const times = [
  '2026-06-01',
  '2026-06-01T10:00:00Z',
  '2026-02-30',
  '0000-00-00',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:60+14:00',
  '294277-01-01',
  '4714-11-24 BC',
  'infinity',
  '-infinity',
  'epoch',
  'now',
  'tomorrow',
  'yesterday allballs',
  '10:00',
  '2026-06-01T10:00:00[Europe/Berlin]',
];

export const anyNumber = (chance: Chance): string => chance.pick(numbers);

export const anyTime = (chance: Chance): string => chance.pick(times);

/** Rarely of kilobytes. */
export const anyText = (chance: Chance): string =>
  chance.weighted(
    [6, () => chance.pick(odd)],
    [4, () => chance.pick(payloads)],
    [2, () => anyNumber(chance)],
    [1, () => anyTime(chance)],
    [3, () => chance.several(0, 12, () => anyCharacter(chance)).join('')],
    [1, () => chance.several(1, 3, () => chance.pick(odd)).join(chance.pick(['', ',', '.', ' ']))],
    [0.3, () => anyCharacter(chance).repeat(1 << chance.below(13))],
  );

const anyCharacter = (chance: Chance): string =>
  chance.weighted(
    [5, () => String.fromCharCode(0x20 + chance.below(0x5f))],
    [1, () => String.fromCharCode(chance.below(0x20))],
    [1, () => String.fromCharCode(chance.below(0x10000))],
    [1, () => String.fromCodePoint(0x10000 + chance.below(0x100000))],
  );

/** Removes, doubles, changes or inserts a character, so that a valid text becomes almost valid. */
export function mutated(text: string, chance: Chance): string {
  const at = chance.below(text.length + 1);
  const before = text.slice(0, at);
  const after = text.slice(at);
  return chance.weighted(
    [2, () => before + after.slice(1)],
    [1, () => before + after.slice(chance.below(after.length + 1))],
    [1, () => before + after.slice(0, 1) + after],
    [2, () => before + anyCharacter(chance) + after.slice(1)],
    [
      2,
      () => before + chance.pick(["'", '"', '\\', '(', ')', ',', '.', '%', '&', '=', '}', ']', '-']) + after,
    ],
    [1, () => before + anyText(chance) + after],
  );
}
