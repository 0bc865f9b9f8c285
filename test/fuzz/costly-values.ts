/** Values that cost more than their length: the worst known ones for each kind of column and operator. */
import fc from 'fast-check';

/** Makes about so many characters; `n` is a random number. */
export type Maker = (length: number, n: number) => string;

/** A value by one of the makers. */
export const made = (makers: readonly Maker[], length: fc.Arbitrary<number>): fc.Arbitrary<string> =>
  fc.tuple(fc.constantFrom(...makers), length, fc.nat()).map(([make, most, n]) => make(most, n));

export const repeated = (part: string, length: number, separator = ''): string =>
  Array(Math.max(1, Math.floor(length / (part.length + separator.length))))
    .fill(part)
    .join(separator);

/** An invented time zone in POSIX format. */
export const zone = (n: number): string =>
  Array.from({ length: 5 }, (_, place) => String.fromCharCode(97 + ((n >> (4 * place)) & 15))).join('') +
  (n % 10);

export const texts: Maker[] = [
  length => `${'a'.repeat(length)}b`,
  length => `*${'a'.repeat(length)}b`,
  length => `${repeated('*a', length)}b`,
  length => `*${'_'.repeat(length)}b`,
  length => `*${repeated('%_', length)}`,
  length => ' '.repeat(length),
  length => '\\'.repeat(length),
  length => "'".repeat(length),
  length => '"'.repeat(length),
  length => 'é'.repeat(length / 6),
];

export const expressions: Maker[] = [
  length => repeated('a*b', length, '|'),
  length => repeated('(a|b)', length),
  length => `${repeated('a?', length)}${'a'.repeat(20)}`,
  (_, n) => `(${'abc'.charAt(n % 3)}{${1 + (n % 255)}}){${1 + (n % 120)}}`,
  (_, n) => `[[:alpha:]]{${1 + (n % 255)}}\\w{${1 + (n % 254)}}$`,
  length => `^(?:${repeated('a', length / 2, '|')})+$`,
];

export const searches: Maker[] = [
  length => repeated('w1', length, '&'),
  length => repeated('w1', length, '|'),
  length => repeated('w1', length, '<->'),
  length => repeated('w2', length, ' '),
  () => `${'('.repeat(90)}a${')'.repeat(90)}`,
  length => `${'!'.repeat(25)}a&${'x'.repeat(length)}:*`,
];

export const numbers: Maker[] = [
  length => '9'.repeat(length),
  () => '1e131071',
  () => '1e-16383',
  length => `${' '.repeat(length)}1`,
  length => `0.${'1'.repeat(length)}`,
];

export const times: Maker[] = [
  (_, n) => `2026-01-01 10:00 ${zone(n)}`,
  (_, n) => `1-1-1 ${zone(n)}`,
  length => `2026-01-01 10:00:00.${'1'.repeat(length)}`,
  (_, n) => ['infinity', 'epoch', 'now', '4714-11-24 BC', '294276-12-31'][n % 5] ?? '',
];

const elements = [
  '2',
  '[2]',
  '{"b":2}',
  '[]',
  '{}',
  '1e131071',
  '1e-16383',
  'null',
  '"aaaaaaaaaaaaaaaaaaaa"',
];
const element = (n: number): string => elements[n % elements.length] ?? '';

/** JSON of many values, of a long text, or of many levels. */
export const jsons: Maker[] = [
  (length, n) => `[${repeated(element(n), length, ',')}]`,
  (length, n) => `{"a":[${repeated(element(n), length, ',')}]}`,
  length => `{"a":"${'x'.repeat(length)}"}`,
  length => `{${Array.from({ length: length / 8 }, (_, n) => `"${n.toString(36)}":1`).join(',')}}`,
  length => `{"a":${'['.repeat(Math.min(490, length / 2))}${']'.repeat(Math.min(490, length / 2))}}`,
  length => `{"a":"${repeated('\\u0001', length)}"}`,
];

export const arrays: Maker[] = [
  length => `{${repeated('x', length, ',')}}`,
  length => `{${Array.from({ length: length / 6 }, (_, n) => `t${n}`).join(',')}}`,
];

const byType: [type: RegExp, makers: Maker[]][] = [
  [/json/, jsons],
  [/text\[\]/, arrays],
  [/int|numeric/, numbers],
  [/date|time/, times],
  [/./, texts],
];

export const makersOf = (postgres: string): Maker[] =>
  byType.find(([type]) => type.test(postgres))?.[1] ?? texts;
