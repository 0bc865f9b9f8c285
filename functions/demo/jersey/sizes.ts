/** Sizes: one spelling of each, their order, and how many there are. A size that isn't known stays as it was typed. */

/** The sizes that are offered; Y is for youth. */
export const sizes = 'YXS YS YM YL YXL XS S M L XL 2XL 3XL 4XL 5XL'.split(' ');

const youth = 'youth|yth|y';
const letter = 's(?:ml?|mall)?|m(?:e?d|edium)?|l(?:r?ge?|arge)?';
const gap = '[\\s._()-]*';
const parts = [
  '',
  `(${youth}|adult|a)?`,
  '(\\d{0,2})',
  `((?:(?:e?xtra|x)${gap})*)`,
  `(${letter})?`,
  `(${youth})?`,
  '',
];
const spelling = new RegExp(`^${parts.join(gap)}$`, 'i');

/** Any size is shorter. It bounds the time that the pattern takes. */
const longest = 30;

/** Returns what a text says of a size: `times` is how often it has an X. Undefined for a size that isn't known. */
function parse(text: string) {
  const [, before = '', digits = '', extras = '', word = '', after = ''] =
    spelling.exec(text.slice(0, longest + 1)) ?? [];
  const count = extras.match(/x/gi)?.length ?? 0;
  const times = digits ? Number(digits) : count;
  const letter = (word || 'L').charAt(0).toUpperCase() as 'S' | 'M' | 'L';
  const isKnown =
    text.length <= longest &&
    // "2X" and "XX" are sizes without a letter; "X" may be anything.
    (word !== '' || times > 1 || (digits !== '' && times === 1)) &&
    // "2L", "0XL" and "2XXL" aren't sizes, nor is "XM".
    (digits === '' || (times > 0 && count === 1)) &&
    (letter !== 'M' || times === 0);
  return isKnown ? { isYouth: /^y/i.test(before || after), times, letter } : undefined;
}

/** Returns a size as we write it: "2XL" for "XX-Large" or "2X", "YM" for "Youth Medium". */
export function readSize(text: string): string {
  const size = parse(text.trim());
  return size
    ? `${size.isYouth ? 'Y' : ''}${size.times > 1 ? size.times : ''}${size.times > 0 ? 'X' : ''}${size.letter}`
    : text.trim();
}

/** Whether a text is a size that we know. */
export const isSize = (text: string): boolean => parse(text.trim()) !== undefined;

/** Returns the place of a size among the others, the smallest first; sizes that aren't known come last. */
function placeOf(text: string): number {
  const size = parse(text);
  const steps = { S: -1, M: 0, L: 1 };
  return size ? (size.isYouth ? 0 : 1000) + steps[size.letter] * (1 + size.times) : Number.MAX_SAFE_INTEGER;
}

const compare = (one: string, other: string): number =>
  placeOf(one) - placeOf(other) || one.localeCompare(other, undefined, { numeric: true });

/** Returns how many of each size there are, the smallest first. */
export function addSizes(counts: Iterable<[size: string, count: number]>): [size: string, count: number][] {
  const sums = new Map<string, number>();
  for (const [text, count] of counts) {
    const size = readSize(text);
    sums.set(size, (sums.get(size) ?? 0) + count);
  }
  return [...sums].filter(([, count]) => count > 0).sort(([one], [other]) => compare(one, other));
}

/** Returns the sizes of players in words: "2 × S, 5 × M". Where no player has one, they are the counts of the quote. */
export function describeSizes(players: { size: string }[], counts: Record<string, number> | null): string {
  const counted = Object.entries(counts ?? {});
  const isCounted = counted.length > 0 && players.every(({ size }) => size === '');
  return addSizes(isCounted ? counted : players.map(({ size }) => [size, 1]))
    .map(([size, count]) => (size ? `${count} × ${size}` : `${count} without a size`))
    .join(', ');
}
